import { boxOf, sizeOf } from "../../geometry/box";
import { conjugate, product, turn, unitQuaternion } from "../../math/quaternions";
import type { Quat, Vec3 } from "../../math/types";
import { cross, dot, norm, subtract } from "../../math/vectors";
import type { BodyState, DeformableModel } from "../../solvers/deformable";
import { EARTH } from "../../solvers/spacing";

/** A carrier of a body jumps if it changes its speed by more than so many times that of a fall over the size of the body. */
const FASTEST = 2;
/** Turns that `fittedMotion` makes at most. */
const TURNS = 50;

export interface Pose {
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** x ↦ R x + way */
export interface RigidMotion {
  readonly rotation: Quat;
  readonly way: Vec3;
}

/** The motion that takes a body from one pose to another. */
export function motionBetween(from: Pose, to: Pose): RigidMotion {
  const rotation = product(to.rotation, conjugate(from.rotation));
  return { rotation, way: subtract(to.position, turn(rotation, from.position)) };
}

/** The motion that takes points nearest to others, three numbers each, turned as little as possible. */
export function fittedMotion(from: ArrayLike<number>, to: ArrayLike<number>): RigidMotion {
  const [a, b] = [meanOf(from), meanOf(to)];
  let rotation: Quat = [0, 0, 0, 1];
  for (let k = 0; k < TURNS; k++) {
    const moment: [number, number, number] = [0, 0, 0];
    let sum = 0;
    for (let i = 0; i < from.length; i += 3) {
      const p = turn(rotation, [from[i] - a[0], from[i + 1] - a[1], from[i + 2] - a[2]]);
      const q: Vec3 = [to[i] - b[0], to[i + 1] - b[1], to[i + 2] - b[2]];
      cross(p, q).forEach((value, c) => (moment[c] += value));
      sum += dot(p, q);
    }
    const size = norm(moment);
    // Half of the angle between them; a half turn has no moment, but rounding.
    const scale = 1 / (size + Math.abs(sum) || 1);
    if (!(size > 1e-12 * Math.abs(sum))) break;
    rotation = unitQuaternion(product([scale * moment[0], scale * moment[1], scale * moment[2], 1], rotation));
  }
  return { rotation, way: subtract(b, turn(rotation, a)) };
}

/** The mean of points, three numbers each. */
export function meanOf(points: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < points.length; i++) sum[i % 3] += (3 * points[i]) / points.length;
  return sum;
}

/** The way that a carrier of a body may go in a step of dt [s] beyond that of the last one, and is a motion; more is a jump [m]. */
export function longestWay({ model }: { readonly model: DeformableModel }, gravity: Vec3, dt: number): number {
  return FASTEST * dt * Math.sqrt(2 * (norm(gravity) || EARTH) * sizeOf(boxOf(model.positions)));
}

/** A point after a motion. */
export function pointBy({ rotation, way }: RigidMotion, x: ArrayLike<number>): Vec3 {
  const [a, b, c] = turn(rotation, x);
  return [a + way[0], b + way[1], c + way[2]];
}

/** A body after a motion, which turns velocities and the frames of rods, too. */
export function movedBy(motion: RigidMotion, { positions, velocities, frames, plastic }: BodyState): BodyState {
  const [x, v, q] = [Float64Array.from(positions), Float64Array.from(velocities), frames && Float64Array.from(frames)];
  for (let i = 0; i < x.length; i += 3) {
    x.set(pointBy(motion, x.subarray(i, i + 3)), i);
    v.set(turn(motion.rotation, v.subarray(i, i + 3)), i);
  }
  if (q)
    for (let i = 0; i < q.length; i += FRAME) q.set(product(motion.rotation, [q[i], q[i + 1], q[i + 2], q[i + 3]]), i);
  return { positions: x, velocities: v, frames: q, plastic };
}

/** Numbers of an edge in `BodyState.frames`, as in cpu-rods.ts: pages without rods do not load that. */
const FRAME = 5;
