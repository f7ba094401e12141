/** Part of the largest diagonal entry of A that is added to all, so that A without full rank can be solved. */
const SOFTENING = 1e-10;
/** Number of projections: each leaves a millionth of what cannot be corrected. */
const ROUNDS = 3;

/**
 * Replaces errors of constraints by the part that motions can correct, their projection on the range of A: (A (A +
 * ε)⁻¹)³ e. The rows of a loop may depend on each other, and errors that no motion removes would demand forces without
 * end.
 *
 * @param a A of the constraints, n × n, row-major, symmetric positive semidefinite; overwritten
 * @param e n errors
 */
export function projectErrors(a: Float64Array, e: Float64Array): void {
  const n = e.length;
  const whole = a.slice();
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, a[i * n + i]);
  // Cholesky: L in the lower triangle
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] + (i === j ? SOFTENING * largest : 0);
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i === j ? Math.sqrt(Math.max(sum, SOFTENING * SOFTENING * largest)) : sum / a[j * n + j];
    }
  const y = new Float64Array(n);
  for (let round = 0; round < ROUNDS; round++) {
    y.set(e);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) y[i] -= a[i * n + k] * y[k];
      y[i] /= a[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) y[i] -= a[k * n + i] * y[k];
      y[i] /= a[i * n + i];
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += whole[i * n + k] * y[k];
      e[i] = sum;
    }
  }
}
