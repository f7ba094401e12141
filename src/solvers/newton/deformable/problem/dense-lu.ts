/** Pivots of the scaled matrix below this belong to redundant rows, whose unknowns do not change. */
const SINGULAR = 1e-13;

/** LU factors with row exchanges of a square matrix that need not have full rank. */
export class DenseLu {
  /** row-major, `size` numbers a row; written before `solve` */
  matrix = new Float64Array(0);
  private room = 0;

  /** Makes room for a matrix. */
  reserve(size: number): void {
    if (this.room >= size) return;
    this.room = Math.ceil(1.5 * size);
    this.matrix = new Float64Array(this.room * this.room);
  }

  /** Solves in place: b becomes the solution; the matrix is overwritten. */
  solve(b: Float64Array, size: number): void {
    const { matrix: a } = this;
    for (let j = 0; j < size; j++) {
      let best = j;
      for (let i = j + 1; i < size; i++) if (Math.abs(a[i * size + j]) > Math.abs(a[best * size + j])) best = i;
      const pivot = a[best * size + j];
      if (best !== j) {
        for (let k = j; k < size; k++) {
          const kept = a[j * size + k];
          a[j * size + k] = a[best * size + k];
          a[best * size + k] = kept;
        }
        const kept = b[j];
        b[j] = b[best];
        b[best] = kept;
      }
      if (!(Math.abs(pivot) > SINGULAR)) {
        a[j * size + j] = 0;
        continue;
      }
      for (let i = j + 1; i < size; i++) {
        const factor = a[i * size + j] / pivot;
        if (factor === 0) continue;
        for (let k = j + 1; k < size; k++) a[i * size + k] -= factor * a[j * size + k];
        b[i] -= factor * b[j];
      }
    }
    for (let j = size - 1; j >= 0; j--) {
      const pivot = a[j * size + j];
      let sum = b[j];
      for (let k = j + 1; k < size; k++) sum -= a[j * size + k] * b[k];
      b[j] = pivot === 0 ? 0 : sum / pivot;
    }
  }
}
