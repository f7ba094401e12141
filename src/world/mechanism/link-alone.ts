/** A link as a body by itself, for solvers that know single bodies. */
import { linkPose } from "../../articulated/link-pose";
import type { ArticulatedScratch } from "../../articulated/scratch";
import { conjugate, turn } from "../../math/quaternions";
import { subtract } from "../../math/vectors";
import type { LedFreedom } from "../rigid/contact/leader";
import { addLinkForce, largest, leastInverse, linkAnswer } from "./link-answer";
import type { LinkPush } from "./mechanism-link";

/** Least mobility of a link under a push, as a part of its mobility under a turn at its reach; for links that only turn. */
const LEAST_MOBILITY = 1e-9;

const leastMobility = (turning: readonly number[], reach: number): number =>
  LEAST_MOBILITY * largest(turning) * reach ** 2;

/** Call it after `factorMassMatrix`. @param reach greatest distance of a point of the link from its origin [m] */
export function freedomAlone(scratch: ArticulatedScratch, link: number, reach: number): LedFreedom | undefined {
  const { position, rotation } = linkPose(scratch, link);
  const at = 3 * link;
  const [x, y, z] = scratch.model.centerOfMass.subarray(at, at + 3);
  const arm = turn(rotation, [x, y, z]);
  const center = [position[0] + arm[0], position[1] + arm[1], position[2] + arm[2]] as const;
  const { point, push, turn: turning } = linkAnswer(scratch, link, center);
  const least = Math.max(largest(push), leastMobility(turning, reach));
  if (!(least > 0)) return undefined;
  return {
    mass: 1 / least,
    centerOfMass: turn(conjugate(rotation), subtract(point, position)),
    inverseInertia: turning,
    blocked: push.map((value, i) => (i < 3 ? 1 : 0) - value / least),
    contacts: [0, 0, 0],
    weight: [0, 0, 0],
  };
}

/** out += Jᵀ w, with the wrench w for which M⁻¹ Jᵀ w moves the link as it was displaced; parameters as of `freedomAlone` */
export function addShiftAlone(
  scratch: ArticulatedScratch,
  link: number,
  reach: number,
  { point: [x, y, z], offset }: LinkPush,
  out: Float64Array,
): void {
  const { push, turn: turning } = linkAnswer(scratch, link, [x, y, z]);
  // A point on the axis of a hinge gives by rounding alone, as a slide turns: such motions say nothing about pushes.
  wrench.set(leastInverse(push, offset, 0, leastMobility(turning, reach)));
  wrench.set(leastInverse(turning, offset, 3, (LEAST_MOBILITY * largest(push)) / reach ** 2), 3);
  addLinkForce(scratch, link, [x, y, z], wrench, 0, out);
}

const wrench = new Float64Array(6);
