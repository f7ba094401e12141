import type { Vec3 } from "../../math/types";
import type { Quat } from "../../math/types";

/**
 * Numbers of a frame in a flat array: rotation matrix R, row-major, then position t [m]. A point p in the frame is at R
 * p + t outside it.
 */
export const FRAME = 12;

/** The frame that changes nothing. */
export function identityFrame(out: Float64Array = new Float64Array(FRAME)): Float64Array {
  for (let i = 0; i < FRAME; i++) out[i] = i < 9 && i % 4 === 0 ? 1 : 0;
  return out;
}

/** A frame from a position and a unit quaternion. */
export function frameOf(position: Vec3, rotation: Quat): Float64Array {
  const out = new Float64Array(FRAME);
  poseToFrame([...position, ...rotation], 0, out);
  return out;
}

/** Frame of a pose (position x, y, z, then a unit quaternion x, y, z, w, from place `at` on). */
export function poseToFrame(pose: ArrayLike<number>, at: number, out: Float64Array): void {
  const x = pose[at + 3];
  const y = pose[at + 4];
  const z = pose[at + 5];
  const w = pose[at + 6];
  const xx = 2 * x * x;
  const yy = 2 * y * y;
  const zz = 2 * z * z;
  const xy = 2 * x * y;
  const xz = 2 * x * z;
  const yz = 2 * y * z;
  const wx = 2 * w * x;
  const wy = 2 * w * y;
  const wz = 2 * w * z;
  out[0] = 1 - (yy + zz);
  out[1] = xy - wz;
  out[2] = xz + wy;
  out[3] = xy + wz;
  out[4] = 1 - (xx + zz);
  out[5] = yz - wx;
  out[6] = xz - wy;
  out[7] = yz + wx;
  out[8] = 1 - (xx + yy);
  out[9] = pose[at];
  out[10] = pose[at + 1];
  out[11] = pose[at + 2];
}

/** Takes a point (w 1) or a direction (w 0), from place `at` on, out of a frame. */
export function applyFrame(
  f: Float64Array,
  p: Float64Array,
  at: number,
  w: number,
  out: Float64Array,
  to: number,
): void {
  const x = p[at];
  const y = p[at + 1];
  const z = p[at + 2];
  for (let r = 0; r < 3; r++) out[to + r] = f[3 * r] * x + f[3 * r + 1] * y + f[3 * r + 2] * z + w * f[9 + r];
}

/**
 * out = outer ∘ inner: maps from `inner`, which is given in `outer`, to the frame outside `outer`. `out` must be
 * neither of them.
 */
export function composeFrames(outer: Float64Array, inner: Float64Array, out: Float64Array): void {
  for (let r = 0; r < 3; r++) {
    const a = outer[3 * r];
    const b = outer[3 * r + 1];
    const c = outer[3 * r + 2];
    out[3 * r] = a * inner[0] + b * inner[3] + c * inner[6];
    out[3 * r + 1] = a * inner[1] + b * inner[4] + c * inner[7];
    out[3 * r + 2] = a * inner[2] + b * inner[5] + c * inner[8];
    out[9 + r] = a * inner[9] + b * inner[10] + c * inner[11] + outer[9 + r];
  }
}

/** out = a⁻¹ ∘ b: frame b relative to frame a. `out` must be neither of them. */
export function relativeFrame(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const x = b[9] - a[9];
  const y = b[10] - a[10];
  const z = b[11] - a[11];
  for (let r = 0; r < 3; r++) {
    const p = a[r];
    const q = a[3 + r];
    const s = a[6 + r];
    out[3 * r] = p * b[0] + q * b[3] + s * b[6];
    out[3 * r + 1] = p * b[1] + q * b[4] + s * b[7];
    out[3 * r + 2] = p * b[2] + q * b[5] + s * b[8];
    out[9 + r] = p * x + q * y + s * z;
  }
}

/** The box (min, max) around a box that is placed by a frame, at place `at` of `f`, axis by axis (Arvo 1990). */
export function frameBounds(box: Float64Array, f: Float64Array, out: Float64Array, at = 0): void {
  for (let r = 0; r < 3; r++) {
    let low = f[at + 9 + r];
    let high = low;
    for (let c = 0; c < 3; c++) {
      const p = f[at + 3 * r + c] * box[c];
      const q = f[at + 3 * r + c] * box[3 + c];
      low += p < q ? p : q;
      high += p < q ? q : p;
    }
    out[r] = low;
    out[3 + r] = high;
  }
}

/** A point (w 1) or a direction (w 0) of the world, from place `at` on, in a frame. */
export function toLocal(
  f: Float64Array,
  world: Float64Array,
  at: number,
  w: number,
  out: Float64Array,
  to: number,
): void {
  const x = world[at] - w * f[9];
  const y = world[at + 1] - w * f[10];
  const z = world[at + 2] - w * f[11];
  out[to] = f[0] * x + f[3] * y + f[6] * z;
  out[to + 1] = f[1] * x + f[4] * y + f[7] * z;
  out[to + 2] = f[2] * x + f[5] * y + f[8] * z;
}
