import type { Box } from "../../../geometry/box";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { FrameInput, PinTable } from "../../deformable";

/**
 * Whether nothing holds a body or may touch it in a frame.
 *
 * @param span a box that holds it to the end of the frame
 * @param thickness that it keeps from obstacles [m]
 * @param feels whether rigid bodies may touch it that yield
 */
export function isFree(
  { colliders, pace = 1 }: FrameInput,
  { pinned, range }: PinTable,
  span: () => Box,
  thickness: number,
  feels = false,
): boolean {
  if (pace !== 1 || range || pinned.includes(1)) return false;
  return !meets(colliders, span(), 2 * thickness, feels);
}

/**
 * Whether a box is nearer to the box of any obstacle in the frame than a margin [m].
 *
 * @param feels rigid bodies that yield are none
 */
export function meets(
  { bounds, slack, primitiveCount, proxyOf }: ColliderSet,
  { min, max }: Box,
  margin: number,
  feels = false,
): boolean {
  for (let k = 0; k < primitiveCount; k++) {
    if (feels && proxyOf[k] >= 0) continue;
    const reach = margin + slack[k];
    let isNear = true;
    for (let c = 0; c < 3 && isNear; c++)
      isNear = bounds[6 * k + c] <= max[c] + reach && bounds[6 * k + 3 + c] >= min[c] - reach;
    if (isNear) return true;
  }
  return false;
}
