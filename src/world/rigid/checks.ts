import { checkList } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import type { Quat, Vec3 } from "../../math/types";

/** @throws PliantError `non-finite` */
export function finiteNumber(object: string, value: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw nonFinite(object, value, "must be a finite number");
  return value;
}

/** @throws PliantError `non-finite`, or `invalid-argument` below zero */
export function notNegative(object: string, value: number): number {
  finiteNumber(object, value);
  if (value < 0) throw invalid(object, value, "must not be negative");
  return value;
}

/** @throws PliantError `non-finite`, or `invalid-argument` for zero or less */
export function positive(object: string, value: number): number {
  finiteNumber(object, value);
  if (value <= 0) throw invalid(object, value, "must be positive");
  return value;
}

/** @throws PliantError unless the value is three finite numbers */
export function finiteVector(object: string, value: Vec3): Vec3 {
  checkList(value, object);
  if (value.length !== 3) throw invalid(object, value, "must be three numbers");
  if (!value.every(Number.isFinite)) throw nonFinite(object, value, "must be finite");
  return value;
}

/** The quaternion at unit length. @throws PliantError unless the value is four finite numbers, not all of them zero */
export function finiteQuat(object: string, value: Quat): Quat {
  checkList(value, object);
  if (value.length !== 4) throw invalid(object, value, "must be four numbers");
  if (!value.every(Number.isFinite)) throw nonFinite(object, value, "must be finite");
  const [x, y, z, w] = value;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 1e-6)) throw invalid(object, value, "must be a quaternion that is not zero");
  return [x / length, y / length, z / length, w / length];
}
