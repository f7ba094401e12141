import { subtreeSizes } from "./elimination-tree";
import type { SymmetricMatrix } from "./symmetric-matrix";

/** Largest number of columns of a block. */
const WIDEST = 64;

/**
 * The elimination tree cut into blocks: runs of columns, each of which is the parent of the previous one.
 *
 * A column of S = L⁻¹ has entries exactly at the ancestors of its unknown (Theorem 1). A walk finds them: the rest of
 * the block, then the parent of its last column, and so on to the root. The number of steps is the column's depth. Two
 * columns whose paths have met share all further rows, so that equal places of packed columns mean the same rows if the
 * columns are **aligned at their ends**. No index has to be stored for a value.
 */
export interface BlockTree {
  readonly size: number;
  /** block t has the columns starts[t] … starts[t + 1] − 1 */
  readonly starts: Int32Array;
  readonly blockCount: number;
  /** block of each column */
  readonly blockOf: Int32Array;
  /** parent column of the last column of each block, −1 for roots */
  readonly parentOf: Int32Array;
  /** number of ancestors of each column, with itself */
  readonly depth: Int32Array;
}

/**
 * @param a matrix in the order of elimination, postordered
 * @param parent elimination tree of `a`
 * @param relax subtrees of at most this many unknowns count as a run, whatever their shape, at the cost of a few stored
 * zeros
 */
export function buildBlockTree(a: SymmetricMatrix, parent: Int32Array, relax: number): BlockTree {
  const { size } = a;
  const chain = parent.slice();
  const sizes = subtreeSizes(parent);
  for (let i = 0; i < size; i++) {
    if (sizes[i] > relax || (parent[i] >= 0 && sizes[parent[i]] <= relax)) continue;
    for (let j = i - sizes[i] + 1; j < i; j++) chain[j] = j + 1;
  }
  const counts = columnCounts(a, parent);
  const starts = [0];
  for (let j = 1; j < size; j++) {
    const first = starts[starts.length - 1];
    // A block of L has the rows of its last column in all its columns: too many zeros in the first column cost time.
    const isFull = counts[j] + j - first <= 1.25 * counts[first] + 16;
    if (chain[j - 1] !== j || j - first === WIDEST || !isFull) starts.push(j);
  }
  const blockCount = size === 0 ? 0 : starts.length;
  starts.push(size);
  const blockOf = new Int32Array(size);
  const parentOf = new Int32Array(blockCount);
  const depth = new Int32Array(size);
  for (let t = blockCount - 1; t >= 0; t--) {
    const last = starts[t + 1] - 1;
    parentOf[t] = chain[last]!;
    const above = chain[last] < 0 ? 0 : depth[chain[last]];
    for (let j = starts[t]; j <= last; j++) {
      blockOf[j] = t;
      depth[j] = above + last + 1 - j;
    }
  }
  return { size, starts: Int32Array.from(starts), blockCount, blockOf, parentOf, depth };
}

/** Entries of each column of the Cholesky factor, diagonal included, from the row subtrees. */
export function columnCounts(a: SymmetricMatrix, parent: Int32Array): Int32Array {
  const counts = new Int32Array(a.size).fill(1);
  const mark = new Int32Array(a.size).fill(-1);
  for (let i = 0; i < a.size; i++) {
    mark[i] = i;
    for (let k = a.offsets[i]; k < a.offsets[i + 1] && a.columns[k] < i; k++)
      for (let j = a.columns[k]; j >= 0 && mark[j] !== i; j = parent[j]!) {
        mark[j] = i;
        counts[j]++;
      }
  }
  return counts;
}

/** Rows of L below each block: those of the matrix and of the blocks below it in the tree. */
export function blockRows(a: SymmetricMatrix, tree: BlockTree): Int32Array[] {
  const { starts, blockCount, blockOf, parentOf } = tree;
  const children: number[][] = Array.from({ length: blockCount }, () => []);
  const mark = new Int32Array(a.size).fill(-1);
  const rows: Int32Array[] = [];
  for (let t = 0; t < blockCount; t++) {
    const end = starts[t + 1];
    const found: number[] = [];
    const add = (i: number): void => {
      if (i < end || mark[i] === t) return;
      mark[i] = t;
      found.push(i);
    };
    for (let j = starts[t]; j < end; j++)
      for (let k = a.offsets[j + 1] - 1; k >= a.offsets[j] && a.columns[k] >= end; k--) add(a.columns[k]);
    for (const child of children[t]) rows[child].forEach(add);
    rows.push(Int32Array.from(found).sort());
    if (parentOf[t] >= 0) children[blockOf[parentOf[t]]].push(t);
  }
  return rows;
}

/** The first common ancestor of two columns, −1 if they have none. */
export function commonAncestor(tree: BlockTree, i: number, j: number): number {
  const { blockOf, parentOf } = tree;
  while (i >= 0 && j >= 0) {
    const s = blockOf[i];
    const t = blockOf[j];
    if (s === t) return Math.max(i, j);
    if (s < t) i = parentOf[s]!;
    else j = parentOf[t]!;
  }
  return -1;
}
