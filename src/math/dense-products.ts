/** Products of small dense row-major matrices. Four rows of Y at a time, so that a row of the result is read and written less. */

/**
 * out += s · X Y
 *
 * @param x rows × inner
 * @param y inner × columns
 * @param out rows × columns
 */
export function addProduct(
  x: Float64Array,
  y: Float64Array,
  out: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  s: number,
): void {
  for (let i = 0; i < rows; i++) combineRows(x, i * inner, 1, y, out, i * columns, inner, columns, s);
}

/**
 * out += s · Xᵀ Y
 *
 * @param x inner × rows
 * @param y inner × columns
 * @param out rows × columns
 */
export function addTransposedProduct(
  x: Float64Array,
  y: Float64Array,
  out: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  s: number,
): void {
  for (let i = 0; i < rows; i++) combineRows(x, i, rows, y, out, i * columns, inner, columns, s);
}

/** One row of the result: out[to …] += s · Σ x[at + k · stride] · (row k of y). */
function combineRows(
  x: Float64Array,
  at: number,
  stride: number,
  y: Float64Array,
  out: Float64Array,
  to: number,
  inner: number,
  columns: number,
  s: number,
): void {
  let k = 0;
  for (; k + 3 < inner; k += 4) {
    const a = s * x[at + k * stride];
    const b = s * x[at + (k + 1) * stride];
    const c = s * x[at + (k + 2) * stride];
    const d = s * x[at + (k + 3) * stride];
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    const ya = k * columns;
    const yb = ya + columns;
    const yc = yb + columns;
    const yd = yc + columns;
    for (let j = 0; j < columns; j++) out[to + j] += a * y[ya + j] + b * y[yb + j] + (c * y[yc + j] + d * y[yd + j]);
  }
  for (; k < inner; k++) {
    const a = s * x[at + k * stride];
    if (a === 0) continue;
    const ya = k * columns;
    for (let j = 0; j < columns; j++) out[to + j] += a * y[ya + j];
  }
}
