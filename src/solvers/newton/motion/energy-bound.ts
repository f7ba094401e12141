/** Constraints that are not driven add no energy: any gain is an error of the step. */

import { Motion, TWIST_SIZE } from "./bodies";
import type { IslandSystem } from "../island/island-system";
import { invert } from "../linear/sparse";
import { rowSpeed } from "../contact/rows";

/** Largest trusted kinetic energy after a step, relative to that before constraints acted, or of a body before its momentum was kept. */
export const TRUSTED_GAIN = 1.02;
/** Speed [m/s], times the pace of the island, that counts as zero. */
const NO_SPEED = 1e-3;
/** Ratio of squared speeds after and before a step above which the energy is checked: a lever reaches as much. */
const FASTER = 4;

/**
 * Call after a step: reduces velocities of the selected island to the energy that its bodies had before constraints
 * acted. An unattached island keeps its momentum.
 *
 * @param work additional work on the island, its first number [J]
 * @param velocity velocities to reduce, TWIST_SIZE a body; default those of the state
 * @returns whether the energy was larger
 */
export function boundEnergy(system: IslandSystem, work = NO_WORK, velocity = system.bodies.state.velocity): boolean {
  const { scratch } = system.bodies;
  const isFree = !touches(system, scratch.inverseMass, 0);
  if (isFree) {
    meanVelocity(system, velocity, mean);
    shift(system, velocity, mean, -1);
    shift(system, scratch.freeVelocity, mean, -1);
  }
  sums[0] = 0;
  addEnergy(system, scratch.freeVelocity, sums);
  addSlowEnergy(system, false, sums);
  const before = sums[0] + work[0];
  sums[0] = 0;
  addEnergy(system, velocity, sums);
  const gain = sums[0] / before;
  if (gain > TRUSTED_GAIN) scaleVelocities(system, 1 / Math.sqrt(gain), velocity);
  if (isFree) {
    shift(system, velocity, mean, 1);
    shift(system, scratch.freeVelocity, mean, 1);
  }
  return gain > TRUSTED_GAIN;
}

/** The same for an island that only contacts hold, without contact with a body that is moved from outside. */
export function boundContactEnergy(system: IslandSystem): void {
  if (isMuchFaster(system, system.bodies.state.velocity, false)) boundEnergy(system);
}

/**
 * The same before bodies move, for the velocities of that motion, which include the removal of overlaps.
 *
 * @returns whether the velocities were too large
 */
export function boundContactMotion(system: IslandSystem): boolean {
  const { velocity } = system.bodies.scratch;
  if (!isMuchFaster(system, velocity, true)) return false;
  push[0] = 0;
  addSlowEnergy(system, true, push);
  return boundEnergy(system, push, velocity);
}

/**
 * Call after poses are updated and the push is taken out of velocities. `sums` becomes their energy, and that of the start of the step with
 * the work of forces on the way [J].
 *
 * @param moved velocities of the motion, TWIST_SIZE a body
 * @returns whether they have more than was there, so that the push may still be in them
 */
export function hasGained(system: IslandSystem, moved: Float64Array): boolean {
  const { bodies, bodyList, firstBody, bodyCount } = system;
  const { velocity, freeVelocity, inverseMass } = bodies.scratch;
  sums[0] = 0;
  addEnergy(system, freeVelocity, sums);
  addSlowEnergy(system, false, sums);
  // Forces do no work on the part of the free motion that did not take place, and what the push lifted keeps its speed.
  let there = sums[0];
  let work = 0;
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const at = TWIST_SIZE * bodyList[k];
    const mass = 1 / inverseMass[bodyList[k]];
    for (let i = at; i < at + 3 && mass < Infinity; i++) {
      const [from, to] = [bodies.state.velocity[i], freeVelocity[i]];
      there -= 0.5 * mass * (to * to - from * from);
      work += mass * (to - from) * moved[i];
    }
  }
  sums[0] = 0;
  addEnergy(system, velocity, sums);
  sums[1] = there + Math.max(0, work);
  return sums[0] > sums[1] && !isMovedFromOutside(system);
}

/**
 * Reduces them to what was there. A body that spins leaves the points where it was touched in a step: without this the relaxed contacts let
 * it fall where it stood, with its load, faster each time. An unattached island keeps its momentum.
 */
export function boundRelaxed(system: IslandSystem, moved: Float64Array): void {
  const { velocity, inverseMass } = system.bodies.scratch;
  if (!hasGained(system, moved)) return;
  const gain = sums[0] - sums[1];
  const isFree = !touches(system, inverseMass, 0);
  if (isFree) {
    meanVelocity(system, velocity, mean);
    shift(system, velocity, mean, -1);
    sums[0] = 0;
    addEnergy(system, velocity, sums);
  }
  scaleVelocities(system, Math.sqrt(Math.max(0, 1 - gain / sums[0])), velocity);
  if (isFree) shift(system, velocity, mean, 1);
}

/** Largest speed at which overlapping bodies of an island are pushed apart [m/s]. */
function pushSpeed({ contacts, firstContact, contactCount }: IslandSystem): number {
  let speed = 0;
  for (let c = firstContact; c < firstContact + contactCount; c++) speed = Math.max(speed, -contacts.bias[c]);
  return speed;
}

/** Whether a body is so much faster than all bodies were, and than a push explains, that its energy needs a check. */
function isMuchFaster(system: IslandSystem, velocity: Float64Array, isPushed: boolean): boolean {
  const { bodies, bodyList, firstBody, bodyCount } = system;
  const push = isPushed ? pushSpeed(system) : 0;
  let before = 0;
  let after = 0;
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const at = TWIST_SIZE * bodyList[k];
    before = Math.max(before, squared(bodies.scratch.freeVelocity, at));
    after = Math.max(after, squared(velocity, at));
  }
  const none = NO_SPEED * system.pace;
  return after > FASTER * (before + none * none + push * push) && !isMovedFromOutside(system);
}

