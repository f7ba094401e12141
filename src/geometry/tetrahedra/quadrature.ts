/** The points at which a quadratic tetrahedron has its strain, see quadratic.ts. */
import type { Vec3 } from "../../math/types";

/** Vertices of a quadratic tetrahedron. */
export const QUADRATIC_NODES = 10;
/** Points at which its strain is taken, each for a quarter of the volume. */
export const QUADRATURE_POINTS = 4;

/** Lᵢ at a point of the quadrature that is exact for quadratic functions: near corner i, and near the others. */
export const [NEAR, FAR] = [0.585410196624968, 0.138196601125011];

/** Gradients of the barycentric coordinates, from those of the shape functions at the first point, which is near the first corner. */
export function slopesOf(gradients: ArrayLike<number>): Vec3[] {
  return [0, 1, 2, 3].map((i) => {
    const by = 1 / (4 * (i === 0 ? NEAR : FAR) - 1);
    return [by * gradients[3 * i], by * gradients[3 * i + 1], by * gradients[3 * i + 2]];
  });
}
