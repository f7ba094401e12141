import { castShape, ShapeCastHit } from "../../../collision/query/shape-cast";
import type { Vec3 } from "../../../math/types";
import { POSE_SIZE } from "../../../solvers/newton/motion/bodies";
import type { PairList } from "../../../solvers/newton/contact/pairs";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { RigidBody } from "../rigid-body";

/** Contacts after a step. */
interface Touching {
  readonly pairs: PairList;
  readonly contacts: ContactBuffer;
  readonly bodies: readonly RigidBody[];
  readonly poses: Float64Array;
}

const hit = new ShapeCastHit();

/**
 * Whether the two parts of an entry of the list of pairs touched each other on their way through the last step, even if
 * they are apart at both of its ends: a trigger stops nothing.
 *
 * @param dt length of the step [s]
 */
export function metOnWay({ pairs, contacts, bodies, poses }: Touching, k: number, dt: number): boolean {
  const [a, b] = [bodies[pairs.bodyA[k]], bodies[pairs.bodyB[k]]];
  const [shapeA, shapeB] = [a.record.compiled, b.record.compiled];
  if (!shapeA || !shapeB) return false;
  const [va, vb] = [a.linearVelocity, b.linearVelocity];
  // the way back from the present places to the earlier ones, relative to one of the bodies
  const back: Vec3 = [dt * (vb[0] - va[0]), dt * (vb[1] - va[1]), dt * (vb[2] - va[2])];
  const forth: Vec3 = [-back[0], -back[1], -back[2]];
  const [atA, atB] = [POSE_SIZE * a.record.slot, POSE_SIZE * b.record.slot];
  const isListed = (partA: number, partB: number): boolean => {
    for (let c = pairs.first[k]; c < pairs.end[k]; c++)
      if (contacts.partA[c] === partA && contacts.partB[c] === partB) return true;
    return false;
  };
  // the cast shape has to be convex
  return (
    castShape(shapeA, poses, atA, back, shapeB, poses, atB, hit, isListed) ||
    castShape(shapeB, poses, atB, forth, shapeA, poses, atA, hit, (partB, partA) => isListed(partA, partB))
  );
}