/**
 * Writes the work of motors and springs in a step to `out[0]` [J]: Σ p · ½ J (ũ + u) over their rows, 0 if they remove energy. Over all
 * rows, that sum is the energy gain of the island, so joints, limits and contacts must add nothing to it. Infinity if a body
 * that is moved from outside holds or touches the island.
 *
 * @param numbers number of components of a twist that count: 6, or the 3 of the linear velocity
 */
export function drivenWork(system: IslandSystem, numbers: 3 | 6, out: Float64Array): void {
  const { rows, bodies, firstRow, rowCount } = system;
  const { velocity, freeVelocity } = bodies.scratch;
  let work = isMovedFromOutside(system) ? Infinity : 0;
  for (let r = firstRow; r < firstRow + rowCount; r++)
    if (work < Infinity && !rows.isRigid(r))
      work += 0.5 * rows.impulse[r] * (rowSpeed(rows, r, freeVelocity, numbers) + rowSpeed(rows, r, velocity, numbers));
  out[0] = Math.max(0, work);
}

function isMovedFromOutside(system: IslandSystem): boolean {
  return touches(system, system.bodies.model.motion, Motion.kinematic);
}

/** Whether any contact or joint of the island involves a body whose number in a list is this one. */
function touches(
  { contacts, rows, firstContact, contactCount, firstRow, rowCount }: IslandSystem,
  of: ArrayLike<number>,
  value: number,
): boolean {
  for (let c = firstContact; c < firstContact + contactCount; c++)
    if (of[contacts.bodyA[c]] === value || of[contacts.bodyB[c]] === value) return true;
  for (let r = firstRow; r < firstRow + rowCount; r++)
    if (of[rows.bodyA[r]] === value || of[rows.bodyB[r]] === value) return true;
  return false;
}

export function scaleVelocities(
  { bodies, bodyList, firstBody, bodyCount }: IslandSystem,
  scale: number,
  velocity = bodies.state.velocity,
): void {
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const slot = bodyList[k];
    if (bodies.scratch.inverseMass[slot] === 0) continue;
    for (let i = TWIST_SIZE * slot; i < TWIST_SIZE * (slot + 1); i++) velocity[i] *= scale;
  }
}

function meanVelocity(
  { bodies, bodyList, firstBody, bodyCount }: IslandSystem,
  velocity: Float64Array,
  out: Float64Array,
): void {
  let total = 0;
  out.fill(0);
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const mass = 1 / bodies.scratch.inverseMass[bodyList[k]];
    total += mass;
    for (let i = 0; i < 3; i++) out[i] += mass * velocity[TWIST_SIZE * bodyList[k] + i];
  }
  for (let i = 0; i < 3; i++) out[i] /= total;
}

/** Adds a multiple of w to the linear velocities of the island's bodies. */
function shift(system: IslandSystem, v: Float64Array, w: Float64Array, factor: number): void {
  for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++)
    for (let i = 0; i < 3; i++) v[TWIST_SIZE * system.bodyList[k] + i] += factor * w[i];
}

/** Adds the kinetic energy of the island's bodies to `out[0]` [J], as the other two do: numbers that functions return take memory. */
export function addEnergy(system: IslandSystem, v: Float64Array, out: Float64Array): void {
  const { bodies, bodyList, firstBody, bodyCount } = system;
  const { inverseMass, worldInverseInertia } = bodies.scratch;
  linear[0] = 0;
  addLinearEnergy(system, v, linear);
  let energy = linear[0];
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const slot = bodyList[k];
    if (inverseMass[slot] === 0) continue;
    invert(worldInverseInertia, 6 * slot, inertia);
    const at = TWIST_SIZE * slot + 3;
    const x = v[at];
    const y = v[at + 1];
    const z = v[at + 2];
    energy += 0.5 * (inertia[0] * x * x + inertia[3] * y * y + inertia[5] * z * z);
    energy += inertia[1] * x * y + inertia[2] * x * z + inertia[4] * y * z;
  }
  out[0] += energy;
}

/** Kinetic energy of the island's bodies, without that of their rotation. */
export function addLinearEnergy(
  { bodies, bodyList, firstBody, bodyCount }: IslandSystem,
  v: Float64Array,
  out: Float64Array,
): void {
  let energy = 0;
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const at = TWIST_SIZE * bodyList[k];
    const mass = 1 / bodies.scratch.inverseMass[bodyList[k]];
    if (mass < Infinity) energy += 0.5 * mass * squared(v, at);
  }
  out[0] += energy;
}

/** Kinetic energy of the island's bodies if all moved at the speed that counts as zero, or at which overlapping bodies are pushed apart. */
export function addSlowEnergy(system: IslandSystem, isPushed: boolean, out: Float64Array): void {
  const { bodies, bodyList, firstBody, bodyCount } = system;
  const speed = isPushed ? pushSpeed(system) : NO_SPEED * system.pace;
  let mass = 0;
  for (let k = firstBody; k < firstBody + bodyCount; k++) {
    const inverse = bodies.scratch.inverseMass[bodyList[k]];
    if (inverse > 0) mass += 1 / inverse;
  }
  out[0] += 0.5 * mass * speed * speed;
}

const NO_WORK = new Float64Array(1);
const sums = new Float64Array(2);
const linear = new Float64Array(1);
const push = new Float64Array(1);

const inertia = new Float64Array(6);
const mean = new Float64Array(3);

export function squared(v: ArrayLike<number>, at: number): number {
  return v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2];
}
