import { invalid, nonFinite } from "./errors";

/** @throws PliantError `non-finite` unless a number is finite */
export function checkFinite(value: number, object: string): void {
  if (!Number.isFinite(value)) throw nonFinite(object, value, "must be finite");
}

/** @throws PliantError `invalid-argument` unless a number is finite and above zero */
export function checkPositive(value: number, object: string): void {
  if (!(value > 0 && value < Infinity)) throw invalid(object, value, "must be positive");
}

/** @throws PliantError `invalid-argument` unless a number is finite and not below zero */
export function checkNotNegative(value: number, object: string): void {
  if (!(value >= 0 && value < Infinity)) throw invalid(object, value, "must not be negative");
}

/** Plain JavaScript may leave out what types require. @throws PliantError `invalid-argument` unless the value is an array */
export function checkList(value: ArrayLike<unknown>, object: string): void {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
  if (!isList) throw invalid(object, value, "must be a list");
}

/** @throws PliantError `non-finite` that names the first number of a list that is not finite */
export function checkAllFinite(values: ArrayLike<number>, object: string): void {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) checkFinite(values[i], `${object}[${i}]`);
}

/** As `checkAllFinite` of coordinates, three numbers each: names the point, as in `cloth vertex 7`. */
export function checkPoints(values: ArrayLike<number>, object: string): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) checkFinite(values[i], `${object} ${Math.floor(i / 3)}`);
}
