import { determinant } from "../determinant";
import { lengthOf } from "../vectors";

/**
 * Singular values of a 3 × n matrix, n = 2 or 3: F = U diag(σ) Vᵀ by one-sided Jacobi rotations, which find small
 * singular values as accurately as large ones and need no special case for repeated ones.
 *
 * With n = 3, U and V are rotations and the sign of det F is in the last, smallest σ. With n = 2, U has two columns, V is a
 * rotation and σ ≥ 0.
 *
 * @param f 3 × n, row-major, from place `at` on
 * @param u 3 × n out; `sigma` n out, largest first; `v` n × n out
 */
export function singularValues(
  f: ArrayLike<number>,
  at: number,
  n: 2 | 3,
  u: Float64Array,
  sigma: Float64Array,
  v: Float64Array,
): void {
  for (let i = 0; i < 3 * n; i++) b[i] = f[at + i]!;
  v.fill(0);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < 16; sweep++) {
    let turned = orthogonalise(0, 1, n, v);
    if (n === 3) {
      turned = orthogonalise(0, 2, n, v) || turned;
      turned = orthogonalise(1, 2, n, v) || turned;
    }
    if (!turned) break;
  }
  for (let c = 0; c < n; c++) sigma[c] = lengthOf(b[c], b[n + c], b[2 * n + c]);
  sortColumns(n, sigma, v);
  writeLeft(n, sigma, u);
  if (n === 3) {
    if (determinant(v) < 0) for (let r = 0; r < 3; r++) negate(r, 2, u, v);
    if (determinant(u) < 0) {
      sigma[2] = -sigma[2];
      for (let r = 0; r < 3; r++) u[3 * r + 2] = -u[3 * r + 2];
    }
  } else if (v[0] * v[3] - v[1] * v[2] < 0) {
    for (let r = 0; r < 3; r++) u[2 * r + 1] = -u[2 * r + 1];
    v[1] = -v[1];
    v[3] = -v[3];
  }
}

/** F V while it is rotated into orthogonal columns */
const b = new Float64Array(9);

/** Rotates columns p and q of B and V so that those of B are orthogonal; returns whether they were not. */
function orthogonalise(p: number, q: number, n: number, v: Float64Array): boolean {
  const x0 = b[p];
  const y0 = b[q];
  const x1 = b[n + p];
  const y1 = b[n + q];
  const x2 = b[2 * n + p];
  const y2 = b[2 * n + q];
  const pp = x0 * x0 + x1 * x1 + x2 * x2;
  const qq = y0 * y0 + y1 * y1 + y2 * y2;
  const pq = x0 * y0 + x1 * y1 + x2 * y2;
  if (!(Math.abs(pq) > 1e-16 * Math.sqrt(pp * qq))) return false;
  const theta = (qq - pp) / (2 * pq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  b[p] = c * x0 - s * y0;
  b[q] = s * x0 + c * y0;
  b[n + p] = c * x1 - s * y1;
  b[n + q] = s * x1 + c * y1;
  b[2 * n + p] = c * x2 - s * y2;
  b[2 * n + q] = s * x2 + c * y2;
  for (let r = 0; r < n * n; r += n) {
    const x = v[r + p];
    const y = v[r + q];
    v[r + p] = c * x - s * y;
    v[r + q] = s * x + c * y;
  }
  return true;
}

function sortColumns(n: number, sigma: Float64Array, v: Float64Array): void {
  for (let c = 0; c + 1 < n; c++)
    for (let d = 0; d + 1 < n - c; d++) {
      if (sigma[d] >= sigma[d + 1]) continue;
      swap(sigma, d, d + 1);
      for (let r = 0; r < 3; r++) swap(b, r * n + d, r * n + d + 1);
      for (let r = 0; r < n; r++) swap(v, r * n + d, r * n + d + 1);
    }
}

/** Columns of U: those of B over σ; if σ is negligible beside the largest, any direction orthogonal to the others. */
function writeLeft(n: number, sigma: Float64Array, u: Float64Array): void {
  for (let c = 0; c < n; c++)
    if (sigma[c] > 1e-14 * sigma[0]) for (let r = 0; r < 3; r++) u[r * n + c] = b[r * n + c] / sigma[c];
    else if (c === 0) for (let r = 0; r < 3; r++) u[r * n] = r === 0 ? 1 : 0;
    else if (c === 1) {
      const x = [u[0], u[n], u[2 * n]];
      const least = x.map(Math.abs).reduce((best, value, i, all) => (value < all[best] ? i : best), 0);
      const length = Math.sqrt(1 - x[least] ** 2);
      for (let r = 0; r < 3; r++) u[r * n + 1] = ((r === least ? 1 : 0) - x[least] * x[r]) / length;
    } else for (let r = 0; r < 3; r++) u[r * n + 2] = cross(u, (r + 1) % 3, (r + 2) % 3);
}

/** One entry of the cross product of the first two columns. */
function cross(u: Float64Array, r: number, s: number): number {
  return u[3 * r] * u[3 * s + 1] - u[3 * s] * u[3 * r + 1];
}

function negate(r: number, c: number, u: Float64Array, v: Float64Array): void {
  u[3 * r + c] = -u[3 * r + c];
  v[3 * r + c] = -v[3 * r + c];
}

function swap(array: Float64Array, i: number, j: number): void {
  const value = array[i];
  array[i] = array[j]!;
  array[j] = value;
}
