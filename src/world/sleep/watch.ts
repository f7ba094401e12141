/** Measures how long bodies have been still. */
import { POSE_SIZE } from "../../solvers/newton/motion/bodies";
import { EARTH } from "../../solvers/spacing";

/**
 * Speed below which no vertex of a body at rest moves [m/s], times its pace. It is lower than for rigid bodies: a soft
 * body that still settles would stop before it is as long, and bears as much, as at rest.
 */
const SLOW_SOFT = 0.004;
/** Speed below which a rigid body counts as still [m/s], and for turning [rad/s], times its pace: as in rigid/sleep.ts. */
const SLOW = 0.01;
const SLOW_SPIN = 0.02;
/** Part of these speeds for a body without weight: a slow drift goes on if nothing stops it. */
const WEIGHTLESS = 1e-3;
/** Units of a body follow gravity in the range from its reach / SPAN to its reach × SPAN, see newton/scale.ts. */
const SPAN = 20;

/** Highest speed of a deformable body at rest. */
export function slowSpeed(size: number, gravity: number, weightless: boolean): number {
  const [g, reach] = [gravity / EARTH, size / 2];
  if (!(g > 0)) return (WEIGHTLESS * SLOW_SOFT * reach) / SPAN;
  const grain = Math.max(reach / SPAN, Math.min(SPAN * reach, g));
  return (weightless ? WEIGHTLESS : 1) * SLOW_SOFT * Math.sqrt(grain * Math.max(grain, g));
}

/** Positions of a body at the end of the last frame, and for how long it has hardly moved [s]. */
export class SoftWatch {
  restTime = 0;
  private last: Float64Array | undefined;

  /** Notes where the body is, without saying whether it moved. */
  place(positions: ArrayLike<number>): void {
    this.last ??= new Float64Array(positions.length);
    this.last.set(positions);
  }

  /**
   * Call it after each frame of dt [s].
   *
   * @param slow highest speed at rest [m/s]
   */
  update(positions: ArrayLike<number>, dt: number, slow: number): void {
    const { last } = this;
    if (!last) {
      this.place(positions);
      return;
    }
    const most = (slow * dt) ** 2;
    let isStill = true;
    for (let i = 0; i < last.length; i += 3) {
      const x = positions[i]! - last[i];
      const y = positions[i + 1]! - last[i + 1];
      const z = positions[i + 2]! - last[i + 2];
      // A value that is not finite is not still.
      if (!(x * x + y * y + z * z <= most)) isStill = false;
      last[i] = positions[i]!;
      last[i + 1] = positions[i + 1]!;
      last[i + 2] = positions[i + 2]!;
    }
    this.restTime = isStill ? this.restTime + dt : 0;
  }
}

/**
 * The same for a rigid body. Its velocity does not tell: at the end of a frame it contains the pushes of deformable
 * bodies that are to bear its weight in the next one.
 */
export class RigidWatch {
  restTime = 0;
  private readonly last = new Float64Array(POSE_SIZE).fill(NaN);

  /** @param pose list of poses, in which that of the body begins at `at` */
  place(pose: Float64Array, at: number): void {
    for (let i = 0; i < POSE_SIZE; i++) this.last[i] = pose[at + i];
  }

  /** @param pace see newton/scale.ts, as for `grain`; pace 0 for a body that has to stay awake */
  update(pose: Float64Array, at: number, dt: number, pace: number, grain: number, hasWeight: boolean): void {
    const { last } = this;
    const part = (hasWeight ? 1 : WEIGHTLESS) * pace * dt;
    let [way, cosine] = [0, 0];
    for (let i = 0; i < 3; i++) way += (pose[at + i] - last[i]) ** 2;
    for (let i = 3; i < POSE_SIZE; i++) cosine += pose[at + i] * last[i];
    // |q − q'|² = 2 − 2 cos(θ/2), about θ²/4 of a small turn by θ.
    const turn = 8 * Math.max(0, 1 - Math.abs(cosine));
    const isStill = way <= (SLOW * part) ** 2 && turn <= ((SLOW_SPIN * part) / grain) ** 2 + ROUNDING;
    this.restTime = isStill ? this.restTime + dt : 0;
    this.place(pose, at);
  }
}

/** Of the cosine of a half angle, times 8. */
const ROUNDING = 1e-14;
