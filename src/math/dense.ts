/** The sum of aᵢ bᵢ over the first numbers of two arrays, in ascending order. */
export function dotProduct(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Cholesky solve A x = b for a small symmetric positive definite matrix, in place: A is destroyed, b becomes x.
 *
 * @param a k × k, row-major; only the lower triangle is read
 * @param b k numbers
 * @returns false, with `b` unusable, if a pivot is not positive: A is not positive definite
 */
export function solveCholesky(a: Float64Array, b: Float64Array, k: number): boolean {
  if (!factorCholesky(a, k)) return false;
  substituteCholesky(a, b, k);
  return true;
}

/** Writes L with L Lᵀ = A in place of the lower triangle of A, see `solveCholesky`. */
export function factorCholesky(a: Float64Array, k: number): boolean {
  for (let j = 0; j < k; j++) {
    let pivot = a[j * k + j];
    for (let m = 0; m < j; m++) pivot -= a[j * k + m] * a[j * k + m];
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    a[j * k + j] = root;
    for (let i = j + 1; i < k; i++) {
      let sum = a[i * k + j];
      for (let m = 0; m < j; m++) sum -= a[i * k + m] * a[j * k + m];
      a[i * k + j] = sum / root;
    }
  }
  return true;
}

/** Solves L Lᵀ x = b in place: b becomes x. Only the lower triangle of L, k rows of `stride` numbers, is read. */
export function substituteCholesky(a: Float64Array, b: Float64Array, k: number, stride = k): void {
  for (let i = 0; i < k; i++) {
    let sum = b[i];
    for (let m = 0; m < i; m++) sum -= a[i * stride + m] * b[m];
    b[i] = sum / a[i * stride + i];
  }
  for (let i = k - 1; i >= 0; i--) {
    let sum = b[i];
    for (let m = i + 1; m < k; m++) sum -= a[m * stride + i] * b[m];
    b[i] = sum / a[i * stride + i];
  }
}
