import * as constants from "../../generated/constants";
import type { Primitive } from "./primitives";
import { signedDistance } from "./signed-distance";
import { closestPointOnTriangle, triangleNormal } from "../../geometry/triangles/triangle";
import { lengthAt } from "../../math/vectors";

/**
 * DEEPEST_SHRINK: each step is this much shorter than the one before. DEEPEST_FLAT: a smaller slope along the triangle
 * counts as zero.
 */
const { DEEPEST_STEPS, DEEPEST_SHRINK, DEEPEST_FLAT } = constants;

const gradient = new Float64Array(3);
const normal = new Float64Array(3);

/**
 * Point of a triangle deepest in a primitive, by local optimization on the signed distance φ (Macklin, Erleben, Müller,
 * Chentanez, Jeschke & Corse 2020, "Local optimization for robust signed distance field collision"): projected
 * subgradient steps of unit direction and geometrically shrinking length, keeping the best. Steps of unit direction do
 * not depend on the slope of φ along the triangle.
 *
 * @param corners 9 coordinates in the frame of the primitive
 * @param radius upper bound of the distance of corners from the centroid [m]
 * @param out on input the starting point with its barycentric coordinates, on output the deepest point with its
 * coordinates
 * @returns φ at the deepest point
 */
export function deepestPoint(primitive: Primitive, corners: Float64Array, radius: number, out: Float64Array): number {
  triangleNormal(corners, 0, 3, 6, normal);
  const size = lengthAt(normal, 0);
  // Cloth may collapse a triangle to zero area; any direction will do then.
  for (let c = 0; c < 3; c++) normal[c] *= size > 0 ? 1 / size : 0;
  let x = out[0];
  let y = out[1];
  let z = out[2];
  let best = signedDistance(primitive, x, y, z, gradient);
  let step = radius;
  for (let n = 0; n < DEEPEST_STEPS; n++) {
    const along = gradient[0] * normal[0] + gradient[1] * normal[1] + gradient[2] * normal[2];
    const gx = gradient[0] - along * normal[0];
    const gy = gradient[1] - along * normal[1];
    const gz = gradient[2] - along * normal[2];
    const slope = Math.sqrt(gx * gx + gy * gy + gz * gz);
    // The surface lies along the triangle: this is the deepest point.
    if (slope < DEEPEST_FLAT) break;
    let dx = (-step / slope) * gx;
    let dy = (-step / slope) * gy;
    let dz = (-step / slope) * gz;
    for (let attempt = 0; attempt < 2; attempt++) {
      closestPointOnTriangle(corners, 0, x + dx, y + dy, z + dz, candidate);
      dx = candidate[0] - x;
      dy = candidate[1] - y;
      dz = candidate[2] - z;
      // An edge stops the step except for the part along the edge, which is often small: take a whole step in that
      // direction.
      const moved = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (moved < DEEPEST_FLAT * step || moved > 0.99 * step) break;
      dx *= step / moved;
      dy *= step / moved;
      dz *= step / moved;
    }
    x = candidate[0];
    y = candidate[1];
    z = candidate[2];
    const phi = signedDistance(primitive, x, y, z, gradient);
    if (phi < best) {
      best = phi;
      out.set(candidate);
    }
    step *= DEEPEST_SHRINK;
  }
  return best;
}

const candidate = new Float64Array(6);
