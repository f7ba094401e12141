/**
 * A = L Lᵀ of a symmetric positive definite matrix of 6 × 6 blocks, one row of blocks for each body, in the order of
 * `MinimumDegree`. Places of blocks stay the same between factorizations as long as the graph does not change.
 *
 * Column k holds its diagonal block first, then the blocks below in the order of `rows`. Blocks are row-major.
 */

import { MinimumDegree } from "./minimum-degree";

/** Number of values of a row of a block, and of a block. */
export const N = 6;
export const BLOCK = N * N;

export class BlockFactor {
  readonly pattern = new MinimumDegree();
  values = new Float64Array(0);
  private edges = new Int32Array(0);
  private edgeCount = -1;
  /** position of each row in the current column */
  protected position = new Int32Array(0);
  protected solution = new Float64Array(0);

  /** Number of 6 × 6 products of a factorization, a measure of its cost. */
  get work(): number {
    const { offsets, size } = this.pattern;
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const below = offsets[k + 1] - offsets[k];
      sum += (below * (below + 3)) / 2;
    }
    return sum;
  }

  /** Sets the graph, unless it is the same as before. @param edges two vertices each */
  setGraph(size: number, edges: Int32Array, edgeCount: number): void {
    if (this.pattern.size === size && this.edgeCount === edgeCount) {
      let i = 0;
      while (i < 2 * edgeCount && this.edges[i] === edges[i]) i++;
      if (i === 2 * edgeCount) return;
    }
    if (this.edges.length < 2 * edgeCount) this.edges = new Int32Array(4 * edgeCount);
    for (let i = 0; i < 2 * edgeCount; i++) this.edges[i] = edges[i];
    this.edgeCount = edgeCount;
    this.pattern.compute(size, edges, edgeCount);
    if (this.position.length < size) {
      this.position = new Int32Array(2 * size);
      this.solution = new Float64Array(2 * N * size);
    }
  }

  /** Makes all blocks zero. */
  clear(): void {
    const { offsets, size } = this.pattern;
    const length = BLOCK * (offsets[size] + size);
    if (this.values.length < length) this.values = new Float64Array(Math.ceil(1.3 * length));
    else this.values.fill(0, 0, length);
  }

  /** Start of the diagonal block of a vertex. */
  diagonal(vertex: number): number {
    const k = this.pattern.place[vertex];
    return BLOCK * (this.pattern.offsets[k] + k);
  }

  /** Start of the block of two vertices; its rows belong to the vertex that is eliminated later. */
  between(a: number, b: number): number {
    const { place, offsets, rows } = this.pattern;
    const i = place[a] > place[b] ? place[a] : place[b];
    const k = place[a] > place[b] ? place[b] : place[a];
    let low = offsets[k];
    let high = offsets[k + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] < i) low = middle + 1;
      else high = middle;
    }
    return BLOCK * (low + k + 1);
  }

  /** Whether the rows of the block of two vertices are those of a. */
  isLater(a: number, b: number): boolean {
    return this.pattern.place[a] > this.pattern.place[b];
  }

  /** Factors the assembled matrix in place. Returns false if it is not positive definite. */
  factor(): boolean {
    const { values: v, position } = this;
    const { offsets, rows, size } = this.pattern;
    for (let k = 0; k < size; k++) {
      const from = offsets[k];
      const to = offsets[k + 1];
      const at = BLOCK * (from + k);
      if (!factorDiagonal(v, at)) return false;
      for (let i = from; i < to; i++) solveRow(v, BLOCK * (i + k + 1), at);
      // Subtract products of this column from the columns to its right.
      for (let j = from; j < to; j++) {
        const column = rows[j];
        const other = offsets[column];
        // That column has all rows that are further below in this one, in the same order.
        for (let i = other; i < offsets[column + 1]; i++) position[rows[i]] = i + column + 1;
        const source = BLOCK * (j + k + 1);
        subtract(v, BLOCK * (other + column), source, source);
        for (let i = j + 1; i < to; i++) subtract(v, BLOCK * position[rows[i]], BLOCK * (i + k + 1), source);
      }
    }
    return true;
  }

  /** Computes x = A⁻¹ b, with 6 numbers for each vertex; x may be b. */
  solve(b: Float64Array, x: Float64Array): void {
    const { values: v, solution: y } = this;
    const { offsets, order, size } = this.pattern;
    for (let k = 0; k < size; k++) for (let i = 0; i < N; i++) y[N * k + i] = b[N * order[k] + i];
    for (let k = 0; k < size; k++) {
      const at = BLOCK * (offsets[k] + k);
      for (let i = 0; i < N; i++) {
        let sum = y[N * k + i];
        for (let j = 0; j < i; j++) sum -= v[at + N * i + j] * y[N * k + j];
        y[N * k + i] = sum / v[at + N * i + i];
      }
      this.takeDown(k);
    }
    for (let k = size - 1; k >= 0; k--) {
      const at = BLOCK * (offsets[k] + k);
      this.takeUp(k, 0);
      for (let i = N - 1; i >= 0; i--) {
        let sum = y[N * k + i];
        for (let j = i + 1; j < N; j++) sum -= v[at + N * j + i] * y[N * k + j];
        y[N * k + i] = sum / v[at + N * i + i];
      }
    }
    for (let k = 0; k < size; k++) for (let i = 0; i < N; i++) x[N * order[k] + i] = y[N * k + i];
  }

  /** Subtracts from the rows below a vertex of the solution what it gives them. */
  protected takeDown(k: number): void {
    const { values: v, solution: y } = this;
    const { offsets, rows } = this.pattern;
    for (let e = offsets[k]; e < offsets[k + 1]; e++) {
      const block = BLOCK * (e + k + 1);
      const row = N * rows[e];
      for (let i = 0; i < N; i++) {
        let sum = 0;
        for (let j = 0; j < N; j++) sum += v[block + N * i + j] * y[N * k + j];
        y[row + i] -= sum;
      }
    }
  }

  /** Subtracts from a vertex of the solution what the rows below give it; transposed blocks begin at `start`. */
  protected takeUp(k: number, start: number): void {
    const { values: v, solution: y } = this;
    const { offsets, rows } = this.pattern;
    for (let e = offsets[k]; e < offsets[k + 1]; e++) {
      const block = start + BLOCK * (e + k + 1);
      const row = N * rows[e];
      for (let i = 0; i < N; i++) {
        const value = y[row + i];
        for (let j = 0; j < N; j++) y[N * k + j] -= v[block + N * i + j] * value;
      }
    }
  }
}

