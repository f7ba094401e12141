import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import { dot, norm } from "../../../math/vectors";
import { JointAxis } from "../../../solvers/newton/joints/axis";
import type { RigidBody } from "../rigid-body";
import type { RigidJoint } from "../rigid-joint";

/** The parts of a world of rigid bodies that the sum uses. */
interface Suppliers {
  readonly bodies: readonly RigidBody[];
  readonly joints: readonly RigidJoint[];
  readonly linkages: readonly unknown[];
  readonly led: { readonly count: number };
}

/** Velocities before the step [m/s, rad/s]. */
interface Before {
  readonly velocity: Vec3;
  readonly spin: Vec3;
}

/**
 * Energy that rigid bodies may give deformable ones in a frame [J]: all that they have, and what motors of hinges give them. It is infinite if
 * others may drive them: joints with other motors and springs, mechanisms, leaders, moving obstacles.
 *
 * @param dt of the frame [s]
 * @param before of bodies, before the step of the rigid bodies; undefined for those that deformable bodies do not meet
 */
export function rigidSupply(rigid: Suppliers, before: (body: RigidBody) => Before | undefined, dt: number): number {
  if (rigid.linkages.length > 0 || rigid.led.count > 0) return Infinity;
  let sum = rigid.joints.reduce((given, joint) => given + dt * powerOf(joint), 0);
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

/** Most power of a joint [W]. */
function powerOf({ isEnabled, data, bodyA, bodyB }: RigidJoint): number {
  let sum = 0;
  data.axes.forEach(({ motor, maxForce, stiffness, target }, axis) => {
    if (!isEnabled || (motor === "none" && stiffness === 0)) return;
    const isTurn = axis >= JointAxis.angularX && axis <= JointAxis.angularZ;
    const isDriven = motor === "velocity" && stiffness === 0 && maxForce < Infinity && isTurn;
    if (!isDriven) sum = Infinity;
    else sum += maxForce * (norm(bodyA.angularVelocity) + norm(bodyB.angularVelocity) + Math.abs(target));
  });
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
