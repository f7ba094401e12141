/** A pseudo-inverse in factored form. All methods work in place. */
export interface PseudoInverse {
  /** Rank that was found. */
  readonly rank: number;
  /** x ← A⁺ x for n numbers at `offset` */
  solve(x: Float64Array, offset?: number): void;
  /** x ← (A⁺)ᵀ x */
  solveTransposed(x: Float64Array, offset?: number): void;
  /** x ← (1 - A⁺ A) x */
  projectOnKernel(x: Float64Array, offset?: number): void;
  /** A⁺ = left · right, n × rank and rank × n, row-major. */
  thinInverse(left: Float64Array, right: Float64Array): void;
}

/**
 * Pseudo-inverse of a symmetric positive semidefinite matrix, such as A if no friction is at its bound: Cholesky with
 * pivoting stops at the rank r, A = L Lᵀ with L of n × r. With L = Q R,
 *
 *   A⁺ = Q R⁻ᵀ R⁻¹ Qᵀ = U Uᵀ,   U = Q R⁻ᵀ.
 *
 * The cost is O(n r²), much less than that of an orthogonal decomposition if many contacts are redundant, with the same
 * accuracy, since R is only as badly conditioned as √A.
 */
export class SymmetricFactor implements PseudoInverse {
  rank = 0;
  private n = 0;
  /** Columns of L, then of Q, one in each row; the next array has those of U. */
  private q = new Float64Array(0);
  private u = new Float64Array(0);
  private r = new Float64Array(0);
  private left = new Float64Array(0);
  private y = new Float64Array(0);

  /** Makes room, so that `factor` of n × n or less does not allocate. */
  reserve(n: number): void {
    if (n <= this.left.length) return;
    this.q = new Float64Array(n * n);
    this.u = new Float64Array(n * n);
    this.r = new Float64Array(n * n);
    this.left = new Float64Array(n);
    this.y = new Float64Array(n);
  }

  /**
   * @param a n × n, row-major; unchanged
   * @param tolerance pivots below this part of the first count as zero
   */
  factor(a: Float64Array, n: number, tolerance = 1e-11): void {
    this.reserve(n);
    this.n = n;
    const { q: l, left } = this;
    for (let i = 0; i < n; i++) left[i] = a[i * n + i];
    let first = 0;
    let rank = 0;
    for (; rank < n; rank++) {
      let pivot = 0;
      for (let i = 1; i < n; i++) if (left[i] > left[pivot]) pivot = i;
      if (rank === 0) first = left[pivot];
      if (!(left[pivot] > tolerance * first)) break;
      // Column `rank` of L: the pivot's column of the remaining A, divided by the root of the pivot.
      const to = rank * n;
      for (let i = 0, from = pivot * n; i < n; i++) l[to + i] = a[from + i];
      for (let k = 0; k < rank; k++) {
        const factor = l[k * n + pivot];
        if (factor !== 0) for (let i = 0, at = k * n; i < n; i++) l[to + i] -= factor * l[at + i];
      }
      const scale = 1 / Math.sqrt(left[pivot]);
      for (let i = 0; i < n; i++) {
        const entry = left[i] < 0 ? 0 : l[to + i] * scale;
        l[to + i] = entry;
        left[i] -= entry * entry;
      }
      left[pivot] = DONE;
    }
    this.rank = rank;
    this.orthonormalise();
    this.solveForU();
  }

  /** Computes L = Q R by Gram-Schmidt, twice if a pass removed most of a column: as accurate as reflections. */
  private orthonormalise(): void {
    const { q, r, n, rank } = this;
    for (let k = 0; k < rank; k++) {
      const to = k * n;
      for (let j = 0; j < k; j++) r[j * rank + k] = 0;
      const before = this.squares(to);
      let after = k === 0 ? before : this.takeAway(k);
      if (after < 0.5 * before) after = this.takeAway(k);
      const length = Math.sqrt(after);
      r[k * rank + k] = length;
      const scale = 1 / length;
      for (let i = 0; i < n; i++) q[to + i] *= scale;
    }
  }

  /** Subtracts from column k its parts along the earlier columns. Returns the square of its remaining length. */
  private takeAway(k: number): number {
    const { q, r, n, rank } = this;
    const to = k * n;
    for (let j = 0; j < k; j++) {
      const from = j * n;
      let sum = 0;
      for (let i = 0; i < n; i++) sum += q[from + i] * q[to + i];
      r[j * rank + k] += sum;
      for (let i = 0; i < n; i++) q[to + i] -= sum * q[from + i];
    }
    return this.squares(to);
  }

  private squares(at: number): number {
    const { q, n } = this;
    let sum = 0;
    for (let i = at; i < at + n; i++) sum += q[i] * q[i];
    return sum;
  }

  /** Computes Uᵀ = R⁻¹ Qᵀ. */
  private solveForU(): void {
    const { q, u, r, n, rank } = this;
    for (let k = rank - 1; k >= 0; k--) {
      const to = k * n;
      for (let i = 0; i < n; i++) u[to + i] = q[to + i];
      for (let j = k + 1; j < rank; j++) {
        const factor = r[k * rank + j];
        for (let i = 0, from = j * n; i < n; i++) u[to + i] -= factor * u[from + i];
      }
      const scale = 1 / r[k * rank + k];
      for (let i = 0; i < n; i++) u[to + i] *= scale;
    }
  }

  solve(x: Float64Array, offset = 0): void {
    const { u, y, n, rank } = this;
    for (let k = 0; k < rank; k++) {
      let sum = 0;
      for (let i = 0, at = k * n; i < n; i++) sum += u[at + i] * x[offset + i];
      y[k] = sum;
    }
    for (let i = 0; i < n; i++) x[offset + i] = 0;
    for (let k = 0; k < rank; k++) for (let i = 0, at = k * n; i < n; i++) x[offset + i] += u[at + i] * y[k];
  }

  solveTransposed(x: Float64Array, offset = 0): void {
    this.solve(x, offset);
  }

  projectOnKernel(x: Float64Array, offset = 0): void {
    const { q, n, rank } = this;
    for (let k = 0; k < rank; k++) {
      const at = k * n;
      let sum = 0;
      for (let i = 0; i < n; i++) sum += q[at + i] * x[offset + i];
      for (let i = 0; i < n; i++) x[offset + i] -= sum * q[at + i];
    }
  }

  thinInverse(left: Float64Array, right: Float64Array): void {
    const { u, n, rank } = this;
    for (let i = 0; i < rank * n; i++) right[i] = u[i];
    for (let i = 0; i < n; i++) for (let k = 0; k < rank; k++) left[i * rank + k] = u[k * n + i];
  }
}

/** Replaces the remaining diagonal of a row that has been pivot. */
const DONE = -1;
