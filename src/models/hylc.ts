import { PliantError } from "../errors";
import type { Fabric } from "../materials/fabric";
import { packHylc } from "../materials/hylc/pack";
import type { EnergyTerm } from "../solvers/gpbd/model";
import { hylcStrain } from "../solvers/gpbd/strains/hylc";
import type { ClothSurface } from "./cloth";
import { createTerm } from "./term";

/**
 * One element a triangle, which sees the corners of its neighbours too (paper 1, section 4.2). A sheet that is not flat at rest
 * keeps its shape: curvatures count from there, and the natural ones of the fabric come on top.
 *
 * @throws PliantError for a fabric without a table
 */
export function hylcTerm(surface: ClothSurface, fabric: Readonly<Fabric>): EnergyTerm {
  const { name, positions, indices, triangles } = surface;
  if (!fabric.table)
    throw new PliantError("invalid-argument", `${name}.membrane`, "hylc", "needs a fabric with an energy table");
  const across = neighbours(indices);
  const length = meanEdge(surface);
  const vertices: number[] = [];
  const rest: number[] = [];
  const x = new Float64Array(18);
  const strain = new Float64Array(6);
  triangles.forEach(({ inverse, area }, f) => {
    const corners = Array.from(indices.subarray(3 * f, 3 * f + 3));
    let present = 0;
    for (let edge = 0; edge < 3; edge++) {
      const opposite = across[3 * f + edge]!;
      if (opposite >= 0) present |= 1 << edge;
      corners.push(opposite >= 0 ? opposite : corners[edge]!);
    }
    corners.forEach((vertex, k) => x.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
    const flat = Float64Array.of(...inverse, area, present, length * length, 0, 0, 0);
    hylcStrain.strain(x, flat, 0, strain);
    flat.set(strain.subarray(3), 7);
    vertices.push(...corners);
    rest.push(...flat);
  });
  const material = packHylc(fabric.table, fabric.stretchDamping, length);
  return createTerm("hylc", surface, vertices, rest, material);
}

/** For each edge (0, 1), (1, 2), (2, 0) of each triangle the corner of the neighbour across it, or −1. */
function neighbours(indices: Uint32Array): Int32Array {
  const sides = new Map<string, number[]>();
  const keyOf = (i: number): string => {
    const a = indices[i]!;
    const b = indices[i % 3 === 2 ? i - 2 : i + 1]!;
    return a < b ? `${a},${b}` : `${b},${a}`;
  };
  const oppositeOf = (i: number): number => indices[i - (i % 3) + ((i + 2) % 3)]!;
  for (let i = 0; i < indices.length; i++) {
    const known = sides.get(keyOf(i));
    if (known) known.push(i);
    else sides.set(keyOf(i), [i]);
  }
  // Two faces over the same corners, as in a double-sided mesh, cannot turn against each other.
  return Int32Array.from(indices, (_, i) => {
    const own = oppositeOf(i);
    const other = sides.get(keyOf(i))!.find((side) => oppositeOf(side) !== own);
    return other === undefined ? -1 : oppositeOf(other);
  });
}

function meanEdge({ positions, edges }: ClothSurface): number {
  let sum = 0;
  for (let e = 0; e < edges.vertices.length; e += 2) {
    const [a, b] = [3 * edges.vertices[e]!, 3 * edges.vertices[e + 1]!];
    sum += Math.hypot(...[0, 1, 2].map((c) => positions[b + c]! - positions[a + c]!));
  }
  return (2 * sum) / edges.vertices.length;
}
