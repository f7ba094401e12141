import type { Box } from "../../../geometry/box";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { FrameInput, PinTable } from "../../deformable";

/**
 * Whether nothing holds a body or may touch it in a frame.
 *
 * @param span a box that holds it to the end of the frame
 * @param thickness that it keeps from obstacles [m]
 */
export function isFree(
  { colliders, pace = 1 }: FrameInput,
  { pinned, range }: PinTable,
  span: () => Box,
  thickness: number,
): boolean {
  if (pace !== 1 || range || pinned.includes(1)) return false;
  return !meets(colliders, span(), 2 * thickness);
}

/** Whether a box is nearer to the box of any obstacle in the frame than a margin [m]. */
export function meets({ bounds, slack, primitiveCount }: ColliderSet, { min, max }: Box, margin: number): boolean {
  for (let k = 0; k < primitiveCount; k++) {
    const reach = margin + slack[k];
    let isNear = true;
    for (let c = 0; c < 3 && isNear; c++)
      isNear = bounds[6 * k + c] <= max[c] + reach && bounds[6 * k + 3 + c] >= min[c] - reach;
    if (isNear) return true;
  }
  return false;
}
