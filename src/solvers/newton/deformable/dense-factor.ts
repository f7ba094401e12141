/** Pivots of the scaled matrix below this are those of redundant rows: they get no impulse of their own. */
const SINGULAR = 1e-12;

/** LDLᵀ factors of a symmetric matrix that need not have full rank, scaled to a diagonal of ones first. */
export class DenseFactor {
  private matrix = new Float64Array(0);
  private scale = new Float64Array(0);
  private work = new Float64Array(0);

  /** Makes room for a matrix; `entry` then writes its lower half. */
  reserve(size: number): void {
    if (this.scale.length >= size) return;
    const room = 2 * size;
    this.matrix = new Float64Array((room * (room + 1)) / 2);
    this.scale = new Float64Array(room);
    this.work = new Float64Array(room);
  }

  /** Sets row i, column j ≤ i. */
  set(i: number, j: number, value: number): void {
    this.matrix[(i * (i + 1)) / 2 + j] = value;
  }

  factor(size: number): void {
    const { matrix, scale, work } = this;
    for (let i = 0; i < size; i++) {
      const diagonal = matrix[(i * (i + 1)) / 2 + i];
      scale[i] = diagonal > 0 ? 1 / Math.sqrt(diagonal) : 0;
    }
    for (let i = 0; i < size; i++) {
      const rowI = (i * (i + 1)) / 2;
      for (let j = 0; j <= i; j++) matrix[rowI + j] *= scale[i] * scale[j];
      let pivot = matrix[rowI + i];
      for (let j = 0; j < i; j++) {
        const rowJ = (j * (j + 1)) / 2;
        let sum = matrix[rowI + j];
        for (let k = 0; k < j; k++) sum -= work[k] * matrix[rowJ + k];
        work[j] = sum;
        const l = sum * matrix[rowJ + j];
        matrix[rowI + j] = l;
        pivot -= l * sum;
      }
      matrix[rowI + i] = pivot > SINGULAR ? 1 / pivot : 0;
    }
  }

  /** b becomes the solution. */
  solve(b: Float64Array, size: number): void {
    const { matrix, scale } = this;
    for (let i = 0; i < size; i++) {
      const row = (i * (i + 1)) / 2;
      let sum = scale[i] * b[i];
      for (let k = 0; k < i; k++) sum -= matrix[row + k] * b[k];
      b[i] = sum;
    }
    for (let i = 0; i < size; i++) b[i] *= matrix[(i * (i + 1)) / 2 + i];
    for (let i = size - 1; i >= 0; i--) {
      const value = b[i];
      const row = (i * (i + 1)) / 2;
      for (let k = 0; k < i; k++) b[k] -= matrix[row + k] * value;
      b[i] = scale[i] * value;
    }
  }
}
