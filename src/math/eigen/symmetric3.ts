/**
 * Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix by cyclic Jacobi rotations: the columns of V are the
 * eigenvectors.
 *
 * @param a six entries (xx, yy, zz, xy, yz, zx)
 * @param values three numbers out, in no order
 * @param v nine numbers out, row-major, orthogonal
 */
export function eigenSymmetric3(a: ArrayLike<number>, values: Float64Array, v: Float64Array): void {
  m[0] = a[0]!;
  m[4] = a[1]!;
  m[8] = a[2]!;
  m[1] = m[3] = a[3]!;
  m[5] = m[7] = a[4]!;
  m[2] = m[6] = a[5]!;
  v.fill(0);
  v[0] = v[4] = v[8] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    const off = Math.abs(m[1]) + Math.abs(m[2]) + Math.abs(m[5]);
    const size = Math.abs(m[0]) + Math.abs(m[4]) + Math.abs(m[8]);
    if (!(off > 1e-17 * size)) break;
    rotate(0, 1, v);
    rotate(0, 2, v);
    rotate(1, 2, v);
  }
  for (let i = 0; i < 3; i++) values[i] = m[4 * i]!;
}

const m = new Float64Array(9);

/** Makes entry (p, q) of `m` zero. */
function rotate(p: number, q: number, v: Float64Array): void {
  const apq = m[3 * p + q];
  if (apq === 0) return;
  // tan of the smaller angle that solves t² + 2 t (a_qq − a_pp) / 2a_pq − 1 = 0
  const theta = (m[4 * q] - m[4 * p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  // A row of V, and of the symmetric matrix the two off-diagonal entries beside (p, q).
  for (let k = 0; k < 9; k += 3) {
    const x = v[k + p];
    const y = v[k + q];
    v[k + p] = c * x - s * y;
    v[k + q] = s * x + c * y;
  }
  const o = 3 - p - q;
  const x = m[3 * o + p];
  const y = m[3 * o + q];
  m[3 * o + p] = m[3 * p + o] = c * x - s * y;
  m[3 * o + q] = m[3 * q + o] = s * x + c * y;
  m[4 * p] -= t * apq;
  m[4 * q] += t * apq;
  m[3 * p + q] = m[3 * q + p] = 0;
}
