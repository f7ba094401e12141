import { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { collide } from "../../../collision/narrow/collide";
import { IdList } from "../../../math/arrays";
import { lengthAt } from "../../../math/vectors";
import { POSE_SIZE } from "../../../solvers/newton/motion/bodies";
import { PairList } from "../../../solvers/newton/contact/pairs";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import type { BodySlots } from "../body-slots";
import type { RigidBody } from "../rigid-body";
import type { ContactFinder } from "./contact-finder";
import { addPair } from "./pair-surfaces";

/** Distance that the center of a body keeps from what does not move, as a part of its least extent; steps part what overlaps less. */
const KEPT = 0.25;

/** The parts of a world of rigid bodies that are asked. */
interface Around {
  readonly finder: ContactFinder;
  readonly slots: BodySlots;
  readonly dynamics: RigidDynamics;
}

const contacts = new ContactBuffer();
const pairs = new PairList();
const near = new IdList();
const box = new Float64Array(6);

/**
 * Takes off a way [m] what would bring the center of a body into bodies that do not move. Deformable bodies displace a rigid one that far in a
 * frame, by several of its sizes at times, and its step knew nothing of that way.
 *
 * @param way three numbers, changed
 * @returns whether it was too long
 */
export function shortenWay({ finder, slots, dynamics }: Around, body: RigidBody, way: Float64Array): boolean {
  const { slot, compiled } = body.record;
  const length = lengthAt(way, 0);
  if (!compiled || !(length > 0) || !finder.boxOf(slot, box)) return false;
  const { bounds } = compiled;
  const kept = KEPT * Math.min(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  for (let c = 0; c < 3; c++) box[way[c] < 0 ? c : 3 + c] += way[c];
  finder.broad.query(box, near);
  const { pose } = dynamics.bodies.state;
  let isTooLong = false;
  for (let k = 0; k < near.count; k++) {
    const other = near.items[k];
    const isDynamic = slots.bodies[other].motion === "dynamic";
    if (isDynamic || !finder.broad.mayMeet(slot, other) || !finder.shapeOf(other)) continue;
    const [a, b] = slot < other ? [slot, other] : [other, slot];
    contacts.clear();
    pairs.clear();
    const [shapeA, shapeB] = [finder.shapeOf(a)!, finder.shapeOf(b)!];
    collide(shapeA, slots.poses, POSE_SIZE * a, shapeB, slots.poses, POSE_SIZE * b, length, contacts);
    if (contacts.count > 0) addPair(pairs, contacts, dynamics.bodies, slots.bodies, a, b, 0);
    const [points, sign] = a === slot ? [contacts.pointB, 1] : [contacts.pointA, -1];
    for (let p = 0; p < pairs.count; p++)
      for (let i = 3 * pairs.first[p]; i < 3 * pairs.end[p] && pairs.isSensor[p] === 0; i += 3) {
        let [room, along] = [-kept, 0];
        for (let c = 0; c < 3; c++) {
          const n = sign * contacts.normal[i + c];
          room += n * (points[i + c] - pose[POSE_SIZE * slot + c]);
          along += n * way[c];
        }
        const over = along - Math.max(0, room);
        if (over <= 0) continue;
        isTooLong = true;
        for (let c = 0; c < 3; c++) way[c] -= over * sign * contacts.normal[i + c];
      }
  }
  return isTooLong;
}
