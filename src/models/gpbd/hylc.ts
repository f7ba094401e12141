import { PliantError } from "../../errors";
import { twinSides } from "../../geometry/surface/twin-sides";
import type { Fabric } from "../../materials/fabric";
import { packHylc } from "../../materials/hylc/pack";
import { linkHylcElement } from "../../solvers/gpbd/elements/hylc-neighbours";
import { termLayout, type EnergyTerm, type GpbdModel } from "../../solvers/gpbd/model";
import { hylcStrain } from "../../solvers/gpbd/strains/hylc";
import { meanEdge } from "../../solvers/spacing";
import type { ClothSurface } from "./cloth-surface";
import { createTerm } from "./term";

/** Mean edges that a wave of stretch may pass in a substep while elements are swept one after another. */
const REACH = 2;

/**
 * The way in which yarn-level cloth is swept by default. Elements share up to six vertices, and one after another they throw these about if
 * a wave passes many edges in a substep (measured: 10 and more, or 5 beside pins); together, as a mean, they do not.
 */
export function hylcMethod(
  { positions, faces }: GpbdModel,
  fabric: Readonly<Fabric>,
  substeps: number,
): "jacobi" | "hybrid" {
  const speed = Math.sqrt(Math.max(fabric.stretchWarp, fabric.stretchWeft) / fabric.areaDensity);
  return speed > 60 * REACH * substeps * meanEdge({ positions, faces }) ? "jacobi" : "hybrid";
}

/**
 * One element for each triangle, which also uses the corners of its neighbors (paper 1, section 4.2). A sheet that is
 * not flat at rest keeps its shape: curvatures are relative to those at rest, and the natural curvatures of the fabric
 * are added.
 *
 * @throws PliantError for a fabric without a table
 */
export function hylcTerm(surface: ClothSurface, fabric: Readonly<Fabric>): EnergyTerm {
  const { name, positions, indices, triangles } = surface;
  if (!fabric.table)
    throw new PliantError("invalid-argument", `${name}.membrane`, "hylc", "needs a fabric with an energy table");
  const { arity, rest: stride } = termLayout.hylc;
  const twins = twinSides(indices);
  const length = lengthOfEdges(surface);
  const lists = {
    indices: new Uint32Array(arity * triangles.length),
    rest: new Float64Array(stride * triangles.length),
  };
  const x = new Float64Array(3 * arity);
  const strain = new Float64Array(6);
  triangles.forEach(({ inverse, area }, f) => {
    lists.rest.set([...inverse, area, 0, length * length, 0, 0, 0], stride * f);
    linkHylcElement(indices, twins, f, lists, f);
    lists.indices.subarray(arity * f, arity * (f + 1)).forEach((vertex, k) => {
      for (let c = 0; c < 3; c++) x[3 * k + c] = positions[3 * vertex + c] ?? 0;
    });
    hylcStrain.strain(x, lists.rest, stride * f, strain);
    lists.rest.set(strain.subarray(3), stride * f + 7);
  });
  const material = packHylc(fabric.table, fabric.stretchDamping, length);
  return createTerm("hylc", surface, lists.indices, lists.rest, material);
}

function lengthOfEdges({ positions, edges }: ClothSurface): number {
  let sum = 0;
  for (let e = 0; e < edges.vertices.length; e += 2) {
    const [a, b] = [3 * edges.vertices[e], 3 * edges.vertices[e + 1]];
    sum += Math.hypot(...[0, 1, 2].map((c) => positions[b + c] - positions[a + c]));
  }
  return (2 * sum) / edges.vertices.length;
}
