import { PliantError } from "../../../src/errors";

/** @throws PliantError `index-out-of-range` for anything but a whole number from 0 to below `count` */
export function requireIndices(object: string, indices: ArrayLike<number>, count: number, what: string): void {
  for (const index of Array.from(indices))
    if (!(Number.isInteger(index) && index >= 0 && index < count))
      throw new PliantError("index-out-of-range", object, index, `must be a ${what} index below ${count}`);
}
