/**
 * Products of small row-major matrices that may have many zeros. Four rows of Y contribute to two rows of the result at
 * a time, which saves reads and writes; columns in which all four rows are zero are skipped.
 */

/** Runs [from, to) of columns in which the current rows are not all zero. */
let runs = new Int32Array(64);
let runEnd = 0;

/** A gap of zeros shorter than this does not end a run. */
const gap = 3;

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
  combine(x, inner, 1, y, out, rows, inner, columns, s);
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
  combine(x, 1, rows, y, out, rows, inner, columns, s);
}

/** out += s · Σ_k (column k of X) (row k of Y), where X is stepped through by two strides. */
function combine(
  x: Float64Array,
  rowStride: number,
  innerStride: number,
  y: Float64Array,
  out: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  s: number,
): void {
  if (runs.length < columns + 2) runs = new Int32Array(2 * columns + 2);
  for (let k = 0; k < inner; k += 4) {
    const count = Math.min(4, inner - k);
    findRuns(y, k * columns, count, columns);
    let i = 0;
    if (count === 4)
      for (; i + 1 < rows; i += 2)
        addFourTwice(
          x,
          i * rowStride + k * innerStride,
          rowStride,
          innerStride,
          y,
          k * columns,
          out,
          i * columns,
          columns,
          s,
        );
    for (; i < rows; i++)
      for (let part = 0; part < count; part++)
        addOne(s * x[i * rowStride + (k + part) * innerStride], y, (k + part) * columns, out, i * columns);
  }
}

/** Adds the four rows of Y at `from` to two rows of the result; each number of Y is read once for both. */
function addFourTwice(
  x: Float64Array,
  at: number,
  rowStride: number,
  innerStride: number,
  y: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
  columns: number,
  s: number,
): void {
  const a = s * x[at];
  const b = s * x[at + innerStride];
  const c = s * x[at + 2 * innerStride];
  const d = s * x[at + 3 * innerStride];
  const other = at + rowStride;
  const e = s * x[other];
  const f = s * x[other + innerStride];
  const g = s * x[other + 2 * innerStride];
  const h = s * x[other + 3 * innerStride];
  if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0 && g === 0 && h === 0) return;
  const second = from + columns;
  const third = second + columns;
  const fourth = third + columns;
  const next = to + columns;
  for (let run = 0; run < runEnd; run += 2) {
    const end = runs[run + 1];
    for (let j = runs[run]; j < end; j++) {
      const p = y[from + j];
      const q = y[second + j];
      const r = y[third + j];
      const t = y[fourth + j];
      out[to + j] += a * p + b * q + (c * r + d * t);
      out[next + j] += e * p + f * q + (g * r + h * t);
    }
  }
}

/** out[to …] += a · (row of y at `from`) */
function addOne(a: number, y: Float64Array, from: number, out: Float64Array, to: number): void {
  if (a === 0) return;
  for (let run = 0; run < runEnd; run += 2) {
    const end = runs[run + 1];
    for (let j = runs[run]; j < end; j++) out[to + j] += a * y[from + j];
  }
}

function findRuns(y: Float64Array, from: number, count: number, columns: number): void {
  runEnd = 0;
  let zeros = gap;
  for (let j = 0; j < columns; j++) {
    let some = false;
    for (let row = 0, at = from + j; row < count; row++, at += columns) some ||= y[at] !== 0;
    if (!some) {
      zeros++;
      continue;
    }
    if (zeros >= gap) {
      runs[runEnd] = j;
      runEnd += 2;
    }
    runs[runEnd - 1] = j + 1;
    zeros = 0;
  }
}
