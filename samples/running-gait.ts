import { updatePositions } from "../src/articulated/dynamics/kinematics";
import { linkPose } from "../src/articulated/link-pose";
import type { ArticulatedModel } from "../src/articulated/model";
import { ArticulatedScratch } from "../src/articulated/scratch";
import { turn } from "../src/math/quaternions";
import type { Vec3 } from "../src/math/types";
import { servoNames, sides } from "./mechanisms/person";

/** Angles of one half of a step [rad]: of both legs. */
interface Pose {
  /** thigh ahead of the vertical, knee, and foot toes up of the level, of the leg in the air */
  readonly swing: Vec3;
  /** knee and ankle of the leg that stands */
  readonly stance: readonly [knee: number, ankle: number];
}

/** Numbers of a gait: two poses of each step, and how the legs answer to speed. */
export interface Gait {
  /** of a step of one leg [s] */
  readonly period: number;
  /** of the trunk ahead [rad] */
  readonly lean: number;
  readonly first: Pose;
  readonly second: Pose;
  /** of the thigh in the air for each m/s of the pelvis that is too fast, and for each meter that it is ahead of the foot on the ground */
  readonly ahead: readonly [speed: number, place: number];
  /** the same to the side, and the place that the leg takes outside by itself [rad] */
  readonly aside: readonly [speed: number, place: number, outside: number];
  /** [m/s] */
  readonly speed: number;
  /** amplitude of the arms, and the angle of the elbows [rad] */
  readonly arms: readonly [swing: number, elbow: number];
}

/** The gait that a search found, see docs/measurements/mechanisms.md. */
export const running: Gait = {
  period: 0.232,
  lean: -0.314,
  first: { swing: [0.228, 1.299, 0.34], stance: [0.198, 0.227] },
  second: { swing: [0.166, 0.895, -0.05], stance: [0.272, -0.482] },
  ahead: [0.238, 0.828],
  aside: [0.22, -0.182, 0.222],
  speed: 3,
  arms: [-0.208, 1.108],
};

/** Turn of the hips about the vertical for each radian off course, and course for each meter beside the line. */
const [STEER, RETURN] = [1, 0.3];
/** Largest turn to the course [rad]. */
const MOST_TURN = 0.3;

/** Middle of the way of the arms behind the trunk, and their angle with it [rad]. */
const [ARM_BACK, ARM_OUT] = [0.2, 0.15];
/** Of a start: knees, largest angle of any other joint, place beside the line and above the ground [m]; and speed as a part of the gait's. */
const [BENT, LOOSE, BESIDE, RAISED, BEGIN] = [0.15, 0.025, 0.01, 0.02, 0.5];

const clamp = (x: number, most: number): number => Math.min(most, Math.max(-most, x));

/** A start above the ground, at half of the speed. */
export function startRunning(model: ArticulatedModel, q: Float64Array, qd: Float64Array, random: () => number): void {
  q.fill(0);
  qd.fill(0);
  qd[3] = BEGIN * running.speed;
  for (let k = 6; k < q.length; k++) q[k] = LOOSE * (2 * random() - 1);
  for (const side of sides) q[model.jointDof(`${side} knee`)] = BENT;
  q[4] = BESIDE * (2 * random() - 1);
  q[5] = RAISED;
}

/**
 * A gait by hand for `personMjcf`, after SIMBICON (Yin, Loken and van de Panne 2007): servos take the joints from pose to pose by the clock, the
 * hip of the leg that stands holds the trunk, and the leg in the air goes where the speed of the pelvis asks for it.
 */
export class RunningGait {
  private readonly scratch: ArticulatedScratch;
  private readonly inputs: ReadonlyMap<string, number>;
  private readonly feet: readonly number[];

  /** @param model of `personMjcf`, with z up */
  constructor(
    private readonly model: ArticulatedModel,
    private readonly gait: Gait,
  ) {
    this.scratch = new ArticulatedScratch(model);
    this.inputs = new Map(servoNames.map((name, k) => [name, k]));
    this.feet = sides.map((side) => model.linkIndex(`${side} foot`));
  }

  /**
   * Sets the targets of the servos.
   *
   * @param q state in axes with x ahead and z up, and its velocities
   * @param time since the start [s]
   */
  decide(q: Float64Array, qd: Float64Array, time: number, input: Float64Array): void {
    const { gait, model, scratch } = this;
    updatePositions(scratch, q);
    const set = (name: string, value: number): void => void (input[this.inputs.get(name)!] = value);
    const angle = (name: string): number => q[model.jointDof(name)];
    const step = Math.floor(time / gait.period);
    const phase = time / gait.period - step;
    const standing = step % 2;
    const pelvis = linkPose(scratch, 0);
    const front = turn(pelvis.rotation, [1, 0, 0]);
    const up = turn(pelvis.rotation, [0, 0, 1]);
    const heading = Math.atan2(front[1], front[0]);
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    const along = ([x, y]: Vec3): readonly [number, number] => [c * x + s * y, c * y - s * x];
    const [upAhead, upLeft] = along(up);
    const pitch = Math.atan2(upAhead, up[2]);
    const roll = Math.atan2(-upLeft, up[2]);
    const foot = linkPose(scratch, this.feet[standing]).position;
    const [dx, dy] = along([pelvis.position[0] - foot[0], pelvis.position[1] - foot[1], 0]);
    const [vx, vy] = along([qd[3], qd[4], qd[5]]);
    const course = clamp(-RETURN * q[4], MOST_TURN) - heading;
    const pose = phase < 0.5 ? gait.first : gait.second;
    sides.forEach((side, k) => {
      const outside = k === 0 ? 1 : -1;
      const isStanding = k === standing;
      const hip = angle(`${side} hip`);
      const hipRoll = angle(`${side} hip roll`);
      let knee = pose.stance[0];
      if (isStanding) {
        set(`${side} hip`, hip - pitch + gait.lean);
        set(`${side} hip roll`, hipRoll + roll);
        set(`${side} hip yaw`, -STEER * clamp(course, MOST_TURN));
        set(`${side} ankle`, pose.stance[1]);
      } else {
        const thigh = pose.swing[0] + gait.ahead[0] * (vx - gait.speed) + gait.ahead[1] * dx;
        set(`${side} hip`, thigh + pitch);
        set(`${side} hip roll`, outside * gait.aside[2] + gait.aside[0] * vy + gait.aside[1] * dy - roll);
        set(`${side} hip yaw`, 0);
        knee = pose.swing[1];
        set(`${side} ankle`, pose.swing[2] - (hip - pitch - angle(`${side} knee`)));
      }
      set(`${side} knee`, knee);
      set(`${side} ankle roll`, -(hipRoll + roll));
      const wave = gait.arms[0] * Math.cos(Math.PI * phase) * (isStanding ? 1 : -1);
      set(`${side} shoulder`, wave - ARM_BACK);
      set(`${side} shoulder roll`, ARM_OUT * outside);
      set(`${side} elbow`, gait.arms[1]);
    });
  }
}
