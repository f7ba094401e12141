/**
 * Lower bound of the eigenvalues of a symmetric matrix, as in section 4.2 of paper 1: a few steps of the QR algorithm
 * bring it closer to diagonal, then Gershgorin's circles (23) bound the eigenvalues.
 *
 * @param h k × k, row-major; destroyed
 */
export function eigenvalueBound(h: Float64Array, k: number, sweeps = 5): number {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    // H = Q R by Givens rotations of rows, then R Q by the same rotations of columns.
    let count = 0;
    for (let j = 0; j < k - 1; j++)
      for (let i = j + 1; i < k; i++, count++) {
        const [x, y] = [h[j * k + j], h[i * k + j]];
        const length = Math.sqrt(x * x + y * y);
        const c = (cosines[count] = length > 0 ? x / length : 1);
        const s = (sines[count] = length > 0 ? y / length : 0);
        for (let m = 0; m < k; m++) {
          const [a, b] = [h[j * k + m], h[i * k + m]];
          h[j * k + m] = c * a + s * b;
          h[i * k + m] = c * b - s * a;
        }
      }
    count = 0;
    for (let j = 0; j < k - 1; j++)
      for (let i = j + 1; i < k; i++, count++) {
        const [c, s] = [cosines[count], sines[count]];
        for (let m = 0; m < k; m++) {
          const [a, b] = [h[m * k + j], h[m * k + i]];
          h[m * k + j] = c * a + s * b;
          h[m * k + i] = c * b - s * a;
        }
      }
  }
  let bound = Infinity;
  for (let i = 0; i < k; i++) {
    let row = h[i * k + i];
    for (let j = 0; j < k; j++) if (j !== i) row -= Math.abs(h[i * k + j]);
    bound = Math.min(bound, row);
  }
  return bound;
}

/** Rotations of one sweep, for k up to 9. */
const cosines = new Float64Array(36);
const sines = new Float64Array(36);
