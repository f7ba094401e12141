import { PliantError } from "./errors";

/** @throws PliantError `non-finite` unless a number is finite */
export function checkFinite(value: number, object: string): void {
  if (!Number.isFinite(value)) throw new PliantError("non-finite", object, value, "must be finite");
}

/** @throws PliantError `non-finite` that names the first number of a list that is not finite */
export function checkAllFinite(values: ArrayLike<number>, object: string): void {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) checkFinite(values[i], `${object}[${i}]`);
}
