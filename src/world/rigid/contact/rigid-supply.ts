import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import { dot, norm } from "../../../math/vectors";
import type { RigidBody } from "../rigid-body";

/** The parts of a world of rigid bodies that the sum uses. */
interface Suppliers {
  readonly bodies: readonly RigidBody[];
  readonly joints: readonly unknown[];
  readonly linkages: readonly unknown[];
  readonly led: { readonly count: number };
}

/** Velocities before the step [m/s, rad/s]. */
interface Before {
  readonly velocity: Vec3;
  readonly spin: Vec3;
}

/**
 * Energy that rigid bodies may give deformable ones in a frame [J]: all that they have. It is infinite if others may drive them: joints with
 * motors and springs, mechanisms, leaders, moving obstacles.
 *
 * @param before of bodies, before the step of the rigid bodies; undefined for those that deformable bodies do not meet
 */
export function rigidSupply(rigid: Suppliers, before: (body: RigidBody) => Before | undefined): number {
  if (rigid.joints.length > 0 || rigid.linkages.length > 0 || rigid.led.count > 0) return Infinity;
  let sum = 0;
  for (const body of rigid.bodies) {
    const { motion, linearVelocity, angularVelocity } = body;
    if (motion === "static") continue;
    if (motion !== "dynamic") {
      if (norm(linearVelocity) + norm(angularVelocity) > 0) return Infinity;
      continue;
    }
    const first = before(body);
    const now = kineticEnergy(body, linearVelocity, angularVelocity);
    sum += first ? Math.max(now, kineticEnergy(body, first.velocity, first.spin)) : now;
  }
  return sum;
}

function kineticEnergy({ mass, massProperties, rotation }: RigidBody, v: Vec3, w: Vec3): number {
  const { inertia, inertiaRotation } = massProperties;
  let sum = 0.5 * mass * dot(v, v);
  for (let k = 0; k < 3; k++) {
    const axis = turn(rotation, turn(inertiaRotation, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]));
    const rate = dot(axis, w);
    if (rate !== 0) sum += 0.5 * inertia[k] * rate * rate;
  }
  return sum;
}
