import type { RigidDynamics } from "../../solvers/newton/dynamics";
import { TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { BodySlots } from "./body-slots";
import { conjugate, product, rotationVector, turn } from "../../math/quaternions";

/** Gives kinematic bodies the velocities that take them to their targets. */
export function aim(slots: BodySlots, dynamics: RigidDynamics, dt: number): void {
  const { awake, awakeCount } = dynamics.bodies;
  for (let k = 0; k < awakeCount; k++) {
    const body = slots.bodies[awake[k]];
    const { target } = body.record;
    if (!target) continue;
    const at = TWIST_SIZE * body.record.slot;
    const v = dynamics.bodies.state.velocity;
    const arm = turn(target.rotation, body.record.mass.centerOfMass);
    const from = body.centerOfMass;
    for (let i = 0; i < 3; i++) v[at + i] = (target.position[i] + arm[i] - from[i]) / dt;
    const spin = rotationVector(product(target.rotation, conjugate(body.rotation)));
    for (let i = 0; i < 3; i++) v[at + 3 + i] = spin[i] / dt;
  }
}

/**
 * Puts kinematic bodies at their targets. They stand still there until they get other targets.
 *
 * @param finder is told of each of these bodies
 */
export function settleTargets(slots: BodySlots, dynamics: RigidDynamics, finder?: { moved(slot: number): void }): void {
  const { awake, awakeCount } = dynamics.bodies;
  for (let k = 0; k < awakeCount; k++) {
    const body = slots.bodies[awake[k]];
    const { target } = body.record;
    if (!target) continue;
    slots.writePose(body, target.position, target.rotation);
    finder?.moved(body.record.slot);
    body.record.target = undefined;
    const at = TWIST_SIZE * body.record.slot;
    dynamics.bodies.state.velocity.fill(0, at, at + TWIST_SIZE);
  }
}
