import { updatePositions } from "../../articulated/dynamics/kinematics";
import { linkPose } from "../../articulated/link-pose";
import type { ArticulatedModel } from "../../articulated/model";
import { ArticulatedScratch } from "../../articulated/scratch";
import { conjugate, product, rotationVector, turn } from "../../math/quaternions";
import { subtract } from "../../math/vectors";
import type { MechanismLink } from "./mechanism-link";

/**
 * Ways of links in a step over its length, as twists: x(q + h q̇) − x(q) instead of h J q̇. Links go along arcs, and bodies that touch them
 * go straight on with the velocity that contacts find. With J q̇ a body in a hand that turns at ω on an arm of length r would fall
 * behind by h ω² r / 2 a second, which friction does not see: it acts on velocities.
 */
export class LinkWays {
  private readonly end: ArticulatedScratch;

  constructor(model: ArticulatedModel) {
    this.end = new ArticulatedScratch(model);
  }

  /** Takes over the coordinates at the end of the step. */
  update(q: Float64Array): void {
    updatePositions(this.end, q);
  }

  /**
   * @param start poses at the start of the step
   * @param h length of the step [s]
   * @param out velocity of the center of mass and spin: six numbers from `at` on
   */
  write({ link, body }: MechanismLink, start: ArticulatedScratch, h: number, out: Float64Array, at: number): void {
    const [before, after] = [linkPose(start, link), linkPose(this.end, link)];
    const way = product(after.rotation, conjugate(before.rotation));
    const arm = subtract(body.centerOfMass, before.position);
    const moved = turn(way, arm);
    const angle = rotationVector(way);
    for (let c = 0; c < 3; c++) {
      out[at + c] = (after.position[c] - before.position[c] + (moved[c] - arm[c])) / h;
      out[at + 3 + c] = angle[c] / h;
    }
  }
}
