import { DEEPEST_STEPS, DEEPEST_SHRINK, DEEPEST_FLAT } from "../../generated/constants";
import { raiseAlong } from "./gap-along";
import type { Primitive } from "./primitives";
import { distanceAt } from "./signed-distance";
import { closestOnTriangle, triangleNormal } from "../../geometry/triangles/triangle";

/**
 * DEEPEST_SHRINK: each step is this much shorter than the one before. DEEPEST_FLAT: a smaller slope along the triangle
 * counts as zero.
 */

/** gradient and φ */
const found = new Float64Array(4);
/** where a step ends, before it is brought back to the triangle */
const aim = new Float64Array(3);
const normal = new Float64Array(3);

/**
 * Point of a triangle deepest in a primitive, by local optimization on the signed distance φ (Macklin, Erleben, Müller,
 * Chentanez, Jeschke & Corse 2020, "Local optimization for robust signed distance field collision"): projected
 * subgradient steps of unit direction and geometrically shrinking length, keeping the best. Steps of unit direction do
 * not depend on the slope of φ along the triangle.
 *
 * The signed distance of a convex primitive is a convex function: at each point its tangent is a lower bound over the triangle, by which the
 * search for a triangle that is clear ends after a step or two. Tangents are far below a triangle that lies across an edge of a box; there the
 * gap along its own normal is a bound.
 *
 * @param corners 9 coordinates in the frame of the primitive
 * @param out 7 numbers: on input the centroid, three more, and an upper bound of the distance of corners from it [m]; on output the
 * deepest point, its barycentric coordinates, and φ there [m]
 * @param isEdge whether the second and third corner are one: the second then has the weight of both
 * @param clear of convex primitives: a distance beyond which no point is asked for, and a lower bound of φ on the triangle, which is raised [m]
 * @returns whether a point of the triangle may be nearer than that; if not, `out` is of no use
 */
export function deepestPoint(
  primitive: Primitive,
  corners: Float64Array,
  out: Float64Array,
  isEdge = false,
  clear?: Float64Array,
): boolean {
  out.fill(1 / 3, 3, 6);
  distanceAt(primitive, out, 0, found);
  if (clear && isClear(corners, out, clear)) return false;
  triangleNormal(corners, 0, 3, 6, normal);
  const size = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  // Cloth may collapse a triangle to zero area; any direction will do then.
  for (let c = 0; c < 3; c++) normal[c] *= size > 0 ? 1 / size : 0;
  if (clear && size > 0) {
    raiseAlong(primitive, corners, normal, clear);
    if (clear[1] > clear[0]) return false;
  }
  let x = out[0];
  let y = out[1];
  let z = out[2];
  let step = out[6];
  let best = found[3];
  for (let n = 0; n < DEEPEST_STEPS; n++) {
    const along = found[0] * normal[0] + found[1] * normal[1] + found[2] * normal[2];
    const gx = found[0] - along * normal[0];
    const gy = found[1] - along * normal[1];
    const gz = found[2] - along * normal[2];
    const slope = Math.sqrt(gx * gx + gy * gy + gz * gz);
    // The surface lies along the triangle: this is the deepest point.
    if (slope < DEEPEST_FLAT) break;
    let dx = (-step / slope) * gx;
    let dy = (-step / slope) * gy;
    let dz = (-step / slope) * gz;
    for (let attempt = 0; attempt < 2; attempt++) {
      aim[0] = x + dx;
      aim[1] = y + dy;
      aim[2] = z + dz;
      closestOnTriangle(corners, 0, aim, 0, candidate);
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
    distanceAt(primitive, candidate, 0, found);
    if (clear && isClear(corners, candidate, clear)) return false;
    if (found[3] < best) {
      best = found[3];
      for (let i = 0; i < 6; i++) out[i] = candidate[i];
    }
    step *= DEEPEST_SHRINK;
  }
  out[6] = best;
  if (!isEdge) return true;
  out[4] += out[5];
  out[5] = 0;
  return true;
}

/**
 * Raises the lower bound of φ by the tangent at a point, where φ and its gradient are `found`.
 *
 * @returns whether it is beyond the distance, and not far below φ
 */
function isClear(corners: Float64Array, point: Float64Array, clear: Float64Array): boolean {
  let rise = Infinity;
  for (let i = 0; i < 9; i += 3)
    rise = Math.min(
      rise,
      found[0] * (corners[i] - point[0]) +
        found[1] * (corners[i + 1] - point[1]) +
        found[2] * (corners[i + 2] - point[2]),
    );
  clear[1] = Math.max(clear[1], found[3] + rise);
  return clear[1] > clear[0] && 2 * clear[1] > found[3];
}

const candidate = new Float64Array(7);
