import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { invalid, nonFinite } from "../../src/errors";
import type { Quat, Vec3 } from "../../src/index";
import { finiteNumber as requireFinite, positive as requirePositive } from "../../src/world/rigid/checks";

/** The engine's three numbers of a Babylon vector. */
export function toVec3(v: Vector3): Vec3 {
  return [v.x, v.y, v.z];
}

/** The engine's quaternion (x, y, z, w) of a Babylon quaternion. */
export function toQuat(q: Quaternion): Quat {
  return [q.x, q.y, q.z, q.w];
}

/** @throws PliantError `non-finite` for anything but a vector of finite numbers; `object` names it in the message */
export function requireFiniteVector(object: string, v: Vector3 | null | undefined): void {
  if (!(Number.isFinite(v?.x) && Number.isFinite(v?.y) && Number.isFinite(v?.z)))
    throw nonFinite(object, Array.isArray(v) ? v : v && [v.x, v.y, v.z], "must be a Vector3 of three finite numbers");
}

/** @throws PliantError `non-finite` or `invalid-argument` unless the quaternion is finite and has a direction */
export function requireRotation(object: string, q: Quaternion): void {
  const length = q.length();
  if (!Number.isFinite(length)) throw nonFinite(object, [q.x, q.y, q.z, q.w], "must be four finite numbers");
  if (length < 1e-6) throw invalid(object, [q.x, q.y, q.z, q.w], "must be a quaternion that is not zero");
}

export { requireFinite, requirePositive };

/** @throws PliantError `non-finite` or `invalid-argument` unless `lowest` ≤ value */
export function requireAtLeast(object: string, value: number, lowest: number): void {
  requireFinite(object, value);
  if (value < lowest) throw invalid(object, value, `must be at least ${lowest}`);
}

/** @throws PliantError `non-finite` for NaN; an infinity means no limit */
export function requireNumber(object: string, value: number): void {
  if (typeof value !== "number" || Number.isNaN(value)) throw nonFinite(object, value, "must be a number");
}

/** Rotation vector (axis × angle, radians, the shorter way) that turns orientation `from` into `to`, world axes. */
export function rotationVectorToRef(from: Quaternion, to: Quaternion, result: Vector3): Vector3 {
  const difference = to.multiply(Quaternion.Inverse(from));
  const sign = difference.w < 0 ? -1 : 1;
  const sine = Math.hypot(difference.x, difference.y, difference.z);
  const angle = 2 * Math.atan2(sine, Math.abs(difference.w));
  const scale = sine > 1e-12 ? (sign * angle) / sine : 2 * sign;
  return result.set(difference.x * scale, difference.y * scale, difference.z * scale);
}

/** Turns `rotation` by the rotation vector `omega` × `time` (rad/s × s, world axes), in place; the result has unit length. */
export function integrateRotation(rotation: Quaternion, omega: Vector3, time: number): Quaternion {
  const angle = omega.length() * time;
  const half = angle / 2;
  // sin(half)/|omega| tends to time/2 for slow rotation
  const scale = angle > 1e-12 ? (Math.sin(half) * time) / angle : time / 2;
  const turn = new Quaternion(omega.x * scale, omega.y * scale, omega.z * scale, Math.cos(half));
  turn.multiplyToRef(rotation, rotation);
  return rotation.normalize();
}

/** `vector` turned by `rotation`. */
export function rotated(vector: Vector3, rotation: Quaternion): Vector3 {
  return vector.applyRotationQuaternion(rotation);
}
