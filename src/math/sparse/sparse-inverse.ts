/**
 * S = L⁻¹ of a Cholesky factor, explicitly and sparse (section 4.2), so that A⁻¹ = Sᵀ S (7): two products whose
 * operations may run in any order, instead of two substitutions, which are sequential.
 *
 * Storage: a block of columns (`BlockTree`) is one dense row-major matrix with a row for each ancestor of its first
 * column, starting with that column itself. A walk up the tree finds a row's unknown; no index is stored for a value.
 */
import { deviceLimit } from "../../errors";
import { type BlockCholesky, factorBlocks } from "./block-cholesky";
import { type BlockTree, buildBlockTree, commonAncestor } from "./block-tree";
import { eliminationTree, permute, postorder } from "./elimination-tree";
import { nestedDissection } from "./nested-dissection";
import { subtractProduct } from "./product-kernel";
import type { SymmetricMatrix } from "./symmetric-matrix";

export interface SparseInverseOptions {
  /** name of the matrix in messages, default "matrix" */
  name?: string | undefined;
  /** size × 3: positions of the unknowns, which help to find small separators */
  coordinates?: ArrayLike<number> | undefined;
  /** see `buildBlockTree`, default 24 */
  relax?: number | undefined;
  /** largest size of S [bytes], default 4 GiB */
  mostBytes?: number | undefined;
  /** result of `symbolicInverse` for a matrix with entries at the same places */
  symbolic?: SymbolicInverse | undefined;
}

/** Size statistics of a sparse inverse. */
export interface FillStatistics {
  readonly unknowns: number;
  /** entries in the lower triangle of A */
  readonly matrixEntries: number;
  /** values stored for L, padding included */
  readonly factorEntries: number;
  /** values stored for S, padding included; 4 or 8 bytes each */
  readonly inverseEntries: number;
  /** entries that Theorem 1 allows: pairs of an unknown and an ancestor */
  readonly structuralEntries: number;
  readonly blocks: number;
}

/** A sparse inverse as plain data. */
export interface SparseInverseData {
  readonly tree: BlockTree;
  /** old number of each new unknown */
  readonly order: Int32Array;
  /** new number of each old one */
  readonly place: Int32Array;
  /** first value of each block */
  readonly offsets: Float64Array;
  readonly values: Float64Array;
  readonly statistics: FillStatistics;
}

/** Structure of S, which follows from the places of the entries of A before any value is computed. */
export interface SymbolicInverse {
  readonly tree: BlockTree;
  /** old number of each new unknown */
  readonly order: Int32Array;
  /** first value of each block, and finally the number of values */
  readonly offsets: Float64Array;
}

/** Orders the unknowns and finds the places of the entries of S. This takes a tenth of the total time. */
export function symbolicInverse(
  a: SymmetricMatrix,
  { coordinates, relax = 24 }: Pick<SparseInverseOptions, "coordinates" | "relax"> = {},
): SymbolicInverse {
  const dissection = nestedDissection(a, coordinates);
  const first = permute(a, dissection);
  const after = postorder(eliminationTree(first));
  const order = after.map((i) => dissection[i]);
  const permuted = permute(a, order);
  const tree = buildBlockTree(permuted, eliminationTree(permuted), relax);
  return { tree, order, offsets: inverseOffsets(tree) };
}

/**
 * Orders, factors and inverts a matrix in steps of a few milliseconds. It yields the completed part of the work, 0 to
 * 1, so that the caller may report progress, pause or cancel.
 *
 * @throws PliantError `degenerate-geometry` if A is not positive definite; `device-limit` if S is too large to be
 * stored
 */
export function* inversionSteps(
  a: SymmetricMatrix,
  options: SparseInverseOptions = {},
): Generator<number, SparseInverseData> {
  const { name = "matrix", mostBytes = MOST_BYTES } = options;
  yield 0;
  const { tree, order, offsets } = options.symbolic ?? symbolicInverse(a, options);
  const permuted = permute(a, order);
  yield 0.1;
  requireBytes(name, offsets, mostBytes);
  const values = reserve(name, offsets[tree.blockCount]);
  const factor = yield* scaled(factorBlocks(name, permuted, tree), 0.1, 0.35);
  yield* scaled(invert(factor, offsets, values), 0.35, 1);
  yield 1;
  const place = new Int32Array(a.size);
  order.forEach((old, i) => (place[old] = i));
  let structural = 0;
  for (const depth of tree.depth) structural += depth;
  const statistics = {
    unknowns: a.size,
    matrixEntries: (a.columns.length + a.size) / 2,
    factorEntries: factor.values.length,
    inverseEntries: values.length,
    structuralEntries: structural,
    blocks: tree.blockCount,
  };
  return { tree, order, place, offsets, values, statistics };
}

