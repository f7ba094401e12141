import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { type BodyState, type BodyTable, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { PairList } from "../../../solvers/newton/contact/pairs";
import { combine } from "../../../collision/obstacles/combine";
import { finer } from "../../../solvers/newton/scale";
import type { BodySurface } from "../body-options";
import type { RigidBody } from "../rigid-body";

/**
 * Surfaces that slide slower than this [m/s], times the pace of the bodies, stick to each other, and their static
 * friction counts.
 */
const STICKING = 0.01;

/**
 * Adds two bodies to the list, with their contacts, which begin at `first`. Parts of a body may differ in friction and
 * in their collision masks. Then contacts of parts that do not collide are removed from the buffer, and each stretch of
 * contacts of one friction gets an entry. Contacts of two parts lie side by side in the buffer.
 */
export function addPair(
  pairs: PairList,
  contacts: ContactBuffer,
  table: BodyTable,
  bodies: readonly RigidBody[],
  slotA: number,
  slotB: number,
  first: number,
): void {
  const { state, model } = table;
  const a = bodies[slotA];
  const b = bodies[slotB];
  const partsA = a.options.surfaces;
  const partsB = b.options.surfaces;
  if (!partsA && !partsB) {
    const k = pairs.add(slotA, slotB, first, contacts.count, a.options.isTrigger || b.options.isTrigger);
    writeFriction(pairs, contacts, table, bodies, k);
    combineRestitution(a.options, b.options, a.options, b.options);
    pairs.restitution[k] = both[0];
    return;
  }
  const end = contacts.count;
  const pace = model.pace[finer(model, slotA, slotB)];
  let kept = first;
  let entry = -1;
  for (let c = first; c < end; c++) {
    const onA = partsA?.[contacts.partA[c]] ?? a.options;
    const onB = partsB?.[contacts.partB[c]] ?? b.options;
    if (!meet(onA, onB, a, b)) continue;
    contacts.move(c, kept++);
    const isSensor = (onA.isTrigger ?? a.options.isTrigger) || (onB.isTrigger ?? b.options.isTrigger);
    const sticks = hasStaticFriction(onA, onB) && slideSpeed(contacts, kept - 1, state, slotA, slotB) < STICKING * pace;
    combineFriction(onA, onB, a.options, b.options, sticks);
    const friction = both[0];
    combineRestitution(onA, onB, a.options, b.options);
    const restitution = both[0];
    const goesOn =
      entry >= 0 &&
      pairs.friction[entry] === friction &&
      pairs.restitution[entry] === restitution &&
      pairs.isSensor[entry] === (isSensor ? 1 : 0);
    if (!goesOn) {
      entry = pairs.add(slotA, slotB, kept - 1, kept, isSensor);
      pairs.friction[entry] = friction;
      pairs.restitution[entry] = restitution;
    }
    pairs.end[entry] = kept;
  }
  contacts.count = kept;
}

/** Writes the friction of an entry, which depends on the way that bodies slide at its first contact. */
export function writeFriction(
  pairs: PairList,
  contacts: ContactBuffer,
  { state, model }: BodyTable,
  bodies: readonly RigidBody[],
  k: number,
): void {
  const slotA = pairs.bodyA[k];
  const slotB = pairs.bodyB[k];
  const { options: a } = bodies[slotA];
  const { options: b } = bodies[slotB];
  const c = pairs.first[k];
  const onA = a.surfaces?.[contacts.partA[c]] ?? a;
  const onB = b.surfaces?.[contacts.partB[c]] ?? b;
  const sticks =
    hasStaticFriction(onA, onB) &&
    slideSpeed(contacts, c, state, slotA, slotB) < STICKING * model.pace[finer(model, slotA, slotB)];
  combineFriction(onA, onB, a, b, sticks);
  pairs.friction[k] = both[0];
}

/** Whether each part is a member of the set that the other collides with. */
function meet(onA: Partial<BodySurface>, onB: Partial<BodySurface>, a: RigidBody, b: RigidBody): boolean {
  const memberA = onA.membership ?? a.options.membership;
  const memberB = onB.membership ?? b.options.membership;
  const wantsA = onA.collideWith ?? a.options.collideWith;
  const wantsB = onB.collideWith ?? b.options.collideWith;
  return (memberA & wantsB) !== 0 && (memberB & wantsA) !== 0;
}

function hasStaticFriction(onA: Partial<BodySurface>, onB: Partial<BodySurface>): boolean {
  return onA.staticFriction !== undefined || onB.staticFriction !== undefined;
}

/** Speed at which B slides on A at a contact [m/s], at the start of the step. */
function slideSpeed(contacts: ContactBuffer, c: number, state: BodyState, a: number, b: number): number {
  const { pointA: point, normal } = contacts;
  const i = 3 * c;
  let along = 0;
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const v = pointVelocity(state, b, point, i, axis) - pointVelocity(state, a, point, i, axis);
    along += v * normal[i + axis];
    squared += v * v;
  }
  return Math.sqrt(Math.max(0, squared - along * along));
}

/** One component of v + ω × r. */
function pointVelocity(state: BodyState, slot: number, point: Float64Array, at: number, axis: number): number {
  const v = TWIST_SIZE * slot;
  const x = POSE_SIZE * slot;
  const next = (axis + 1) % 3;
  const last = (axis + 2) % 3;
  const turn =
    state.velocity[v + 3 + next] * (point[at + last] - state.pose[x + last]) -
    state.velocity[v + 3 + last] * (point[at + next] - state.pose[x + next]);
  return state.velocity[v + axis] + turn;
}

/** Coefficients of two surfaces; the first one becomes that of both. */
const both = new Float64Array(2);

/** Writes the friction of two surfaces to `both`; bodies give the properties that their parts leave out. */
function combineFriction(
  onA: Partial<BodySurface>,
  onB: Partial<BodySurface>,
  a: BodySurface,
  b: BodySurface,
  sticks: boolean,
): void {
  both[0] = onA.friction ?? a.friction;
  both[1] = onB.friction ?? b.friction;
  if (sticks) {
    both[0] = onA.staticFriction ?? both[0];
    both[1] = onB.staticFriction ?? both[1];
  }
  combine(both, onA.frictionCombine ?? a.frictionCombine, onB.frictionCombine ?? b.frictionCombine);
}

function combineRestitution(
  onA: Partial<BodySurface>,
  onB: Partial<BodySurface>,
  a: BodySurface,
  b: BodySurface,
): void {
  both[0] = onA.restitution ?? a.restitution;
  both[1] = onB.restitution ?? b.restitution;
  combine(both, onA.restitutionCombine ?? a.restitutionCombine, onB.restitutionCombine ?? b.restitutionCombine);
}
