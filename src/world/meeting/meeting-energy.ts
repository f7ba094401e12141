/**
 * Limit of the energy that guests gain by a meeting. Their answer to impulses is linear: where these turn a body far in a frame, or crush it, the answer
 * would draw it out, and contact would give energy. Then the guests take only a part of the answer, all the same one, so that momentum
 * stays what it was.
 */
import { norm } from "../../math/vectors";
import type { FrameInput } from "../../solvers/deformable";
import type { Guest } from "../../solvers/guest";

/** Part of the energy that there is by which a frame may gain. */
const GAIN = 0.02;
/** Bodies that begin in one another may part as slowly as this [m/s], times the grain. */
const PARTING_SPEED = 0.1;
/** Halvings that find the part. */
const HALVINGS = 12;

/**
 * The part of their answers with which guests have no more energy than without, in [0, 1].
 *
 * @param ways answers: changes of velocity, and by it of the places after the frame [m/s]
 */
export function sharePermitted(
  guests: readonly Guest[],
  ways: readonly Float64Array[],
  frame: FrameInput,
  grain: number,
): number {
  const slow = Math.max(norm(frame.gravity) * frame.dt, PARTING_SPEED * grain);
  let [before, mass] = [0, 0];
  for (const guest of guests) {
    before += kineticEnergy(guest, undefined, 0) + guest.elasticEnergy();
    mass += guest.model.masses.reduce((sum, m) => sum + m, 0);
  }
  const most = (1 + GAIN) * before + mass * slow * slow;
  const own = guests.map(({ state }) => state.positions.slice());
  const isKept = (share: number): boolean => {
    let sum = 0;
    guests.forEach((guest, g) => {
      const { positions } = guest.state;
      for (let i = 0; i < positions.length; i++) positions[i] = own[g][i] + share * frame.dt * ways[g][i];
      sum += kineticEnergy(guest, ways[g], share) + guest.elasticEnergy() + lift(guest, own[g], frame);
    });
    return sum <= most;
  };
  let [low, high] = [0, 1];
  if (isKept(1)) low = 1;
  else
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      if (isKept(middle)) low = middle;
      else high = middle;
    }
  guests.forEach(({ state }, g) => state.positions.set(own[g]));
  return low;
}

/** Energy of the velocities with a part of some changes [J]. */
function kineticEnergy({ model, state }: Guest, change: Float64Array | undefined, share: number): number {
  let sum = 0;
  for (let i = 0; i < state.velocities.length; i++) {
    const v = state.velocities[i] + (change ? share * change[i] : 0);
    sum += 0.5 * model.masses[Math.floor(i / 3)] * v * v;
  }
  return sum;
}

/** Potential energy of gravity that a guest gained [J]. */
function lift({ model, state }: Guest, from: Float64Array, { gravity }: FrameInput): number {
  let sum = 0;
  for (let i = 0; i < from.length; i++)
    sum -= model.masses[Math.floor(i / 3)] * gravity[i % 3] * (state.positions[i] - from[i]);
  return sum;
}
