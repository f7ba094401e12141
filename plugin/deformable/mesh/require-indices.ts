import { invalid, outOfRange } from "../../../src/errors";

/**
 * @throws PliantError `index-out-of-range` for anything but a whole number from 0 to below `count`; `invalid-argument`
 * for anything but a list
 */
export function requireIndices(object: string, indices: ArrayLike<number>, count: number, what: string): void {
  if (typeof indices === "function" || typeof indices?.length !== "number")
    throw invalid(object, indices, `must be a list of ${what} indices`);
  for (const index of Array.from(indices))
    if (!(Number.isInteger(index) && index >= 0 && index < count))
      throw outOfRange(object, index, `must be a ${what} index below ${count}`);
}
