/**
 * min ½ xᵀ H x + gᵀ x  with  lower ≤ x ≤ upper, for a small positive definite H: projected Newton (Tassa, Mansard & Todorov,
 * "Control-limited differential dynamic programming", 2014, III-C).
 *
 *   H n × n, row-major      g n
 *   free set: coordinates that are not held at a bound by the gradient
 */
export class BoxQp {
  /** The minimizer. */
  readonly x = new Float64Array(this.n);
  /** 1 for coordinates not at a bound. */
  readonly free = new Uint8Array(this.n);
  /** Cholesky factor of H over the free coordinates, packed as `freeCount` × `freeCount`. */
  readonly factor = new Float64Array(this.n * this.n);
  readonly freeIndex = new Int32Array(this.n);
  freeCount = 0;
  private readonly gradient = new Float64Array(this.n);
  private readonly direction = new Float64Array(this.n);
  private readonly trial = new Float64Array(this.n);

  constructor(readonly n: number) {}

  /**
   * Solves the problem, starting from the current `x`, moved into the box.
   *
   * @returns false if H over the free coordinates is not positive definite
   */
  solve(h: Float64Array, g: Float64Array, lower: Float64Array, upper: Float64Array): boolean {
    const { n, x, free, gradient, direction, trial } = this;
    for (let i = 0; i < n; i++) x[i] = Math.min(upper[i], Math.max(lower[i], x[i]));
    for (let iteration = 0; iteration < 100; iteration++) {
      for (let i = 0; i < n; i++) {
        let sum = g[i];
        for (let j = 0; j < n; j++) sum += h[i * n + j] * x[j];
        gradient[i] = sum;
      }
      this.freeCount = 0;
      for (let i = 0; i < n; i++) {
        const held = (x[i] === lower[i] && gradient[i] > 0) || (x[i] === upper[i] && gradient[i] < 0);
        free[i] = held ? 0 : 1;
        if (!held) this.freeIndex[this.freeCount++] = i;
      }
      if (!this.factorize(h)) return false;
      if (this.freeCount === 0) return true;
      direction.fill(0);
      for (let a = 0; a < this.freeCount; a++) direction[this.freeIndex[a]] = -gradient[this.freeIndex[a]];
      this.solveFree(direction);
      let slope = 0;
      for (let i = 0; i < n; i++) slope += gradient[i] * direction[i];
      if (slope > -1e-20) return true;
      const before = this.value(h, g, x);
      let length = 1;
      for (; length > 1e-10; length *= 0.5) {
        for (let i = 0; i < n; i++) trial[i] = Math.min(upper[i], Math.max(lower[i], x[i] + length * direction[i]));
        if (this.value(h, g, trial) <= before + 0.1 * length * slope) break;
      }
      let moved = 0;
      for (let i = 0; i < n; i++) {
        moved = Math.max(moved, Math.abs(trial[i] - x[i]));
        x[i] = trial[i];
      }
      if (moved === 0 || length <= 1e-10) return true;
    }
    return true;
  }

  /** Solves H x = b over the free coordinates in place; `b` has n entries with a stride, the others become 0. */
  solveFree(b: Float64Array, offset = 0, stride = 1): void {
    const { factor, freeCount: m, freeIndex, n, free } = this;
    for (let a = 0; a < m; a++) {
      let sum = b[offset + freeIndex[a] * stride];
      for (let c = 0; c < a; c++) sum -= factor[a * m + c] * b[offset + freeIndex[c] * stride];
      b[offset + freeIndex[a] * stride] = sum / factor[a * m + a];
    }
    for (let a = m - 1; a >= 0; a--) {
      let sum = b[offset + freeIndex[a] * stride];
      for (let c = a + 1; c < m; c++) sum -= factor[c * m + a] * b[offset + freeIndex[c] * stride];
      b[offset + freeIndex[a] * stride] = sum / factor[a * m + a];
    }
    for (let i = 0; i < n; i++) if (free[i] === 0) b[offset + i * stride] = 0;
  }

  private factorize(h: Float64Array): boolean {
    const { factor, freeCount: m, freeIndex, n } = this;
    for (let a = 0; a < m; a++)
      for (let c = 0; c <= a; c++) {
        let sum = h[freeIndex[a] * n + freeIndex[c]];
        for (let k = 0; k < c; k++) sum -= factor[a * m + k] * factor[c * m + k];
        if (a === c) {
          if (!(sum > 0)) return false;
          factor[a * m + a] = Math.sqrt(sum);
        } else factor[a * m + c] = sum / factor[c * m + c];
      }
    return true;
  }

  private value(h: Float64Array, g: Float64Array, x: Float64Array): number {
    const { n } = this;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      let row = 0;
      for (let j = 0; j < n; j++) row += h[i * n + j] * x[j];
      sum += x[i] * (g[i] + 0.5 * row);
    }
    return sum;
  }
}
