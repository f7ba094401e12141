import type { Vec3 } from "../../../math/types";
import { dot, norm, subtract } from "../../../math/vectors";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { PairList } from "../../../solvers/newton/contact/pairs";
import type { RigidBody } from "../rigid-body";

/** Contacts after a step. */
export interface Touching {
  readonly pairs: PairList;
  readonly contacts: ContactBuffer;
  readonly bodies: readonly RigidBody[];
}

/** Cosine of the angle between a contact's normal and the weight from which on the contact bears. */
const BEARS = 0.5;

/**
 * Way that a body may fall along its weight until its center is a quarter of its least extent above the immovable bodies that bear it [m].
 *
 * @param weight of any length; without one there is no bound
 */
export function roomBelow({ pairs, contacts, bodies }: Touching, body: RigidBody, weight: Vec3): number {
  const { record, centerOfMass } = body;
  const { slot, compiled } = record;
  const size = norm(weight);
  let room = -Infinity;
  for (let k = 0; k < pairs.count && size > 0; k++) {
    const isA = pairs.bodyA[k] === slot;
    if ((!isA && pairs.bodyB[k] !== slot) || pairs.isSensor[k] === 1) continue;
    if (bodies[isA ? pairs.bodyB[k] : pairs.bodyA[k]].motion === "dynamic") continue;
    const points = isA ? contacts.pointB : contacts.pointA;
    for (let c = 3 * pairs.first[k]; c < 3 * pairs.end[k]; c += 3) {
      const along = (of: ArrayLike<number>, from: Vec3): number =>
        dot(subtract([of[c], of[c + 1], of[c + 2]], from), weight) / size;
      if (Math.abs(along(contacts.normal, [0, 0, 0])) >= BEARS) room = Math.max(room, along(points, centerOfMass));
    }
  }
  if (room === -Infinity || !compiled) return Infinity;
  const { bounds } = compiled;
  return Math.max(0, room - Math.min(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]) / 4);
}
