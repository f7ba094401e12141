import { updatePositions } from "../../../src/articulated/dynamics/kinematics";
import { linkPose } from "../../../src/articulated/link-pose";
import type { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import { turn } from "../../../src/math/quaternions";
import { servoNames, sides } from "../../mechanisms/person";
import { RunningGait, running } from "../../running-gait";

/** Joints of a leg, and of the back; 1 for those whose angle has the other sign in a mirror. */
const leg = [
  ["hip yaw", 1],
  ["hip roll", 1],
  ["hip", 0],
  ["knee", 0],
  ["ankle", 0],
  ["ankle roll", 1],
] as const;
const back = [
  ["back yaw", 1],
  ["back roll", 1],
  ["back", 0],
] as const;

/** Largest correction of a servo's target [rad], and of the pace of the clock. */
const [REACH, HURRY] = [0.3, 0.3];
/** Part of the largest correction for an action of one: exploration with a spread near one does not make the person fall. */
const UNIT = 0.2;
/** Units in observations: of turns of the pelvis [rad], its velocities [m/s], height and way over the foot [m], and of velocities of angles [rad/s]. */
const [TURN, FAST, NEAR, QUICK] = [0.3, 1, 0.2, 6];

/**
 * The running person by a gait whose targets a network corrects. It sees the person as the leg that stands and the leg in the air: when
 * the right leg stands, it sees a mirror, and its corrections are mirrored. So it learns each step once.
 */
export class CorrectedGait {
  readonly observationSize = 14 + 2 * (2 * leg.length + back.length);
  readonly actionSize = 2 * leg.length + back.length + 1;
  /** time of the gait [s] */
  time = 0;
  private readonly gait: RunningGait;
  private readonly scratch: ArticulatedScratch;
  /** for the left leg standing, then for the right one: joints in the order of observations and actions */
  private readonly orders: readonly (readonly {
    readonly dof: number;
    readonly servo: number;
    readonly sign: number;
  }[])[];
  private readonly feet: readonly number[];

  /** @param model of `personMjcf`, with z up */
  constructor(model: ArticulatedModel) {
    this.gait = new RunningGait(model, running);
    this.scratch = new ArticulatedScratch(model);
    this.feet = sides.map((side) => model.linkIndex(`${side} foot`));
    this.orders = [sides, [...sides].reverse()].map((legs, right) => {
      const joints = [...legs.flatMap((side) => leg.map(([name, odd]) => [`${side} ${name}`, odd] as const)), ...back];
      return joints.map(([name, odd]) => ({
        dof: model.jointDof(name),
        servo: servoNames.indexOf(name),
        sign: odd === 1 && right === 1 ? -1 : 1,
      }));
    });
  }

  private get standing(): number {
    return Math.floor(this.time / running.period) % 2;
  }

  /**
   * @param q state in axes with x ahead and z up, and its velocities
   * @param out `observationSize` numbers
   */
  observe(q: Float64Array, qd: Float64Array, out: Float64Array): void {
    const { scratch, standing, time } = this;
    updatePositions(scratch, q);
    const pelvis = linkPose(scratch, 0);
    const foot = linkPose(scratch, this.feet[standing]).position;
    const front = turn(pelvis.rotation, [1, 0, 0]);
    const up = turn(pelvis.rotation, [0, 0, 1]);
    const heading = Math.atan2(front[1], front[0]);
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    const mirror = standing === 0 ? 1 : -1;
    const [dx, dy] = [pelvis.position[0] - foot[0], pelvis.position[1] - foot[1]];
    const phase = Math.PI * (time / running.period - Math.floor(time / running.period));
    let at = 0;
    const put = (value: number): void => void (out[at++] = value);
    put(Math.cos(phase));
    put(Math.sin(phase));
    put((c * up[0] + s * up[1]) / TURN);
    put((mirror * (c * up[1] - s * up[0])) / TURN);
    put((mirror * heading) / TURN);
    put((c * qd[3] + s * qd[4] - running.speed) / FAST);
    put((mirror * (c * qd[4] - s * qd[3])) / FAST);
    put(qd[5] / FAST);
    put((mirror * qd[0]) / QUICK);
    put(qd[1] / QUICK);
    put((mirror * qd[2]) / QUICK);
    put(q[5] / NEAR);
    put((c * dx + s * dy) / NEAR);
    put((mirror * (c * dy - s * dx)) / NEAR);
    for (const { dof, sign } of this.orders[standing]) {
      put(sign * q[dof]);
      put((sign * qd[dof]) / QUICK);
    }
  }

  /**
   * Sets the targets of the servos.
   *
   * @param action corrections, as parts of the largest ones
   * @param dt time until the next decision [s]
   */
  decide(q: Float64Array, qd: Float64Array, action: ArrayLike<number>, dt: number, input: Float64Array): void {
    // The gait leaves the back alone.
    input.fill(0);
    this.gait.decide(q, qd, this.time, input);
    const order = this.orders[this.standing];
    order.forEach(({ servo, sign }, k) => (input[servo] += REACH * sign * action[k]));
    this.time += dt * (1 + HURRY * action[order.length]);
  }
}

/** Corrections for an action, as parts of the largest ones. */
export function correctionsOf(action: ArrayLike<number>): Float64Array {
  return Float64Array.from(action, (value) => Math.tanh(UNIT * value));
}
