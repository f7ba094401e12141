/** A sparse symmetric matrix: all entries by rows, with ascending columns; each row has its diagonal. */
export interface SymmetricMatrix {
  readonly size: number;
  /** row i has the entries offsets[i] … offsets[i + 1] − 1 */
  readonly offsets: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

/**
 * Sum of small dense matrices, each over a few unknowns (the stiffness of finite elements), and a diagonal.
 *
 * @param size number of unknowns
 * @param diagonal size numbers
 * @param groups elements of one kind: `arity` unknowns each, and arity × arity values, row-major and symmetric
 */
export function assembleSymmetric(
  size: number,
  diagonal: ArrayLike<number>,
  groups: readonly { arity: number; indices: ArrayLike<number>; values: ArrayLike<number> }[],
): SymmetricMatrix {
  // Entries are counted with their duplicates, bucketed by row, and then joined row by row.
  const counts = new Int32Array(size + 1);
  for (let i = 0; i < size; i++) counts[i + 1] = 1;
  for (const { arity, indices } of groups) for (let i = 0; i < indices.length; i++) counts[indices[i] + 1] += arity;
  for (let i = 0; i < size; i++) counts[i + 1] += counts[i];
  const rawColumns = new Int32Array(counts[size]);
  const rawValues = new Float64Array(counts[size]);
  const next = counts.slice(0, size);
  for (let i = 0; i < size; i++) {
    rawColumns[next[i]] = i;
    rawValues[next[i]++] = diagonal[i]!;
  }
  for (const { arity, indices, values } of groups)
    for (let e = 0; e < indices.length; e += arity)
      for (let a = 0; a < arity; a++)
        for (let b = 0; b < arity; b++) {
          const at = next[indices[e + a]]++;
          rawColumns[at] = indices[e + b]!;
          rawValues[at] = values[arity * (e + a) + b]!;
        }
  const offsets = new Int32Array(size + 1);
  const place = new Int32Array(size).fill(-1);
  let end = 0;
  for (let i = 0; i < size; i++) {
    const first = end;
    for (let k = counts[i]; k < counts[i + 1]; k++) {
      const j = rawColumns[k];
      if (place[j] < first) {
        place[j] = end;
        rawColumns[end] = j;
        rawValues[end++] = rawValues[k]!;
      } else rawValues[place[j]] += rawValues[k];
    }
    sortRow(rawColumns, rawValues, first, end);
    // Later rows must not take places of this row for their own.
    for (let k = first; k < end; k++) place[rawColumns[k]] = -1;
    offsets[i + 1] = end;
  }
  return { size, offsets, columns: rawColumns.slice(0, end), values: rawValues.slice(0, end) };
}

/** Insertion sort: rows have a few dozen entries. */
function sortRow(columns: Int32Array, values: Float64Array, from: number, to: number): void {
  for (let k = from + 1; k < to; k++) {
    const column = columns[k];
    const value = values[k];
    let at = k - 1;
    for (; at >= from && columns[at] > column; at--) {
      columns[at + 1] = columns[at]!;
      values[at + 1] = values[at]!;
    }
    columns[at + 1] = column;
    values[at + 1] = value;
  }
}

/** out = A x, for `columns` vectors at once. @param x size × columns, row-major; so is `out` */
export function multiplySymmetric(a: SymmetricMatrix, x: Float64Array, out: Float64Array, columns = 1): void {
  for (let i = 0; i < a.size; i++)
    for (let c = 0; c < columns; c++) {
      let sum = 0;
      for (let k = a.offsets[i]; k < a.offsets[i + 1]; k++) sum += a.values[k] * x[columns * a.columns[k] + c];
      out[columns * i + c] = sum;
    }
}
