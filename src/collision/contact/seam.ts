/**
 * Seams of obstacles: boards of a floor, boxes side by side, parts of a shape. The edge of one that another one covers is no edge, but the
 * distance to it looks from its side at what comes over the other one, and would stop it.
 *
 *     e   point of obstacle k that a body meets, n the normal there
 *     covered: e lies on or in another obstacle j, and n runs into j
 *     then the normal of k at e + t m, with the normal m of j a little above e, is the one that a body feels, if it goes on from m.
 *     Round surfaces have no edges
 */
import { type Primitive, PrimitiveKind } from "../distance/primitives";
import { distanceAt } from "../distance/signed-distance";
import { rotateAt, toFrame } from "../shape/pose";
import { dotProduct } from "../../math/dense";

/** A primitive at its place in the world, see collision/shape/pose.ts. */
export interface PlacedPart {
  primitive: Primitive;
  poses: Float64Array;
}

/** Part of the way above that a direction gets away from an obstacle if it does not run into it. */
const HIDDEN = 0.999999;
/** Cosine of the largest angle between normals that count as equal. */
const SAME = 0.9999999;
/** Cosine of the steepest kink over which a body is carried at a seam. */
const GOES_ON = 0.5;

const a = new Float64Array(3);
const place = new Float64Array(3);
const across = new Float64Array(4);
const found = new Float64Array(4);

/**
 * @param e point of `own` in the world [m], and `n` the normal there
 * @param covered how far apart obstacles may be at a seam [m]
 * @param above how far above it normals are looked for [m]
 * @param out receives the normal of `own` that a body feels, and a point of it with that normal: six numbers
 * @returns whether it is another one than n
 */
export function seamNormal(
  own: PlacedPart,
  other: PlacedPart,
  e: Float64Array,
  n: Float64Array,
  covered: number,
  above: number,
  out: Float64Array,
): boolean {
  const { kind } = own.primitive;
  if (kind === PrimitiveKind.sphere || kind === PrimitiveKind.capsule) return false;
  worldDistance(other, e, across);
  if (across[3] > covered) return false;
  for (let d = 0; d < 3; d++) a[d] = e[d] + above * n[d];
  worldDistance(other, a, across);
  if (across[3] >= HIDDEN * above) return false;
  for (let d = 0; d < 3; d++) a[d] = e[d] + above * across[d];
  worldDistance(own, a, found);
  if (dotProduct(found, n, 3) >= SAME || dotProduct(found, across, 3) < GOES_ON) return false;
  for (let d = 0; d < 3; d++) {
    out[d] = found[d]!;
    out[3 + d] = a[d] - found[3] * found[d];
  }
  return true;
}

/** Normal and distance of a point from a part, in the world, into four numbers. */
export function worldDistance({ primitive, poses }: PlacedPart, point: Float64Array, out: Float64Array): void {
  toFrame(poses, 0, point, 0, place, 0);
  distanceAt(primitive, place, 0, out);
  rotateAt(poses, 0, out, 0, out, 0);
}
