/**
 * The distance of a point outside of a convex hull. Its planes alone tell less beside its ridges, and no point of it: up to a ridge's bevel they go
 * on beside it. Twin of nearest-of-hull.wgsl.
 *
 *     the nearest point is that of a few planes, each outside of which the nearest point of those before it was; their shares are
 *     found plane by plane in rounds
 */
import { dotProduct } from "../../math/dense";
import { HULL_NEAREST_PLANES as PLANES, HULL_NEAREST_ROUNDS as ROUNDS, HULL_ON as ON } from "../../generated/constants";
import type { Primitive } from "./primitives";
import { distanceAt } from "./signed-distance";

const planes = new Float64Array(4 * PLANES);
const shares = new Float64Array(PLANES);
const nearest = new Float64Array(3);
const next = new Float64Array(4);

/**
 * @param point in the frame of a hull [m]
 * @param out what the planes tell there, outside, which becomes the direction from the nearest point and the distance [m]
 */
export function nearestOfHull(hull: Primitive, point: Float64Array, out: Float64Array): void {
  nearest.set(point);
  next.set(out);
  for (let count = 1; count <= PLANES; count++) {
    planes.set(next, 4 * count - 4);
    planes[4 * count - 1] = dotProduct(next, nearest, 3) - next[3];
    findNearest(point, count);
    distanceAt(hull, nearest, 0, next);
    if (next[3] > ON * out[3]) continue;
    if (count === 1) return;
    break;
  }
  for (let c = 0; c < 3; c++) out[c] = point[c] - nearest[c];
  out[3] = Math.sqrt(dotProduct(out, out, 3));
  for (let c = 0; c < 3; c++) out[c] /= out[3];
}

/** Into `nearest`, of all that is behind so many planes. */
function findNearest(point: Float64Array, count: number): void {
  nearest.set(point);
  shares.fill(0);
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < count; i++) {
      const at = 4 * i;
      let outside = -planes[at + 3];
      for (let c = 0; c < 3; c++) outside += planes[at + c] * nearest[c];
      const change = Math.max(-shares[i], outside);
      shares[i] += change;
      for (let c = 0; c < 3; c++) nearest[c] -= change * planes[at + c];
    }
}
