import { cross, dot, normalised, subtract } from "../../math/vectors";
import { boxConvex, hullConvex, type Convex } from "../../collision/narrow/shapes/convex";
import { hullOf } from "../../collision/narrow/shapes/hull-faces";
import type { Vec3 } from "../../math/types";
import { cos, sin } from "../../math/deterministic";

/** Number of sides of the prism that replaces a cylinder. */
const CYLINDER_SIDES = 16;

/**
 * A box with its corners and normals transformed by an affine map without scale or shear. It is exact for boxes of any
 * proportions.
 *
 * @param rotation 3 × 3, row-major
 */
export function boxPolytope(half: Vec3, rotation: readonly number[], position: Vec3): Convex {
  const box = boxConvex(half[0], half[1], half[2]);
  const turn = (list: Float64Array, shift: Vec3): Float64Array =>
    list.map((_, at) => {
      const [i, c] = [at - (at % 3), at % 3];
      return (
        rotation[3 * c] * list[i] + rotation[3 * c + 1] * list[i + 1] + rotation[3 * c + 2] * list[i + 2] + shift[c]
      );
    });
  const normals = turn(box.faceNormals, [0, 0, 0]);
  const offsets = box.faceOffsets.map(
    (offset, f) => offset + dot([normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]], position),
  );
  const loops = Array.from(offsets, (_, f) => [...box.faceVertices.subarray(box.faceStart[f], box.faceStart[f + 1])]);
  return hullConvex(turn(box.vertices, position), loops, normals, offsets);
}

/** A cylinder between two points, as a prism whose corners lie on it. */
export function cylinderPolytope(pointA: Vec3, pointB: Vec3, radius: number, object: string): Convex {
  const d = normalised(subtract(pointB, pointA));
  const e: Vec3 = Math.abs(d[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const u = normalised(cross(d, e));
  const v = cross(d, u);
  const points: number[] = [];
  for (let i = 0; i < CYLINDER_SIDES; i++) {
    const angle = (2 * Math.PI * i) / CYLINDER_SIDES;
    for (const end of [pointA, pointB])
      for (let c = 0; c < 3; c++) points.push(end[c] + radius * (cos(angle) * u[c] + sin(angle) * v[c]));
  }
  return hullOf(points, object);
}
