import { POSE_SIZE } from "../motion/bodies";
import { AXIS_COUNT, type AxisSettings, freeAxis } from "./axis";

/** Use of a row; together with the axis it identifies the row from step to step. */
export const Use = { lock: 0, lower: 1, upper: 2, motor: 3, friction: 4 } as const;
export const USES = 5;

/** Data of a joint, without its solver (frame-joint.ts). */
export class JointData {
  /** pivot and rotation of the joint's frame in the principal frame of each body */
  readonly frameA = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  readonly frameB = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  readonly axes: readonly AxisSettings[] = Array.from({ length: AXIS_COUNT }, freeAxis);
  /** impulse of each use of each axis in the last step */
  readonly memory = new Float64Array(AXIS_COUNT * USES);
}

/** Frame from a pivot and two axes: X along `axis`, Y as close to `perpendicular` as possible. */
export function writeFrame(
  out: Float64Array,
  pivot: ArrayLike<number>,
  axis: ArrayLike<number>,
  perpendicular: ArrayLike<number>,
): void {
  const lengthX = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const x = [axis[0] / lengthX, axis[1] / lengthX, axis[2] / lengthX];
  const along = perpendicular[0] * x[0] + perpendicular[1] * x[1] + perpendicular[2] * x[2];
  const y = [perpendicular[0] - along * x[0], perpendicular[1] - along * x[1], perpendicular[2] - along * x[2]];
  const lengthY = Math.sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  for (let i = 0; i < 3; i++) y[i] /= lengthY;
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  for (let i = 0; i < 3; i++) out[i] = pivot[i];
  quaternionOf(x, y, z, out, POSE_SIZE - 4);
}

/** Quaternion of the rotation with these columns. */
export function quaternionOf(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  z: ArrayLike<number>,
  out: Float64Array,
  at: number,
): void {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    out[at] = (y[2] - z[1]) / s;
    out[at + 1] = (z[0] - x[2]) / s;
    out[at + 2] = (x[1] - y[0]) / s;
    out[at + 3] = 0.25 * s;
  } else if (x[0] >= y[1] && x[0] >= z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    out[at] = 0.25 * s;
    out[at + 1] = (x[1] + y[0]) / s;
    out[at + 2] = (z[0] + x[2]) / s;
    out[at + 3] = (y[2] - z[1]) / s;
  } else if (y[1] >= z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    out[at] = (x[1] + y[0]) / s;
    out[at + 1] = 0.25 * s;
    out[at + 2] = (y[2] + z[1]) / s;
    out[at + 3] = (z[0] - x[2]) / s;
  } else {
    const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
    out[at] = (z[0] + x[2]) / s;
    out[at + 1] = (y[2] + z[1]) / s;
    out[at + 2] = 0.25 * s;
    out[at + 3] = (x[1] - y[0]) / s;
  }
}
