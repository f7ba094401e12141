import { substituteCholesky } from "../../math/dense";

/**
 * Cholesky factor L Lᵀ of A_CC that is updated as rows enter and leave C, at a cost of O(k²) each: the incremental
 * factor of the pivoting solver. Rows are in the order in which they were added.
 */
export class CholeskyUpdate {
  /** Rows in the factor, as row numbers of A. */
  members = new Int32Array(0);
  count = 0;
  private l = new Float64Array(0);
  private stride = 0;

  reset(room: number): void {
    this.count = 0;
    if (room <= this.stride) return;
    this.stride = room;
    this.l = new Float64Array(room * room);
    this.members = new Int32Array(room);
  }

  /**
   * Adds row `row` of A (n × n).
   *
   * @param tolerance least pivot, as part of the diagonal
   * @returns false, with nothing changed, if the row depends on rows already in the factor
   */
  append(a: Float64Array, n: number, row: number, tolerance: number): boolean {
    const { l, stride, members, count } = this;
    const at = count * stride;
    let pivot = a[row * n + row];
    const least = tolerance * pivot;
    for (let j = 0; j < count; j++) {
      let sum = a[row * n + members[j]];
      for (let k = 0, other = j * stride; k < j; k++) sum -= l[at + k] * l[other + k];
      sum /= l[j * stride + j];
      l[at + j] = sum;
      pivot -= sum * sum;
    }
    if (!(pivot > least)) return false;
    l[at + count] = Math.sqrt(pivot);
    members[count] = row;
    this.count++;
    return true;
  }

  /** Removes the row at place `place`; plane rotations make the rest triangular again. */
  remove(place: number): void {
    const { l, stride, members } = this;
    const count = --this.count;
    for (let i = place; i < count; i++) {
      members[i] = members[i + 1];
      for (let j = 0; j <= i + 1; j++) l[i * stride + j] = l[(i + 1) * stride + j];
    }
    for (let j = place; j < count; j++) {
      const x = l[j * stride + j];
      const y = l[j * stride + j + 1];
      const r = Math.sqrt(x * x + y * y);
      const c = x / r;
      const s = y / r;
      for (let i = j; i < count; i++) {
        const p = l[i * stride + j];
        const q = l[i * stride + j + 1];
        l[i * stride + j] = c * p + s * q;
        l[i * stride + j + 1] = c * q - s * p;
      }
    }
  }

  /** x ← A_CC⁻¹ x, x in the order of `members`. */
  solve(x: Float64Array): void {
    substituteCholesky(this.l, x, this.count, this.stride);
  }
}
