/**
 * A = L U of a matrix of 6 × 6 blocks whose pattern is symmetric but whose values are not, in the order of
 * `MinimumDegree`. Pivots are searched only within a block: A is positive definite except for contributions of
 * friction.
 *
 * `values` has L in the layout of `BlockFactor`, with inverses of the pivots in place of the diagonal blocks, followed
 * by Uᵀ in the same layout.
 */

import { BLOCK, BlockFactor, N, subtract } from "./block-factor";

/** Pivots below this part of the largest number of their column count as zero. */
const SINGULAR = 1e-15;

export class BlockLu extends BlockFactor {
  /** start of Uᵀ */
  private half = 0;
  private readonly inverse = new Float64Array(BLOCK);

  override clear(): void {
    const { offsets, size } = this.pattern;
    this.half = BLOCK * (offsets[size] + size);
    if (this.values.length < 2 * this.half) this.values = new Float64Array(Math.ceil(2.6 * this.half));
    else this.values.fill(0, 0, 2 * this.half);
  }

  /**
   * Start of the block with rows of a and columns of b. Blocks of L and on the diagonal are stored as they are, others
   * transposed.
   */
  block(a: number, b: number): number {
    if (a === b) return this.diagonal(a);
    return this.isLater(a, b) ? this.between(a, b) : this.half + this.between(a, b);
  }

  override factor(): boolean {
    const { values: v, half, position, inverse } = this;
    const { offsets, rows, size } = this.pattern;
    for (let k = 0; k < size; k++) {
      const from = offsets[k];
      const to = offsets[k + 1];
      const at = BLOCK * (from + k);
      if (!invert(v, at, inverse)) return false;
      for (let i = from; i < to; i++) multiplyRows(v, BLOCK * (i + k + 1), at);
      for (let j = from; j < to; j++) {
        const column = rows[j];
        const other = offsets[column];
        for (let i = other; i < offsets[column + 1]; i++) position[rows[i]] = i + column + 1;
        const source = BLOCK * (j + k + 1);
        subtract(v, BLOCK * (other + column), source, half + source);
        for (let i = j + 1; i < to; i++) {
          const target = BLOCK * position[rows[i]];
          const lower = BLOCK * (i + k + 1);
          subtract(v, target, lower, half + source);
          subtract(v, half + target, half + lower, source);
        }
      }
    }
    return true;
  }

  override solve(b: Float64Array, x: Float64Array): void {
    const { values: v, solution: y, half } = this;
    const { offsets, order, size } = this.pattern;
    for (let k = 0; k < size; k++) for (let i = 0; i < N; i++) y[N * k + i] = b[N * order[k] + i];
    for (let k = 0; k < size; k++) this.takeDown(k);
    for (let k = size - 1; k >= 0; k--) {
      this.takeUp(k, half);
      const out = N * order[k];
      const at = BLOCK * (offsets[k] + k);
      for (let i = 0; i < N; i++) {
        let sum = 0;
        for (let j = 0; j < N; j++) sum += v[at + N * i + j] * y[N * k + j];
        x[out + i] = sum;
      }
      for (let i = 0; i < N; i++) y[N * k + i] = x[out + i];
    }
  }
}

/** Replaces a block by its inverse, by Gauss and Jordan with row exchanges. Returns false if it has none. */
function invert(v: Float64Array, at: number, inverse: Float64Array): boolean {
  inverse.fill(0);
  for (let i = 0; i < N; i++) inverse[(N + 1) * i] = 1;
  for (let j = 0; j < N; j++) {
    let best = j;
    let size = 0;
    for (let i = 0; i < N; i++) {
      const value = Math.abs(v[at + N * i + j]);
      size = Math.max(size, value);
      if (i > j && value > Math.abs(v[at + N * best + j])) best = i;
    }
    const pivot = v[at + N * best + j];
    if (!(Math.abs(pivot) > SINGULAR * size)) return false;
    for (let k = 0; k < N; k++) {
      const [a, b] = [v[at + N * best + k], inverse[N * best + k]];
      v[at + N * best + k] = v[at + N * j + k];
      inverse[N * best + k] = inverse[N * j + k];
      v[at + N * j + k] = a / pivot;
      inverse[N * j + k] = b / pivot;
    }
    for (let i = 0; i < N; i++) {
      const factor = v[at + N * i + j];
      if (i === j || factor === 0) continue;
      for (let k = 0; k < N; k++) {
        v[at + N * i + k] -= factor * v[at + N * j + k];
        inverse[N * i + k] -= factor * inverse[N * j + k];
      }
    }
  }
  for (let i = 0; i < BLOCK; i++) v[at + i] = inverse[i];
  return true;
}

/** block ← block × (matrix at `at`) */
function multiplyRows(v: Float64Array, block: number, at: number): void {
  for (let i = block; i < block + BLOCK; i += N) {
    const [a, b, c, d, e, f] = [v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5]];
    for (let j = 0; j < N; j++) {
      const o = at + j;
      v[i + j] = a * v[o] + b * v[o + N] + c * v[o + 2 * N] + d * v[o + 3 * N] + e * v[o + 4 * N] + f * v[o + 5 * N];
    }
  }
}
