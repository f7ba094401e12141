/**
 * S as the products S b and Sᵀ y read it: records of shaders/local-global/step/quads.wgsl. Four rows that follow on each other are a
 * quad, whose columns, from the first descendant of any of its rows on, have no gaps; the values of a quad are four a column. No
 * quad is of two bodies.
 * Either product loads them in stretches of 64 bytes, and one load of b or y serves four of them.
 *
 * Work is cut into pieces of the same length, which may be done in any order; a second kernel adds up what they found. So
 * invocations need not wait for each other, and long rows are as many pieces as they are worth.
 */
import * as structs from "../../../generated/structs";
import { StructWriter } from "../../../gpu/struct";
import type { BlockTree } from "../../../math/sparse/block-tree";
import type { SparseInverse } from "../../../math/sparse/sparse-inverse";

/** Columns of a piece of S b: `FORWARD_COLUMNS` in forward.wgsl. */
const FORWARD_COLUMNS = 64;
/** Quads of a piece of Sᵀ y: `BACKWARD_QUADS` in backward.wgsl. */
const BACKWARD_QUADS = 16;
const NO_QUAD = 0xffffffff;

/** The places of the entries of S. */
export type SparseShape = Pick<SparseInverse, "tree">;

/** Pieces of a product, and where those of each quad begin. */
export interface Pieces {
  /** a quad of rows or of columns, and where it begins: a column, or a quad of rows */
  readonly list: Uint32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
}

export type QuadTables = Readonly<ReturnType<typeof quadTables>>;

/**
 * @param bodies their sparse inverses, one after the other
 * @param mostBytes that a buffer may have
 */
export function quadTables(bodies: readonly SparseInverse[], mostBytes: number) {
  const { quadCount, first, next, at, chunks, forward, backward } = quadShape(bodies, mostBytes);
  const writer = new StructWriter(structs.SparseQuad, quadCount);
  for (let q = 0; q < quadCount; q++) {
    // the shader adds a column, modulo 2³²
    writer.set(q, "at", at[q] >>> 0);
    writer.set(q, "firstColumn", first[q]);
    writer.set(q, "next", next[q]);
  }
  return {
    /** of each quad, where its values would begin in their buffer if they had a column 0, in records of four */
    at,
    quads: writer.bytes,
    quadCount,
    chunks: fill(bodies, at, chunks).map((values, k) => ({
      values,
      firstRow: 4 * chunks[k].firstQuad,
      endRow: 4 * chunks[k].endQuad,
      firstPiece: forward.starts[chunks[k].firstQuad],
      endPiece: forward.starts[chunks[k].endQuad],
    })),
    forward,
    backward,
    /** see `backwardPieces` */
    first,
    next,
  };
}

/** Chunks and pieces, for which no value of S has to be known. */
export function quadShape(bodies: readonly SparseShape[], mostBytes: number) {
  const quadCount = bodies.reduce((sum, { tree }) => sum + wholeQuads(tree.size), 0) / 4;
  const first = firstColumns(bodies, quadCount);
  const next = nextQuads(first);
  // of the values of each quad, in records of four, counted from where column 0 would be
  const at = new Float64Array(quadCount);
  const chunks: { firstQuad: number; endQuad: number; size: number }[] = [];
  for (let q = 0; q < quadCount; q++) {
    const size = 4 * q + 4 - first[q];
    let chunk = chunks.at(-1);
    if (!chunk || 16 * (chunk.size + size) > mostBytes) {
      chunk = { firstQuad: q, endQuad: q, size: 0 };
      chunks.push(chunk);
    }
    at[q] = chunk.size - first[q];
    chunk.size += size;
    chunk.endQuad = q + 1;
  }
  const firstQuads = chunks.map(({ firstQuad }) => firstQuad);
  const backward = backwardPieces(first, next, firstQuads, next.keys());
  return { quadCount, first, next, at, chunks, forward: forwardPieces(first), backward };
}

/** Rows of a body with those that fill its last quad. */
export function wholeQuads(rows: number): number {
  return 4 * Math.ceil(rows / 4);
}

/** Of each quad the first column that any of its rows has, made a multiple of four. */
function firstColumns(bodies: readonly SparseShape[], quadCount: number): Int32Array {
  const first = Int32Array.from({ length: quadCount }, (_, q) => 4 * q);
  let offset = 0;
  for (const { tree } of bodies) {
    firstDescendants(tree).forEach((column, i) => {
      const q = (offset + i) >> 2;
      first[q] = Math.min(first[q], (offset + column) & ~3);
    });
    offset += wholeQuads(tree.size);
  }
  return first;
}

