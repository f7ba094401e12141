/**
 * Limit of the energy that guests gain by a meeting. Their answer to impulses is linear: where these turn a body far in a frame, or crush it, the answer
 * would draw it out, and contact would give energy. Then the guests take only a part of the answer, all the same one, so that momentum
 * stays what it was.
 */
import { massOf } from "../../solvers/mass";
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
 * The part of their answers with which guests have no more energy than without, or than at the start of the frame, in [0, 1]. In the frame
 * after a blow bodies still have what it stored, but their own steps, which expect a part of the blow again, may have lost much of that, or
 * gained some. Judged by these steps alone, the rest of the blow was held for a gain, and a part of it let one body into the other. So the
 * work of what they expect does not count.
 *
 * @param ways answers: changes of velocity, and by it of the places after the frame [m/s]
 * @param pushes forces of guests on each other in their own steps [N]
 */
export function sharePermitted(
  guests: readonly Guest[],
  ways: readonly Float64Array[],
  pushes: readonly Float64Array[],
  frame: FrameInput,
  grain: number,
): number {
  const slow = Math.max(norm(frame.gravity) * frame.dt, PARTING_SPEED * grain);
  const mass = guests.reduce((sum, { model }) => sum + massOf(model), 0);
  const own = guests.map(({ state }) => state.positions.slice());
  const sum = (of: (guest: Guest, g: number) => number): number => guests.reduce((s, guest, g) => s + of(guest, g), 0);
  const energyAt = (share: number): number =>
    sum((guest, g) => {
      const { positions } = guest.state;
      for (let i = 0; i < positions.length; i++) positions[i] = own[g][i] + share * frame.dt * ways[g][i];
      const moving = kineticEnergy(guest.model.masses, guest.state.velocities, ways[g], share);
      return moving + guest.elasticEnergy() + lift(guest, own[g], frame);
    });
  const energyAtStart = (): number =>
    sum((guest, g) => {
      guest.state.positions.set(guest.start);
      return (
        kineticEnergy(guest.model.masses, guest.startVelocities) + guest.elasticEnergy() + lift(guest, own[g], frame)
      );
    });
  const most = (energy: number): number => (1 + GAIN) * energy + mass * slow * slow;
  const whole = energyAt(1);
  let [low, high] = [0, 1];
  let limit = most(energyAt(0) - sum((guest, g) => workOf(pushes[g], guest)));
  if (whole > limit) limit = Math.max(limit, most(energyAtStart()));
  if (whole <= limit) low = 1;
  else
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      if (energyAt(middle) <= limit) low = middle;
      else high = middle;
    }
  guests.forEach(({ state }, g) => state.positions.set(own[g]));
  return low;
}

/** Energy of velocities, with a part of some changes [J]. */
function kineticEnergy(masses: Float64Array, velocities: Float64Array, change?: Float64Array, share = 0): number {
  let sum = 0;
  for (let i = 0; i < velocities.length; i++) {
    const v = velocities[i] + (change ? share * change[i] : 0);
    sum += 0.5 * masses[Math.floor(i / 3)] * v * v;
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

/** Work of forces in a guest's own step [J]. */
function workOf(push: Float64Array, { start, state }: Guest): number {
  return push.reduce((sum, force, i) => sum + force * (state.positions[i] - start[i]), 0);
}
