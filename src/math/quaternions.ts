import { atan2 } from "./deterministic";
import type { Quat, Vec3 } from "./types";

/* Unit quaternions (x, y, z, w) as tuples, for code outside a frame's inner loops. */

/** p q: rotation q followed by p. */
export function product(p: Quat, q: Quat): Quat {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
    p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

/** The inverse rotation. */
export function conjugate(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]];
}

/** v turned by q: v + w t + u × t with t = 2 u × v and u the vector part. */
export function turn(q: Quat, v: ArrayLike<number>): [number, number, number] {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** The unit quaternion in the direction of four numbers that are not all zero. */
export function unitQuaternion(q: Quat): Quat {
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

/** Rotation vector: axis times angle [rad], the shorter way. */
export function rotationVector(q: Quat): [number, number, number] {
  const sign = q[3] < 0 ? -1 : 1;
  const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const scale = sine > 1e-9 ? (sign * 2 * atan2(sine, sign * q[3])) / sine : 2 * sign;
  return [scale * q[0], scale * q[1], scale * q[2]];
}

/** Quaternion of a rotation matrix, row-major from offset `at`, by the largest of its components (Shepperd 1978). */
export function quaternionOfMatrix(m: ArrayLike<number>, at = 0): Quat {
  const r = (row: number, column: number): number => m[at + 3 * row + column];
  const [xx, yy, zz] = [r(0, 0), r(1, 1), r(2, 2)];
  const trace = xx + yy + zz;
  const [x, y, z] = [r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
  if (trace >= xx && trace >= yy && trace >= zz) return unitQuaternion([x, y, z, 1 + trace]);
  const [xy, yz, zx] = [r(0, 1) + r(1, 0), r(1, 2) + r(2, 1), r(0, 2) + r(2, 0)];
  if (xx >= yy && xx >= zz) return unitQuaternion([1 + xx - yy - zz, xy, zx, x]);
  if (yy >= zz) return unitQuaternion([xy, 1 + yy - xx - zz, yz, y]);
  return unitQuaternion([zx, yz, 1 + zz - xx - yy, z]);
}

/** Quaternion of the rotation matrix with these columns, a right-handed orthonormal frame. */
export function quaternionOfAxes(x: Vec3, y: Vec3, z: Vec3): Quat {
  return quaternionOfMatrix([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
}
