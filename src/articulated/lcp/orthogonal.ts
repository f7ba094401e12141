import type { PseudoInverse } from "./symmetric";

/**
 * Complete orthogonal decomposition A P = Q [T 0; 0 0] Zᵀ of a small square matrix, and with it the pseudo-inverse A⁺ =
 * P Z [T⁻¹ 0; 0 0] Qᵀ: the shortest least-squares solution (paper 4: 4.3, A.1). Householder reflections with column
 * pivoting find the rank; a second set of reflections from the right clears the block beside T.
 *
 * Q = H₀ H₁ … , vectors below the diagonal of `m`;  Z = G₀ G₁ … , vectors right of column `rank`, with a leading 1 at k.
 */
export class OrthogonalFactor implements PseudoInverse {
  rank = 0;
  private n = 0;
  private m = new Float64Array(0);
  private tauQ = new Float64Array(0);
  private tauZ = new Float64Array(0);
  private pivot = new Int32Array(0);
  private norms = new Float64Array(0);
  private x = new Float64Array(0);
  private z = new Float64Array(0);

  /** Makes room, so that `factor` of n × n or less does not allocate. */
  reserve(n: number): void {
    if (n <= this.tauQ.length) return;
    this.m = new Float64Array(n * n);
    this.tauQ = new Float64Array(n);
    this.tauZ = new Float64Array(n);
    this.pivot = new Int32Array(n);
    this.norms = new Float64Array(n);
    this.x = new Float64Array(n);
  }

