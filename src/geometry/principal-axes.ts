import type { Quat, Vec3 } from "../math/types";

/** Eigenvalues of a symmetric 3 × 3 tensor, and the rotation from their axes to the tensor's frame. */
export interface PrincipalAxes {
  readonly moments: Vec3;
  readonly rotation: Quat;
}

const SWEEPS = 16;

/**
 * Diagonalises a symmetric tensor (9 numbers, row-major) by Jacobi rotations, made of correctly rounded operations only. A
 * tensor that is diagonal already keeps its axes.
 */
export function principalAxes(tensor: readonly number[]): PrincipalAxes {
  const a = [...tensor];
  // columns are the axes
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const size = norm(a);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (norm([a[1], a[2], a[5]]) <= 1e-15 * size) break;
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  return { moments: [a[0], a[4], a[8]], rotation: quaternionOf(v) };
}

function norm(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

/** A ← Jᵀ A J and V ← V J with the rotation J in the plane (p, q) that makes A_pq zero. */
function rotate(a: number[], v: number[], p: number, q: number): void {
  const off = a[3 * p + q];
  if (off === 0) return;
  const theta = (a[4 * q] - a[4 * p]) / (2 * off);
  // For huge θ its square overflows, and t = 1/(2θ) is exact enough.
  const t =
    Math.abs(theta) > 1e150 ? 0.5 / theta : (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const m of [a, v])
    for (let k = 0; k < 3; k++) {
      const mp = m[3 * k + p];
      const mq = m[3 * k + q];
      m[3 * k + p] = c * mp - s * mq;
      m[3 * k + q] = s * mp + c * mq;
    }
  for (let k = 0; k < 3; k++) {
    const ap = a[3 * p + k];
    const aq = a[3 * q + k];
    a[3 * p + k] = c * ap - s * aq;
    a[3 * q + k] = s * ap + c * aq;
  }
}

/** Quaternion of a rotation matrix by the largest of its components (Shepperd 1978). */
function quaternionOf(r: readonly number[]): Quat {
  const trace = r[0] + r[4] + r[8];
  let q: [number, number, number, number];
  if (trace >= r[0] && trace >= r[4] && trace >= r[8]) q = [r[7] - r[5], r[2] - r[6], r[3] - r[1], 1 + trace];
  else if (r[0] >= r[4] && r[0] >= r[8]) q = [1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6], r[7] - r[5]];
  else if (r[4] >= r[8]) q = [r[1] + r[3], 1 + r[4] - r[0] - r[8], r[5] + r[7], r[2] - r[6]];
  else q = [r[2] + r[6], r[5] + r[7], 1 + r[8] - r[0] - r[4], r[3] - r[1]];
  const n = norm(q);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}
