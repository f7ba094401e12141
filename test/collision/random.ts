import type { Quat, Vec3 } from "../../src/math/types";

export { mulberry as random, RandomGeometry } from "../../samples/random";

/** The rotation by an angle [rad] around a unit axis. */
export function rotationAround(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}
