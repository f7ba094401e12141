import { updatePositions } from "../../articulated/dynamics/kinematics";
import { linkPose } from "../../articulated/link-pose";
import type { ArticulatedModel } from "../../articulated/model";
import { ArticulatedScratch } from "../../articulated/scratch";
import { conjugate, product, rotationVector, turn } from "../../math/quaternions";
import { subtract } from "../../math/vectors";
import type { MechanismLink } from "./mechanism-link";

/**
 * Ways of links in a step, over its length. Links go along arcs, and bodies that touch them go straight on with the velocity that contacts
 * find. With J q̇' alone a body in a hand that turns at ω on an arm of length r would fall behind by h ω² r / 2 a second, which friction does
 * not see: it acts on velocities. So contacts see the links at
 *
 *   J (q̇' − q̇) + (x(q + h q̇) − x(q)) / h
 *
 * where q̇' are the velocities of the step without contacts. The arc is that of the velocities before the step, since those of fingers that
 * close on nothing are not to come.
 */
export class LinkWays {
  /** q̇' − q̇ */
  readonly change = new Float64Array(this.model.nv);
  private readonly ahead = new Float64Array(this.model.nv);
  private readonly end = new ArticulatedScratch(this.model);

  constructor(private readonly model: ArticulatedModel) {}

  /**
   * @param q coordinates before the step, `qd` their velocities, `rates` those after the step without contacts
   * @param h length of the step [s]
   */
  update(q: Float64Array, qd: Float64Array, rates: Float64Array, h: number): void {
    for (let k = 0; k < q.length; k++) {
      this.ahead[k] = q[k] + h * qd[k];
      this.change[k] = rates[k] - qd[k];
    }
    updatePositions(this.end, this.ahead);
  }

  /**
   * Adds the second term.
   *
   * @param start poses before the step
   * @param out velocity of the center of mass and spin: six numbers from `at` on
   */
  add({ link, body }: MechanismLink, start: ArticulatedScratch, h: number, out: Float64Array, at: number): void {
    const [before, after] = [linkPose(start, link), linkPose(this.end, link)];
    const way = product(after.rotation, conjugate(before.rotation));
    const arm = subtract(body.centerOfMass, before.position);
    const moved = turn(way, arm);
    const angle = rotationVector(way);
    for (let c = 0; c < 3; c++) {
      out[at + c] += (after.position[c] - before.position[c] + (moved[c] - arm[c])) / h;
      out[at + 3 + c] += angle[c] / h;
    }
  }
}