/** First value of each block of S, and finally the number of values. */
export function inverseOffsets({ starts, blockCount, depth }: BlockTree): Float64Array {
  const offsets = new Float64Array(blockCount + 1);
  for (let t = 0; t < blockCount; t++) offsets[t + 1] = offsets[t] + depth[starts[t]] * (starts[t + 1] - starts[t]);
  return offsets;
}

/** Largest size of S [bytes]. */
const MOST_BYTES = 2 ** 32;

/** @throws PliantError `device-limit` if S is too large to be stored */
export function requireBytes(object: string, offsets: Float64Array, mostBytes = MOST_BYTES): void {
  const bytes = 8 * offsets.at(-1)!;
  if (bytes > mostBytes)
    throw deviceLimit(object, bytes, `must not need more than ${mostBytes} bytes for its sparse inverse`);
}

function reserve(object: string, count: number): Float64Array {
  try {
    return new Float64Array(count);
  } catch {
    throw deviceLimit(object, 8 * count, "needs more bytes for its sparse inverse than there are");
  }
}

/** Maps the progress of some steps to a range of a larger task. */
function* scaled<T>(steps: Generator<number, T>, from: number, to: number): Generator<number, T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yield from + (to - from) * value;
  }
}

export class SparseInverse implements SparseInverseData {
  readonly tree;
  readonly order;
  readonly place;
  readonly offsets;
  readonly values;
  readonly statistics;
  private readonly gathered = new Float64Array(3 * 64);

  constructor({ tree, order, place, offsets, values, statistics }: SparseInverseData) {
    this.tree = tree;
    this.order = order;
    this.place = place;
    this.offsets = offsets;
    this.values = values;
    this.statistics = statistics;
  }

  /** Orders, factors and inverts a matrix. @throws PliantError as `inversionSteps` */
  static of(a: SymmetricMatrix, options: SparseInverseOptions = {}): SparseInverse {
    const steps = inversionSteps(a, options);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return new SparseInverse(value);
    }
  }

  get size(): number {
    return this.tree.size;
  }

  /**
   * x = A⁻¹ b = Sᵀ (S b) (8), three right-hand sides at once.
   *
   * @param b size × 3, in the numbering of the matrix; so is `x`, which may be the same array
   * @param scratch size × 3
   */
  solve(b: Float64Array, x: Float64Array, scratch: Float64Array): void {
    scratch.fill(0);
    this.forward(b, scratch);
    this.backward(scratch, x);
  }

  /** y += S b, with y in the order of elimination. */
  forward(b: Float64Array, y: Float64Array): void {
    const { tree, order, offsets, values, gathered } = this;
    const { starts, blockOf, parentOf, blockCount } = tree;
    for (let t = 0; t < blockCount; t++) {
      const start = starts[t];
      const width = starts[t + 1] - start;
      let any = 0;
      for (let j = 0; j < width; j++)
        for (let c = 0; c < 3; c++) {
          const value = b[3 * order[start + j] + c];
          gathered[3 * j + c] = value;
          any += Math.abs(value);
        }
      if (any === 0) continue;
      let at = offsets[t];
      for (let row = start; row >= 0;) {
        const block = blockOf[row];
        for (const end = starts[block + 1]; row < end; row++) {
          let sx = 0;
          let sy = 0;
          let sz = 0;
          for (let j = 0; j < 3 * width; j += 3) {
            const s = values[at++];
            sx += s * gathered[j];
            sy += s * gathered[j + 1];
            sz += s * gathered[j + 2];
          }
          y[3 * row] += sx;
          y[3 * row + 1] += sy;
          y[3 * row + 2] += sz;
        }
        row = parentOf[block]!;
      }
    }
  }

  /** x = Sᵀ y */
  backward(y: Float64Array, x: Float64Array): void {
    const { tree, order, offsets, values, gathered } = this;
    const { starts, blockOf, parentOf, blockCount } = tree;
    for (let t = 0; t < blockCount; t++) {
      const start = starts[t];
      const width = starts[t + 1] - start;
      gathered.fill(0);
      let at = offsets[t];
      for (let row = start; row >= 0;) {
        const block = blockOf[row];
        for (const end = starts[block + 1]; row < end; row++) {
          const yx = y[3 * row];
          const yy = y[3 * row + 1];
          const yz = y[3 * row + 2];
          for (let j = 0; j < 3 * width; j += 3) {
            const s = values[at++];
            gathered[j] += s * yx;
            gathered[j + 1] += s * yy;
            gathered[j + 2] += s * yz;
          }
        }
        row = parentOf[block]!;
      }
      for (let j = 0; j < width; j++) for (let c = 0; c < 3; c++) x[3 * order[start + j] + c] = gathered[3 * j + c]!;
    }
  }

  /** A column of S at the ancestors of an unknown (old number), from itself to the root: the packed S eⱼ. */
  column(unknown: number): Float64Array {
    const { starts, blockOf, depth } = this.tree;
    const j = this.place[unknown];
    const t = blockOf[j];
    const width = starts[t + 1] - starts[t];
    const skipped = j - starts[t];
    const packed = new Float64Array(depth[j]);
    for (let i = 0; i < packed.length; i++) packed[i] = this.values[this.offsets[t] + (i + skipped) * width + skipped]!;
    return packed;
  }

  /** Number of rows that the columns of two unknowns (old numbers) share at their ends. */
  sharedLength(i: number, j: number): number {
    const ancestor = commonAncestor(this.tree, this.place[i], this.place[j]);
    return ancestor < 0 ? 0 : this.tree.depth[ancestor];
  }
}

