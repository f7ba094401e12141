/**
 * Particles that are attached to rigid bodies and links: contacts without bounds, v = 0 in all three directions. As with joints,
 * an iteration takes the error at its end, C(q⁺)/h about the iterate, so that a body that turns leaves none.
 */
import { rotate, rotateBack } from "../../../../collision/shape/pose";
import { type BodyTable, Motion, POSE_SIZE } from "../../motion/bodies";
import type { FemBody } from "../fem-body";
import type { SoftContacts } from "./soft-contacts";

/** Whether the error of an attachment is known at the start of the step alone: bodies that do not yield have no iterates. */
export function isPlanned({ model }: BodyTable, slot: number): boolean {
  return model.motion[slot] < Motion.dynamic;
}

/**
 * The way from the point of the body to the particle, without the way that may be left [m].
 *
 * @param h step [s]
 * @param isFirst whether to take both at the start of the step
 * @param out 3 numbers: changed
 */
export function tieError(
  { state, scratch }: BodyTable,
  { start, velocity }: FemBody,
  { arm, rigid, ties }: SoftContacts,
  c: number,
  h: number,
  isFirst: boolean,
  out: Float64Array,
): void {
  const { node, away } = ties[c]!;
  const pose = isFirst ? scratch.startPose : state.pose;
  const from = POSE_SIZE * rigid[c];
  rotateBack(scratch.startPose, from, arm[3 * c], arm[3 * c + 1], arm[3 * c + 2], out, 0);
  rotate(pose, from, out[0], out[1], out[2], out, 0);
  for (let k = 0; k < 3; k++) {
    const x = start[3 * node + k] + (isFirst ? 0 : h * velocity[3 * node + k]);
    out[k] = x - pose[from + k] - out[k] - away[k];
  }
}

/** Adds the impulse of an attachment in a step to what is known of the frame. */
export function noteTie({ impulse, frame, ties }: SoftContacts, c: number): void {
  const tie = ties[c];
  if (!tie) return;
  for (let d = 0; d < 3; d++)
    for (let k = 0; k < 3; k++) tie.impulse[k] += impulse[3 * c + d] * frame[9 * c + 3 * d + k];
}
