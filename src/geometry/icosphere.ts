import { edgeKey } from "./surface/twin-sides";
import { checkNames, optionNames } from "../option-names";
import type { Vec3 } from "../math/types";
import { lengthOf } from "../math/vectors";

/** A sphere of nearly equal triangles, counter-clockwise seen from outside. */
export interface SphereMesh {
  /** vertexCount × 3 [m] */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/**
 * An icosahedron whose triangles are cut into four n times (`subdivisions`). All its 10 · 4ⁿ + 2 vertices are on the
 * sphere.
 */
export function icosphereMesh(sphere: { radius: number; subdivisions: number; center?: Vec3 }): SphereMesh {
  checkNames("sphere", sphere, optionNames<typeof sphere>()("radius subdivisions center"));
  const { radius, subdivisions, center = [0, 0, 0] } = sphere;
  const t = (1 + Math.sqrt(5)) / 2;
  const units: Vec3[] = [
    [-1, t, 0],
    [1, t, 0],
    [-1, -t, 0],
    [1, -t, 0],
    [0, -1, t],
    [0, 1, t],
    [0, -1, -t],
    [0, 1, -t],
    [t, 0, -1],
    [t, 0, 1],
    [-t, 0, -1],
    [-t, 0, 1],
  ].map(([x, y, z]) => unit(x, y, z));
  let indices = [
    0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3, 9, 4, 3, 4, 2,
    3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
  ];
  for (let level = 0; level < subdivisions; level++) indices = quartered(units, indices);
  const positions = Float64Array.from(units.flatMap((u) => u.map((value, c) => center[c] + radius * value)));
  return { positions, indices: Uint32Array.from(indices) };
}

/** Replaces each triangle by four and appends the vertices between. */
function quartered(units: Vec3[], indices: readonly number[]): number[] {
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = edgeKey(a, b);
    const known = middles.get(key);
    if (known !== undefined) return known;
    const [p, q] = [units[a], units[b]];
    middles.set(key, units.push(unit(p[0] + q[0], p[1] + q[1], p[2] + q[2])) - 1);
    return units.length - 1;
  };
  const result: number[] = [];
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [indices[f], indices[f + 1], indices[f + 2]];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    result.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
  }
  return result;
}

function unit(x: number, y: number, z: number): Vec3 {
  const length = lengthOf(x, y, z);
  return [x / length, y / length, z / length];
}
