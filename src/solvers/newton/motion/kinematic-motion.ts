/** The step from a velocity to a pose, and the motion of kinematic bodies. */

import { type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "./bodies";
import { turnQuaternion } from "./rotation";

/** (50): the pose at the end of the step for the velocity in the scratch. */
export function advance(bodies: BodyTable, slot: number, h: number): void {
  const { state, scratch, model } = bodies;
  const pose = POSE_SIZE * slot;
  const twist = TWIST_SIZE * slot;
  const u = scratch.velocity;
  const offset = scratch.spinOffset;
  for (let i = 0; i < 3; i++) state.pose[pose + i] = scratch.startPose[pose + i] + h * u[twist + i];
  if (model.inertia[3 * slot] === 0 && model.motion[slot] === Motion.dynamic) return;
  for (let i = 0; i < 3; i++) turn[i] = h * (u[twist + 3 + i] + offset[3 * slot + i]);
  turnQuaternion(scratch.startPose, pose + 3, turn, state.pose, pose + 3);
}

const turn = new Float64Array(3);

/** Moves a kinematic body by its prescribed velocity, ignoring any changes of the solver's copy by constraints. */
export function advanceKinematic(bodies: BodyTable, slot: number, h: number): void {
  const { state, scratch } = bodies;
  for (let i = TWIST_SIZE * slot; i < TWIST_SIZE * slot + TWIST_SIZE; i++) scratch.velocity[i] = state.velocity[i];
  advance(bodies, slot, h);
}

/** Steps a kinematic body that `predict` did not prepare. */
export function moveKinematic(bodies: BodyTable, slot: number, h: number): void {
  const { state, scratch } = bodies;
  for (let i = POSE_SIZE * slot; i < POSE_SIZE * slot + POSE_SIZE; i++) scratch.startPose[i] = state.pose[i];
  scratch.spinOffset.fill(0, 3 * slot, 3 * slot + 3);
  advanceKinematic(bodies, slot, h);
}
