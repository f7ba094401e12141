import type { Vec3 } from "../math/types";
import { cross, dot, scaled, subtract } from "../math/vectors";

/**
 * Rest shape of a triangle in its material axes: the inverse of the edge matrix Dm = [X₁ − X₀, X₂ − X₀] in a plane frame
 * whose first axis is the warp.
 */
export interface RestTriangle {
  /** Dm⁻¹, row-major [1/m] */
  inverse: [number, number, number, number];
  /** [m²] */
  area: number;
}

/**
 * Warp direction of a triangle in space: the unit vector in which the texture's u grows, from the texture coordinates
 * of its corners. Without coordinates, or with degenerate ones, it is the x axis projected to the triangle's plane.
 *
 * @param x corners [m]
 * @param uv u, v of the corners, 6 numbers
 */
export function warpDirection(x: readonly [Vec3, Vec3, Vec3], uv: readonly number[] | undefined): Vec3 {
  const e1 = subtract(x[1], x[0]);
  const e2 = subtract(x[2], x[0]);
  const normal = cross(e1, e2);
  let warp: Vec3 = [1, 0, 0];
  if (uv) {
    const [du1, dv1, du2, dv2] = [uv[2] - uv[0], uv[3] - uv[1], uv[4] - uv[0], uv[5] - uv[1]];
    const determinant = du1 * dv2 - du2 * dv1;
    if (determinant !== 0) warp = subtract(scaled(e1, dv2 / determinant), scaled(e2, dv1 / determinant));
  }
  for (const candidate of [warp, [1, 0, 0], [0, 0, 1]] as Vec3[]) {
    const inPlane = subtract(candidate, scaled(normal, dot(candidate, normal) / dot(normal, normal)));
    const length = Math.sqrt(dot(inPlane, inPlane));
    if (length > 1e-3 * Math.sqrt(dot(candidate, candidate))) return scaled(inPlane, 1 / length);
  }
  return scaled(e1, 1 / Math.sqrt(dot(e1, e1)));
}

/** @param warp unit vector in the triangle's plane */
export function restTriangle(x: readonly [Vec3, Vec3, Vec3], warp: Vec3): RestTriangle {
  const e1 = subtract(x[1], x[0]);
  const e2 = subtract(x[2], x[0]);
  const normal = cross(e1, e2);
  const doubleArea = Math.sqrt(dot(normal, normal));
  const weft = cross(scaled(normal, 1 / doubleArea), warp);
  const [a, b, c, d] = [dot(e1, warp), dot(e2, warp), dot(e1, weft), dot(e2, weft)];
  const determinant = a * d - b * c;
  return {
    inverse: [d / determinant, -b / determinant, -c / determinant, a / determinant],
    area: 0.5 * doubleArea,
  };
}
