import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { CharacterSettings } from "./settings";

/**
 * Velocity along a surface toward a desired one. In the frame of the surface (f forward, s to the side, n its normal)
 * the desired velocity has the given components along `forward` and to the side, and the given length. The part
 * `acceleration` of the missing velocity is added, but no more than `maxAcceleration` allows.
 *
 * @returns false, with `result` unchanged, if `forward` is along `up`
 */
export function movementToRef(
  { acceleration, maxAcceleration }: Pick<CharacterSettings, "acceleration" | "maxAcceleration">,
  time: number,
  forward: Vector3,
  surfaceNormal: Vector3,
  velocity: Vector3,
  surfaceVelocity: Vector3,
  desired: Vector3,
  up: Vector3,
  result: Vector3,
): boolean {
  const sideways = up.cross(forward);
  if (sideways.lengthSquared() < 1e-5) return false;
  // along the surface: forward and to the side
  const f = surfaceNormal.cross(sideways).scaleInPlace(-1).normalize();
  const s = surfaceNormal.cross(f).normalize();
  const ahead = desired.dot(forward);
  const aside = desired.dot(sideways);
  const size = Math.hypot(ahead, aside);
  const scale = size > 0 ? desired.length() / size : 0;
  const wanted = f.scale(ahead * scale).addInPlace(s.scale(aside * scale));
  const relative = velocity.subtract(surfaceVelocity);
  const missing = wanted.subtractInPlace(relative);
  const most = maxAcceleration * time;
  const length = missing.length();
  missing.scaleInPlace(length * acceleration > most ? most / length : acceleration);
  result.copyFrom(relative.addInPlace(missing).addInPlace(surfaceVelocity));
  return true;
}
