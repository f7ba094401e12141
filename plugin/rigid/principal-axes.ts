import { Matrix, Quaternion } from "@babylonjs/core/Maths/math.vector";

/** Principal moments of a symmetric 3 × 3 tensor, and the rotation from their axes to the tensor's frame. */
export interface PrincipalAxes {
  readonly moments: [number, number, number];
  readonly rotation: Quaternion;
}

const SWEEPS = 12;

/**
 * Diagonalises a symmetric tensor (row-major) by Jacobi rotations. A tensor that is diagonal already keeps its axes.
 */
export function principalAxes(tensor: readonly number[]): PrincipalAxes {
  const a = [...tensor];
  // columns are the axes
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const size = Math.hypot(...a);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (Math.hypot(a[1], a[2], a[5]) <= 1e-14 * size) break;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      rotate(a, v, p, q);
  }
  if (Math.hypot(v[1], v[2], v[3], v[5], v[6], v[7]) < 1e-9)
    return { moments: [a[0], a[4], a[8]], rotation: Quaternion.Identity() };
  // Babylon's matrices act on row vectors: the axes are its rows
  const matrix = Matrix.FromValues(v[0], v[3], v[6], 0, v[1], v[4], v[7], 0, v[2], v[5], v[8], 0, 0, 0, 0, 1);
  return { moments: [a[0], a[4], a[8]], rotation: Quaternion.FromRotationMatrix(matrix).normalize() };
}

/** A ← Jᵀ A J and V ← V J with the rotation J in the plane (p, q) that makes A_pq zero. */
function rotate(a: number[], v: number[], p: number, q: number): void {
  const off = a[3 * p + q];
  if (off === 0) return;
  const theta = (a[4 * q] - a[4 * p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
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
