import type { ContactBuffer } from "../../collision/narrow/contact-buffer";
import type { PairList } from "../../solvers/newton/pairs";
import { type BodySurface, combine } from "./body-options";
import type { RigidBody } from "./rigid-body";

/**
 * Adds two bodies to the list, with the contacts from `first` on, which are theirs. Parts of a body may differ in friction
 * and in whom they collide with: then contacts of parts that do not collide are taken out of the buffer, and there is an
 * entry for each stretch of contacts of one friction. Contacts of two parts lie side by side in the buffer.
 */
export function addPair(pairs: PairList, contacts: ContactBuffer, a: RigidBody, b: RigidBody, first: number): void {
  const { slot: slotA } = a.record;
  const { slot: slotB } = b.record;
  const partsA = a.options.surfaces;
  const partsB = b.options.surfaces;
  if (!partsA && !partsB) {
    const friction = frictionOf(a.options, b.options, a.options, b.options);
    const restitution = restitutionOf(a.options, b.options, a.options, b.options);
    const isSensor = a.options.isTrigger || b.options.isTrigger;
    pairs.add(slotA, slotB, first, contacts.count, friction, restitution, isSensor);
    return;
  }
  const end = contacts.count;
  let kept = first;
  let entry = -1;
  for (let c = first; c < end; c++) {
    const onA = partsA?.[contacts.partA[c]] ?? a.options;
    const onB = partsB?.[contacts.partB[c]] ?? b.options;
    if (!meet(onA, onB, a, b)) continue;
    contacts.move(c, kept++);
    const isSensor = (onA.isTrigger ?? a.options.isTrigger) || (onB.isTrigger ?? b.options.isTrigger);
    const friction = frictionOf(onA, onB, a.options, b.options);
    const restitution = restitutionOf(onA, onB, a.options, b.options);
    const goesOn =
      entry >= 0 &&
      pairs.friction[entry] === friction &&
      pairs.restitution[entry] === restitution &&
      pairs.isSensor[entry] === (isSensor ? 1 : 0);
    if (!goesOn) {
      entry = pairs.count;
      pairs.add(slotA, slotB, kept - 1, kept, friction, restitution, isSensor);
    }
    pairs.end[entry] = kept;
  }
  contacts.count = kept;
}

/** Whether each part is a member of what the other collides with. */
function meet(onA: Partial<BodySurface>, onB: Partial<BodySurface>, a: RigidBody, b: RigidBody): boolean {
  const memberA = onA.membership ?? a.options.membership;
  const memberB = onB.membership ?? b.options.membership;
  const wantsA = onA.collideWith ?? a.options.collideWith;
  const wantsB = onB.collideWith ?? b.options.collideWith;
  return (memberA & wantsB) !== 0 && (memberB & wantsA) !== 0;
}

/** Friction of two surfaces; what they do not say is said by their bodies. */
function frictionOf(onA: Partial<BodySurface>, onB: Partial<BodySurface>, a: BodySurface, b: BodySurface): number {
  return combine(
    onA.friction ?? a.friction,
    onB.friction ?? b.friction,
    onA.frictionCombine ?? a.frictionCombine,
    onB.frictionCombine ?? b.frictionCombine,
  );
}

function restitutionOf(onA: Partial<BodySurface>, onB: Partial<BodySurface>, a: BodySurface, b: BodySurface): number {
  return combine(
    onA.restitution ?? a.restitution,
    onB.restitution ?? b.restitution,
    onA.restitutionCombine ?? a.restitutionCombine,
    onB.restitutionCombine ?? b.restitutionCombine,
  );
}