/**
 * Inverts from the root down: below the diagonal block, S = −S_anc L_anc S_JJ, with S_anc already known. The ancestors
 * of the block's first column include the paths of all rows of L in the block, so the products go straight into place.
 * Yields as `factorBlocks`.
 *
 * @param s values of S by blocks at `offsets`: changed
 */
function* invert(factor: BlockCholesky, offsets: Float64Array, s: Float64Array): Generator<number, void> {
  const { tree, rows, offsets: factorAt, values: l } = factor;
  const { starts, blockCount, blockOf, parentOf, depth } = tree;
  const inverse = new Float64Array(64 * 64);
  const packed = new Float64Array(64 * 64);
  let y = new Float64Array(0);
  for (let t = blockCount - 1; t >= 0; t--) {
    yield 1 - (t + 1) / blockCount;
    const start = starts[t];
    const width = starts[t + 1] - start;
    const at = offsets[t];
    invertTriangle(l, factorAt[t], width, s, at, inverse);
    // y = −L_below S_JJ, by rows
    const rowsT = rows[t];
    if (y.length < rowsT.length * width) y = new Float64Array(2 * rowsT.length * width);
    y.fill(0, 0, rowsT.length * width);
    const below = factorAt[t] + width * width;
    subtractProduct(y, 0, width, l, below, width, inverse, 0, width, rowsT.length, width, width);
    let from = 0;
    for (let p = parentOf[t]; p >= 0 && from < rowsT.length;) {
      const k = blockOf[p];
      const end = starts[k + 1];
      let to = from;
      while (to < rowsT.length && rowsT[to] < end) to++;
      if (to > from) {
        const low = rowsT[from];
        const span = rowsT[to - 1] - low + 1;
        packed.fill(0, 0, width * span);
        // packed is −y, as y has its sign already and `subtractProduct` subtracts
        for (let i = from; i < to; i++)
          for (let j = 0; j < width; j++) packed[j * span + rowsT[i] - low] = -y[i * width + j];
        const widthK = end - starts[k];
        // rows above `low` are zero in these columns of S
        const target = at + (depth[start] - depth[low]) * width;
        const source = offsets[k] + (low - starts[k]) * (widthK + 1);
        subtractProduct(s, target, width, s, source, widthK, packed, 0, span, depth[low], width, span);
      }
      from = to;
      p = parentOf[k]!;
    }
  }
}

/** Inverse of a lower triangle, row-major; `transposed` receives its transpose. */
function invertTriangle(
  l: Float64Array,
  from: number,
  w: number,
  out: Float64Array,
  at: number,
  transposed: Float64Array,
): void {
  transposed.fill(0, 0, w * w);
  for (let j = 0; j < w; j++)
    for (let i = j; i < w; i++) {
      let sum = i === j ? 1 : 0;
      for (let k = j; k < i; k++) sum -= l[from + i * w + k] * transposed[j * w + k];
      transposed[j * w + i] = sum / l[from + i * w + i];
      out[at + i * w + j] = transposed[j * w + i]!;
    }
}