/** Cholesky factor of a block, lower triangle. */
function factorDiagonal(v: Float64Array, at: number): boolean {
  for (let i = 0; i < N; i++)
    for (let j = 0; j <= i; j++) {
      let sum = v[at + N * i + j];
      for (let k = 0; k < j; k++) sum -= v[at + N * i + k] * v[at + N * j + k];
      if (i > j) v[at + N * i + j] = sum / v[at + N * j + j];
      else if (sum > 0) v[at + N * i + i] = Math.sqrt(sum);
      else return false;
    }
  return true;
}

/** X Lᵀ = B in place, L the diagonal block. */
function solveRow(v: Float64Array, block: number, at: number): void {
  for (let i = block; i < block + BLOCK; i += N)
    for (let j = 0; j < N; j++) {
      let sum = v[i + j];
      for (let k = 0; k < j; k++) sum -= v[i + k] * v[at + N * j + k];
      v[i + j] = sum / v[at + N * j + j];
    }
}

/** target −= a bᵀ */
export function subtract(v: Float64Array, target: number, a: number, b: number): void {
  for (let j = 0; j < N; j++) {
    const o = b + N * j;
    const b0 = v[o];
    const b1 = v[o + 1];
    const b2 = v[o + 2];
    const b3 = v[o + 3];
    const b4 = v[o + 4];
    const b5 = v[o + 5];
    for (let i = 0; i < N; i++) {
      const r = a + N * i;
      v[target + N * i + j] -=
        v[r] * b0 + v[r + 1] * b1 + v[r + 2] * b2 + v[r + 3] * b3 + v[r + 4] * b4 + v[r + 5] * b5;
    }
  }
}
