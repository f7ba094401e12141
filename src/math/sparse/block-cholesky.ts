import { degenerate } from "../../errors";
import { blockRows, type BlockTree } from "./block-tree";
import { subtractProduct } from "./product-kernel";
import type { SymmetricMatrix } from "./symmetric-matrix";

/** A Cholesky factor by blocks: each block has the triangle on the diagonal and the non-empty rows below. */
export interface BlockCholesky {
  readonly tree: BlockTree;
  /** rows of L below each block, ascending */
  readonly rows: readonly Int32Array[];
  /** first value of each block; values are row-major, as wide as the block, with the diagonal part first */
  readonly offsets: Float64Array;
  readonly values: Float64Array;
}

/**
 * A = L Lᵀ, block by block from the left: each block takes the products of all blocks before it that reach its columns,
 * and is then factored as a dense matrix. Yields the completed part of the work, 0 to 1, after every block.
 *
 * @param object name of the matrix in messages
 * @throws PliantError `degenerate-geometry` if A is not positive definite
 */
export function* factorBlocks(object: string, a: SymmetricMatrix, tree: BlockTree): Generator<number, BlockCholesky> {
  const { starts, blockCount, blockOf } = tree;
  const rows = blockRows(a, tree);
  const offsets = new Float64Array(blockCount + 1);
  for (let t = 0; t < blockCount; t++) {
    const width = starts[t + 1] - starts[t];
    offsets[t + 1] = offsets[t] + width * (width + rows[t].length);
  }
  const values = new Float64Array(offsets[blockCount]);
  const place = new Int32Array(a.size);
  // Blocks that will update a block next, as linked lists, and the number of their rows already handled.
  const first = new Int32Array(blockCount).fill(-1);
  const next = new Int32Array(blockCount).fill(-1);
  const done = new Int32Array(blockCount);
  let product = new Float64Array(0);
  const wait = (k: number): void => {
    if (done[k] === rows[k].length) return;
    const t = blockOf[rows[k][done[k]]];
    next[k] = first[t]!;
    first[t] = k;
  };

  for (let t = 0; t < blockCount; t++) {
    yield t / blockCount;
    const start = starts[t];
    const end = starts[t + 1];
    const width = end - start;
    const at = offsets[t];
    for (let i = start; i < end; i++) place[i] = i - start;
    rows[t].forEach((row, i) => (place[row] = width + i));
    for (let j = start; j < end; j++)
      for (let k = a.offsets[j]; k < a.offsets[j + 1]; k++)
        if (a.columns[k] >= j) values[at + place[a.columns[k]] * width + j - start] = a.values[k]!;

    for (let k = first[t]; k >= 0;) {
      const following = next[k];
      const rowsK = rows[k];
      const widthK = starts[k + 1] - starts[k];
      const from = done[k];
      let to = from;
      while (to < rowsK.length && rowsK[to] < end) to++;
      const m = rowsK.length - from;
      const n = to - from;
      if (product.length < m * n) product = new Float64Array(2 * m * n);
      else product.fill(0, 0, m * n);
      const source = offsets[k] + widthK * (widthK + from);
      subtractProduct(product, 0, n, values, source, widthK, values, source, widthK, m, n, widthK);
      for (let i = 0; i < m; i++) {
        const target = at + place[rowsK[from + i]] * width - start;
        for (let j = 0; j < n; j++) values[target + rowsK[from + j]] += product[i * n + j];
      }
      done[k] = to;
      wait(k);
      k = following;
    }
    factorDense(object, values, at, width, rows[t].length);
    wait(t);
  }
  return { tree, rows, offsets, values };
}

/** Number of columns of a dense block that are subtracted at once. */
const PANEL = 8;

/** Factors the leading w × w part in place, then solves X Lᵀ = B for the rows below. */
function factorDense(object: string, v: Float64Array, at: number, w: number, below: number): void {
  for (let first = 0; first < w; first += PANEL) {
    const last = Math.min(first + PANEL, w);
    const panel = at + first * w;
    // C −= L Lᵀ with the completed columns to the left
    subtractProduct(v, panel + first, w, v, panel, w, v, panel, w, w + below - first, last - first, first);
    for (let i = first; i < w + below; i++) {
      const row = at + i * w;
      const end = Math.min(i + 1, last);
      for (let j = first; j < end; j++) {
        const other = at + j * w;
        let sum = v[row + j];
        for (let k = first; k < j; k++) sum -= v[row + k] * v[other + k];
        if (j < i) v[row + j] = sum / v[other + j];
        else {
          if (!(sum > 0)) throw degenerate(object, sum, "must have positive masses and elements (pivot)");
          v[row + j] = Math.sqrt(sum);
        }
      }
      // Numbers above the diagonal repeat their mirror images: clear them.
      if (i < last) v.fill(0, row + i + 1, row + w);
    }
  }
}
