/**
 * The boxed linear complementarity problem of contact (paper 4: (2)-(6), appendix A.2).
 *
 *   w = A f + b,   loᵢ ≤ fᵢ ≤ hiᵢ,   fᵢ = loᵢ if wᵢ > 0,   fᵢ = hiᵢ if wᵢ < 0.
 *
 * f  impulses [N s],  w  velocities after the step [m/s],  A = J M⁻¹ Jᵀ,  b  velocities without impulses.
 * A friction row is bounded by its normal impulse: with `findex[i] = k ≥ 0` its bounds are ±hiᵢ f_k, hiᵢ the coefficient µ.
 */
export class BoxedLcp {
  /** Number of rows in use. */
  n = 0;
  /** n × n, row-major, symmetric positive semidefinite. */
  a = new Float64Array(0);
  b = new Float64Array(0);
  lo = new Float64Array(0);
  hi = new Float64Array(0);
  /** Row of the normal impulse that bounds this row; -1 if `lo` and `hi` are the bounds themselves. */
  findex = new Int32Array(0);
  /** The solution, and A f + b. */
  f = new Float64Array(0);
  w = new Float64Array(0);
  /** Class of each row at the solution, see `RowClass`. */
  classes = new Int8Array(0);

  /** Makes room for n rows with undefined contents. It allocates only if n has never been this large. */
  resize(n: number): void {
    this.n = n;
    if (n <= this.b.length) return;
    const room = Math.max(8, Math.ceil(1.5 * n));
    this.a = new Float64Array(room * room);
    this.b = new Float64Array(room);
    this.lo = new Float64Array(room);
    this.hi = new Float64Array(room);
    this.findex = new Int32Array(room);
    this.f = new Float64Array(room);
    this.w = new Float64Array(room);
    this.classes = new Int8Array(room);
  }
}

/**
 * Class of a row: the condition that it satisfies at the solution (paper 4: 4.1, A.2).
 *
 * - `Separating` 𝒮: f = lo. A friction row is in this class if its contact carries no load.
 * - `Clamping` 𝒞: w = 0, f between its bounds.
 * - `Upper`, `Lower` 𝒰: f = +µ f_n or -µ f_n (a row without `findex`: `Upper` is f = hi).
 * - `Tied` 𝒯: w = 0 and f at a bound: the solution has two one-sided derivatives. It counts as separating in E and A_CC.
 */
export const RowClass = { Separating: 0, Clamping: 1, Upper: 2, Lower: 3, Tied: 4 } as const;

/** Lower bound of row i at impulses f. */
export function lowerBound(lcp: BoxedLcp, i: number, f: Float64Array): number {
  const k = lcp.findex[i];
  return k >= 0 ? -lcp.hi[i] * Math.max(0, f[k]) : lcp.lo[i];
}

/** Upper bound of row i at impulses f. */
export function upperBound(lcp: BoxedLcp, i: number, f: Float64Array): number {
  const k = lcp.findex[i];
  return k >= 0 ? lcp.hi[i] * Math.max(0, f[k]) : lcp.hi[i];
}

/** w = A f + b. */
export function velocities(lcp: BoxedLcp, f: Float64Array, w: Float64Array): void {
  const { n, a, b } = lcp;
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let j = 0, at = i * n; j < n; j++) sum += a[at + j] * f[j];
    w[i] = sum;
  }
}

/**
 * Residual of f: the largest |fᵢ - clamp(fᵢ - wᵢ, loᵢ, hiᵢ)|, which is zero exactly at solutions. Writes A f + b to
 * `w`.
 */
export function naturalResidual(lcp: BoxedLcp, f: Float64Array, w: Float64Array): number {
  velocities(lcp, f, w);
  let worst = 0;
  for (let i = 0; i < lcp.n; i++) {
    const moved = Math.min(Math.max(f[i] - w[i], lowerBound(lcp, i, f)), upperBound(lcp, i, f));
    const distance = Math.abs(f[i] - moved);
    if (!(distance <= worst)) worst = distance;
  }
  return worst;
}
