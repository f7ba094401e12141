/**
 * Whether a ray meets a box (min, max from place `i` on), by its slabs.
 *
 * @param inverse one over each component of the direction, infinite where it is zero
 */
export function rayMeetsBox(
  boxes: Float64Array,
  i: number,
  start: ArrayLike<number>,
  inverse: Float64Array,
  length: number,
): boolean {
  let enter = 0;
  let leave = length;
  for (let k = 0; k < 3; k++) {
    const low = boxes[i + k] - start[k];
    const high = boxes[i + 3 + k] - start[k];
    if (!Number.isFinite(inverse[k])) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const a = low * inverse[k];
    const b = high * inverse[k];
    // Rounding outwards keeps flat boxes from being missed.
    enter = Math.max(enter, Math.min(a, b) * (1 - 1e-14));
    leave = Math.min(leave, Math.max(a, b) * (1 + 1e-14));
    if (enter > leave) return false;
  }
  return true;
}