/** Of each column the first of its descendants, which lie before it without gaps. */
export function firstDescendants({ size, starts, blockOf, parentOf }: BlockTree): Int32Array {
  const first = Int32Array.from({ length: size }, (_, j) => j);
  for (let j = 0; j < size; j++) {
    const t = blockOf[j];
    const parent = j + 1 < starts[t + 1] ? j + 1 : parentOf[t];
    if (parent >= 0) first[parent] = Math.min(first[parent], first[j]);
  }
  return first;
}

/** Of each quad the next one whose columns include it. All that include a column are met on the way from its own quad. */
function nextQuads(first: Int32Array): Uint32Array {
  const next = new Uint32Array(first.length).fill(NO_QUAD);
  const open: number[] = [];
  for (let q = 0; q < first.length; q++) {
    while (open.length > 0 && 4 * open.at(-1)! >= first[q]) next[open.pop()!] = q;
    open.push(q);
  }
  return next;
}

/** Shares values out among as few buffers as hold them. */
function fill(
  bodies: readonly SparseInverse[],
  at: Float64Array,
  chunks: readonly { firstQuad: number; endQuad: number; size: number }[],
): Float32Array<ArrayBuffer>[] {
  const filled = chunks.map(({ size }) => new Float32Array(4 * size));
  const chunkOf = new Int32Array(at.length);
  chunks.forEach(({ firstQuad, endQuad }, k) => chunkOf.fill(k, firstQuad, endQuad));
  let offset = 0;
  for (const { tree, offsets, values, size } of bodies) {
    const { starts, blockCount, blockOf, parentOf } = tree;
    for (let t = 0; t < blockCount; t++) {
      const [start, end] = [starts[t], starts[t + 1]];
      let from = offsets[t];
      for (let row = start; row >= 0; row = nextRow(row)) {
        const q = (offset + row) >> 2;
        const target = filled[chunkOf[q]];
        let to = 4 * (at[q] + offset + start) + ((offset + row) & 3);
        // what a block has above its diagonal is zero
        for (let j = start; j < end && j <= row; j++) {
          target[to] = values[from + j - start]!;
          to += 4;
        }
        from += end - start;
      }
    }
    offset += wholeQuads(size);

    function nextRow(row: number): number {
      const t = blockOf[row];
      return row + 1 < starts[t + 1] ? row + 1 : parentOf[t];
    }
  }
  return filled;
}

function forwardPieces(first: Int32Array): Pieces {
  const list: number[] = [];
  const starts = new Uint32Array(first.length + 1);
  for (let q = 0; q < first.length; q++) {
    starts[q] = list.length / 2;
    for (let column = first[q]; column < 4 * q + 4; column += FORWARD_COLUMNS) list.push(q, column);
  }
  starts[first.length] = list.length / 2;
  return { list: Uint32Array.from(list), starts };
}

/**
 * Pieces of Sᵀ y at some columns.
 *
 * A quad whose rows are of two subtrees leads from one to the other, through quads that have nothing of a column, to where the two
 * meet: pieces begin where there is something.
 *
 * @param first of each quad of rows the first column
 * @param next of each quad the one after it on the way to the root
 * @param chunkStarts first quads of the buffers: a piece has values of one of them
 * @param columns quads of columns
 */
export function backwardPieces(
  first: Int32Array,
  next: Uint32Array,
  chunkStarts: readonly number[],
  columns: Iterable<number>,
): Pieces {
  const list: number[] = [];
  const starts: number[] = [];
  for (const c of columns) {
    starts.push(list.length / 2);
    // quads that the last piece has room for
    let [left, chunk] = [0, -1];
    for (let q = c; q !== NO_QUAD; q = next[q]!) {
      const before = chunk;
      while (chunk + 1 < chunkStarts.length && chunkStarts[chunk + 1] <= q) chunk++;
      if (chunk !== before) left = 0;
      if (left === 0 && first[q] <= 4 * c) {
        list.push(c, q);
        left = BACKWARD_QUADS;
      }
      if (left > 0) left--;
    }
  }
  starts.push(list.length / 2);
  return { list: Uint32Array.from(list), starts: Uint32Array.from(starts) };
}
