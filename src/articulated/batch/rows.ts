import { checkAllFinite } from "../../checks";
import { invalid } from "../../errors";

/** @throws PliantError unless there are `width` finite numbers, or so many for each of `count` worlds */
export function checkWorldValues(values: ArrayLike<number>, width: number, count: number, object: string): void {
  if (values.length !== width && values.length !== width * count)
    throw invalid(object, values.length, `length must be ${width} or ${width * count}`);
  checkAllFinite(values, object);
}

/**
 * Reorders values from world after world to row after row.
 *
 * @param values `width` numbers shared by all worlds, or worlds × width
 * @throws PliantError for a wrong length or numbers that are not finite
 */
export function rowsOf(
  values: ArrayLike<number>,
  width: number,
  worlds: number,
  object: string,
): Float32Array<ArrayBuffer> {
  checkWorldValues(values, width, worlds, object);
  const stride = values.length === width ? 0 : width;
  const out = new Float32Array(width * worlds);
  for (let w = 0; w < worlds; w++) for (let k = 0; k < width; k++) out[k * worlds + w] = values[w * stride + k];
  return out;
}

/** Reorders `width` rows of a buffer to world after world. */
export function worldsOf(rows: Float32Array, first: number, width: number, worlds: number): Float32Array {
  const out = new Float32Array(width * worlds);
  for (let k = 0; k < width; k++) for (let w = 0; w < worlds; w++) out[w * width + k] = rows[(first + k) * worlds + w];
  return out;
}