  /**
   * @param a n × n, row-major; unchanged
   * @param tolerance columns shorter than this part of the longest count as zero
   */
  factor(a: Float64Array, n: number, tolerance = 1e-11): void {
    this.reserve(n);
    this.n = n;
    const { m, pivot, norms, tauQ } = this;
    for (let i = 0; i < n * n; i++) m[i] = a[i];
    for (let j = 0; j < n; j++) pivot[j] = j;
    norms.fill(0, 0, n);
    for (let i = 0; i < n; i++) for (let j = 0, at = i * n; j < n; j++) norms[j] += m[at + j] * m[at + j];
    let rank = 0;
    let first = 0;
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let j = k + 1; j < n; j++) if (norms[j] > norms[best]) best = j;
      const length = Math.sqrt(norms[best]);
      if (k === 0) first = length;
      if (!(length > tolerance * first)) break;
      if (best !== k) this.swapColumns(k, best);
      this.reflectColumns(k, length, tauQ);
      rank++;
    }
    this.rank = rank;
    if (rank < n) this.clearRight();
  }

  private swapColumns(k: number, best: number): void {
    const { m, n, pivot, norms } = this;
    for (let i = 0, at = 0; i < n; i++, at += n) {
      const keep = m[at + k];
      m[at + k] = m[at + best];
      m[at + best] = keep;
    }
    const keep = pivot[k];
    pivot[k] = pivot[best];
    pivot[best] = keep;
    norms[best] = norms[k];
  }

  /**
   * Householder reflection of rows k… that turns column k into a multiple of the unit vector. The norms of the
   * remaining columns are summed up anew instead of downdated, because rank decisions near rounding need exact norms.
   */
  private reflectColumns(k: number, length: number, tau: Float64Array): void {
    const { m, n, x, norms } = this;
    const row = k * n;
    const alpha = m[row + k];
    const beta = alpha > 0 ? -length : length;
    const scale = 1 / (alpha - beta);
    const t = (tau[k] = (beta - alpha) / beta);
    m[row + k] = beta;
    for (let i = k + 1; i < n; i++) m[i * n + k] *= scale;
    for (let j = k + 1; j < n; j++) x[j] = m[row + j];
    let i = k + 1;
    for (; i + 3 < n; i += 4) {
      const a = i * n;
      const b = a + n;
      const c = b + n;
      const d = c + n;
      const u = m[a + k];
      const v = m[b + k];
      const w = m[c + k];
      const z = m[d + k];
      for (let j = k + 1; j < n; j++) x[j] += u * m[a + j] + v * m[b + j] + (w * m[c + j] + z * m[d + j]);
    }
    for (; i < n; i++) {
      const at = i * n;
      const v = m[at + k];
      for (let j = k + 1; j < n; j++) x[j] += v * m[at + j];
    }
    for (let j = k + 1; j < n; j++) {
      x[j] *= t;
      m[row + j] -= x[j];
      norms[j] = 0;
    }
    for (i = k + 1; i + 1 < n; i += 2) {
      const a = i * n;
      const b = a + n;
      const u = m[a + k];
      const v = m[b + k];
      for (let j = k + 1; j < n; j++) {
        const left = x[j];
        const p = m[a + j] - u * left;
        const q = m[b + j] - v * left;
        m[a + j] = p;
        m[b + j] = q;
        norms[j] += p * p + q * q;
      }
    }
    for (; i < n; i++) {
      const at = i * n;
      const v = m[at + k];
      for (let j = k + 1; j < n; j++) {
        const p = m[at + j] - v * x[j];
        m[at + j] = p;
        norms[j] += p * p;
      }
    }
  }

  /** Applies reflections from the right, last row first, that turn [R₁₁ R₁₂] into [T 0]. */
  private clearRight(): void {
    const { m, n, rank, tauZ } = this;
    for (let k = rank - 1; k >= 0; k--) {
      const row = k * n;
      const alpha = m[row + k];
      let squares = 0;
      for (let j = rank; j < n; j++) squares += m[row + j] * m[row + j];
      if (squares === 0) {
        tauZ[k] = 0;
        continue;
      }
      const length = Math.sqrt(alpha * alpha + squares);
      const beta = alpha > 0 ? -length : length;
      const scale = 1 / (alpha - beta);
      tauZ[k] = (beta - alpha) / beta;
      m[row + k] = beta;
      for (let j = rank; j < n; j++) m[row + j] *= scale;
      for (let i = 0; i < k; i++) {
        const at = i * n;
        let sum = m[at + k];
        for (let j = rank; j < n; j++) sum += m[row + j] * m[at + j];
        sum *= tauZ[k];
        m[at + k] -= sum;
        for (let j = rank; j < n; j++) m[at + j] -= sum * m[row + j];
      }
    }
  }

  /**
   * A⁺ = left · right with as many columns, and rows, as the rank: cheaper to multiply with than A⁺ if the rank is low.
   *
   * @param left receives P Z restricted to the first `rank` columns, n × rank, row-major
   * @param right receives T⁻¹ times the first `rank` rows of Qᵀ, rank × n, row-major
   */
  thinInverse(left: Float64Array, right: Float64Array): void {
    const { m, n, rank: r, pivot } = this;
    // Q restricted to its first columns, temporarily in `left`
    left.fill(0, 0, n * r);
    for (let k = 0; k < r; k++) left[k * r + k] = 1;
    for (let k = r - 1; k >= 0; k--) this.reflectRows(left, k);
    for (let k = 0; k < r; k++) for (let i = 0; i < n; i++) right[k * n + i] = left[i * r + k];
    for (let k = r - 1; k >= 0; k--) {
      const row = k * n;
      for (let j = k + 1; j < r; j++) {
        const entry = m[row + j];
        for (let i = 0, at = j * n; i < n; i++) right[row + i] -= entry * right[at + i];
      }
      const inverse = 1 / m[row + k];
      for (let i = 0; i < n; i++) right[row + i] *= inverse;
    }
    // Z restricted to its first columns, then its rows moved to the places of the pivots
    const z = this.reserveZ(n * r);
    z.fill(0, 0, n * r);
    for (let k = 0; k < r; k++) {
      z[k * r + k] = 1;
      if (r < n) this.reflectRowsZ(z, k);
    }
    for (let i = 0; i < n; i++) for (let c = 0; c < r; c++) left[pivot[i] * r + c] = z[i * r + c];
  }

  private reserveZ(size: number): Float64Array {
    if (this.z.length < size) this.z = new Float64Array(2 * size);
    return this.z;
  }

  /** Applies reflection k of Z to the rows of a matrix with `rank` columns; those after k are still unchanged. */
  private reflectRowsZ(y: Float64Array, k: number): void {
    const { m, n, rank: r, x, tauZ } = this;
    const tau = tauZ[k];
    if (tau === 0) return;
    for (let c = 0; c <= k; c++) x[c] = y[k * r + c];
    for (let i = r; i < n; i++) {
      const v = m[k * n + i];
      for (let c = 0, at = i * r; c <= k; c++) x[c] += v * y[at + c];
    }
    for (let c = 0; c <= k; c++) {
      x[c] *= tau;
      y[k * r + c] -= x[c];
    }
    for (let i = r; i < n; i++) {
      const v = m[k * n + i];
      for (let c = 0, at = i * r; c <= k; c++) y[at + c] -= v * x[c];
    }
  }

  /** Applies reflection k of Q to the rows of a matrix with `rank` columns; those before k are zero from row k on. */
  private reflectRows(y: Float64Array, k: number): void {
    const { m, n, rank: r, x, tauQ } = this;
    for (let c = k; c < r; c++) x[c] = y[k * r + c];
    for (let i = k + 1; i < n; i++) {
      const v = m[i * n + k];
      for (let c = k, at = i * r; c < r; c++) x[c] += v * y[at + c];
    }
    const tau = tauQ[k];
    for (let c = k; c < r; c++) {
      x[c] *= tau;
      y[k * r + c] -= x[c];
    }
    for (let i = k + 1; i < n; i++) {
      const v = m[i * n + k];
      for (let c = k, at = i * r; c < r; c++) y[at + c] -= v * x[c];
    }
  }

  /** x ← A⁺ x, the shortest least-squares solution. */
  solve(b: Float64Array, offset = 0): void {
    const { m, n, rank, pivot, x } = this;
    for (let i = 0; i < n; i++) x[i] = b[offset + i];
    for (let k = 0; k < rank; k++) this.reflectQ(k);
    for (let k = rank - 1; k >= 0; k--) {
      let sum = x[k];
      for (let j = k + 1, at = k * n; j < rank; j++) sum -= m[at + j] * x[j];
      x[k] = sum / m[k * n + k];
    }
    for (let k = rank; k < n; k++) x[k] = 0;
    if (rank < n) this.applyZ(x, false);
    for (let k = 0; k < n; k++) b[offset + pivot[k]] = x[k];
  }

  /** x ← (A⁺)ᵀ x. */
  solveTransposed(b: Float64Array, offset = 0): void {
    const { m, n, rank, pivot, x } = this;
    for (let k = 0; k < n; k++) x[k] = b[offset + pivot[k]];
    if (rank < n) this.applyZ(x, true);
    for (let k = 0; k < rank; k++) {
      let sum = x[k];
      for (let j = 0; j < k; j++) sum -= m[j * n + k] * x[j];
      x[k] = sum / m[k * n + k];
    }
    for (let k = rank; k < n; k++) x[k] = 0;
    for (let k = rank - 1; k >= 0; k--) this.reflectQ(k);
    for (let i = 0; i < n; i++) b[offset + i] = x[i];
  }

  private reflectQ(k: number): void {
    const { m, n, tauQ, x } = this;
    let sum = x[k];
    for (let i = k + 1; i < n; i++) sum += m[i * n + k] * x[i];
    sum *= tauQ[k];
    x[k] -= sum;
    for (let i = k + 1; i < n; i++) x[i] -= sum * m[i * n + k];
  }

  /** x ← (I - A⁺ A) x, the part of x that A maps to zero. */
  projectOnKernel(b: Float64Array, offset = 0): void {
    const { n, rank, pivot, x } = this;
    for (let k = 0; k < n; k++) x[k] = b[offset + pivot[k]];
    if (rank < n) this.applyZ(x, true);
    for (let k = 0; k < rank; k++) x[k] = 0;
    if (rank < n) this.applyZ(x, false);
    for (let k = 0; k < n; k++) b[offset + pivot[k]] = x[k];
  }

  /** x ← Zᵀ x or Z x. The reflections were made from row rank - 1 up to row 0; Z is their product in that order. */
  private applyZ(x: Float64Array, transposed: boolean): void {
    const { rank } = this;
    if (transposed) for (let k = rank - 1; k >= 0; k--) this.reflectZ(x, k);
    else for (let k = 0; k < rank; k++) this.reflectZ(x, k);
  }

  private reflectZ(x: Float64Array, k: number): void {
    const { m, n, rank, tauZ } = this;
    if (tauZ[k] === 0) return;
    const row = k * n;
    let sum = x[k];
    for (let j = rank; j < n; j++) sum += m[row + j] * x[j];
    sum *= tauZ[k];
    x[k] -= sum;
    for (let j = rank; j < n; j++) x[j] -= sum * m[row + j];
  }
}
