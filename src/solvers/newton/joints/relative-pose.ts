/**
 * Position of a joint: its two frames for given poses.
 *
 * p_A, p_B  pivots in the world,  d = p_B − p_A
 * A, B      rotation matrices of the frames; their columns are the axes
 * q         rotation of B's frame as seen from A's, q_A⁻¹ q_B = (v, w)
 */

import { toAngle } from "../../../math/deterministic";
import { type BodyTable, POSE_SIZE } from "../motion/bodies";
import { rotationMatrix } from "../motion/rotation";

export class RelativePose {
  protected readonly turnA = new Float64Array(9);
  protected readonly turnB = new Float64Array(9);
  /** p_A − x_A and p_B − x_B */
  protected readonly armA = new Float64Array(3);
  protected readonly armB = new Float64Array(3);
  protected readonly d = new Float64Array(3);
  protected readonly q = new Float64Array(4);
  private readonly qa = new Float64Array(4);
  private readonly qb = new Float64Array(4);

  /**
   * Takes the poses of two bodies.
   *
   * @param frameA pivot [m] and rotation of the joint's frame in that of body A, POSE_SIZE numbers
   * @param frameB the same for B
   */
  set(bodies: BodyTable, slotA: number, slotB: number, frameA: Float64Array, frameB: Float64Array): void {
    this.place(bodies.state.pose, slotA, slotB, frameA, frameB);
  }

  /** The same for given poses, POSE_SIZE a body. */
  place(pose: Float64Array, slotA: number, slotB: number, frameA: Float64Array, frameB: Float64Array): void {
    const a = POSE_SIZE * slotA;
    const b = POSE_SIZE * slotB;
    multiply(pose, a + 3, frameA, 3, this.qa);
    multiply(pose, b + 3, frameB, 3, this.qb);
    place(pose, a, frameA, this.armA);
    place(pose, b, frameB, this.armB);
    rotationMatrix(this.qa, 0, this.turnA, 0);
    rotationMatrix(this.qb, 0, this.turnB, 0);
    for (let i = 0; i < 3; i++) this.d[i] = pose[b + i] + this.armB[i] - pose[a + i] - this.armA[i];
    const { qa, qb: q, q: out } = this;
    const x = qa[0];
    const y = qa[1];
    const z = qa[2];
    const w = qa[3];
    out[0] = w * q[0] - x * q[3] - y * q[2] + z * q[1];
    out[1] = w * q[1] - y * q[3] - z * q[0] + x * q[2];
    out[2] = w * q[2] - z * q[3] - x * q[1] + y * q[0];
    out[3] = w * q[3] + x * q[0] + y * q[1] + z * q[2];
    // Choose q or −q, whichever turns less.
    if (out[3] < 0) for (let i = 0; i < 4; i++) out[i] = -out[i];
  }

  /**
   * Writes the coordinate along an axis of the joint, by its number (axis.ts): translation of B's pivot along an axis of A, or distance of
   * the pivots [m]; angle of the rotation's part about an axis, its twist, from −π to π [rad].
   */
  measure(axis: number, out: Float64Array, at: number): void {
    const { turnA: m, d, q } = this;
    if (axis === 6) out[at] = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    else if (axis < 3) out[at] = m[axis] * d[0] + m[3 + axis] * d[1] + m[6 + axis] * d[2];
    else {
      point[0] = q[axis - 3];
      point[1] = q[3];
      toAngle(point);
      out[at] = 2 * point[0];
    }
  }
}

const point = new Float64Array(2);

/** out = p q */
function multiply(p: Float64Array, i: number, q: Float64Array, j: number, out: Float64Array): void {
  const x = p[i];
  const y = p[i + 1];
  const z = p[i + 2];
  const w = p[i + 3];
  out[0] = w * q[j] + x * q[j + 3] + y * q[j + 2] - z * q[j + 1];
  out[1] = w * q[j + 1] + y * q[j + 3] + z * q[j] - x * q[j + 2];
  out[2] = w * q[j + 2] + z * q[j + 3] + x * q[j + 1] - y * q[j];
  out[3] = w * q[j + 3] - x * q[j] - y * q[j + 1] - z * q[j + 2];
}

/** out = R(pose) (pivot of the frame) */
function place(pose: Float64Array, at: number, frame: Float64Array, out: Float64Array): void {
  const qx = pose[at + 3];
  const qy = pose[at + 4];
  const qz = pose[at + 5];
  const qw = pose[at + 6];
  const x = frame[0];
  const y = frame[1];
  const z = frame[2];
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  out[0] = x + qw * tx + qy * tz - qz * ty;
  out[1] = y + qw * ty + qz * tx - qx * tz;
  out[2] = z + qw * tz + qx * ty - qy * tx;
}
