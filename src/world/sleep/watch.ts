/** Measures how long bodies have been still. */
import { POSE_SIZE } from "../../solvers/newton/motion/bodies";

/** Time after which bodies that hardly move fall asleep [s]. */
export const REST = 0.5;
/** Part of its size within which a deformable body stays at rest. */
const STILL = 5e-4;
/** The same as a part of gravity · REST²: in weak gravity what begins to fall is slow. */
const UNFALLEN = 5e-3;
/** Speed below which a rigid body counts as still [m/s], and for turning [rad/s], times its pace: as in rigid/sleep.ts. */
const SLOW = 0.01;
const SLOW_SPIN = 0.02;
/** Part of these speeds for a body without weight: a slow drift goes on if nothing stops it. */
const WEIGHTLESS = 1e-3;

/**
 * The distance within which all vertices of a deformable body stay while it rests [m]. A distance, and not a speed: a
 * body that trembles on the spot rests, and one that creeps does not, even if it is slow since it is damped.
 *
 * @param size longest side [m]
 * @param gravity on the body [m/s²]; a body without weight rests only if it does not move at all
 */
export function stillWithin(size: number, gravity: number): number {
  return Math.min(STILL * size, UNFALLEN * gravity * REST * REST);
}

/** The place where a body has come to rest, and for how long it has been there [s]. */
export class SoftWatch {
  restTime = 0;
  private place: Float64Array | undefined;

  /** @param size longest side of the body at first [m] */
  constructor(readonly size: number) {}

  /** Call it after each frame of dt [s]. @param within see `stillWithin` */
  update(positions: Float64Array, dt: number, within: number): void {
    const { place } = this;
    if (place && isWithin(positions, place, within * within)) {
      this.restTime += dt;
      return;
    }
    this.restTime = 0;
    if (place) place.set(positions);
    else this.place = positions.slice();
  }

  save(): Float64Array {
    return this.place?.slice() ?? new Float64Array(0);
  }

  load(restTime: number, place: Float64Array): void {
    this.restTime = restTime;
    this.place = place.length > 0 ? place.slice() : undefined;
  }
}

function isWithin(positions: Float64Array, place: Float64Array, squared: number): boolean {
  for (let i = 0; i < place.length; i += 3) {
    const x = positions[i] - place[i];
    const y = positions[i + 1] - place[i + 1];
    const z = positions[i + 2] - place[i + 2];
    // A value that is not finite is not still.
    if (!(x * x + y * y + z * z <= squared)) return false;
  }
  return true;
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

  /** @param pace see newton/scale.ts, as for `grain`; 0 for a body that rests only if it does not move at all */
  update(pose: Float64Array, at: number, dt: number, pace: number, grain: number, hasWeight: boolean): void {
    const { last } = this;
    const part = (hasWeight ? 1 : WEIGHTLESS) * pace * dt;
    let [way, cosine] = [0, 0];
    for (let i = 0; i < 3; i++) way += (pose[at + i] - last[i]) ** 2;
    for (let i = 3; i < POSE_SIZE; i++) cosine += pose[at + i] * last[i];
    // 1 − cos(θ/2) is about θ²/8 for a small turn by θ.
    const turn = 8 * Math.max(0, 1 - Math.abs(cosine));
    const most = part > 0 ? (SLOW_SPIN * part) / grain : 0;
    const isStill = way <= (SLOW * part) ** 2 && turn <= most ** 2 + ROUNDING;
    this.restTime = isStill ? this.restTime + dt : 0;
    this.place(pose, at);
  }
}

/** Of the cosine of a half angle, times 8. */
const ROUNDING = 1e-14;
