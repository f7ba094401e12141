import type { FillStatistics, SparseInverseData } from "../../../math/sparse/sparse-inverse";

/** Changes with the layout below, and with whatever makes another factor of the same matrix. */
export const FORMAT = 2;

/** Bytes before the head. */
const PREFIX = 8;

/**
 * A sparse inverse as bytes: length of the head, a check sum of what follows, the head in JSON (format, statistics, lengths of the
 * arrays), and the arrays, each from a multiple of eight on. As all machines that run this, little-endian.
 */
export function packInverse({ tree, order, place, offsets, values, statistics }: SparseInverseData): Uint8Array {
  const { starts, blockOf, parentOf, depth } = tree;
  const arrays = [starts, blockOf, parentOf, depth, order, place, offsets, values];
  const head = { format: FORMAT, size: tree.size, blockCount: tree.blockCount, statistics };
  const text = new TextEncoder().encode(JSON.stringify({ ...head, lengths: arrays.map(({ length }) => length) }));
  const first = aligned(PREFIX + text.length);
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + aligned(array.byteLength), first));
  bytes.set(text, PREFIX);
  let at = first;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  new Uint32Array(bytes.buffer).set([text.length, checkSum(bytes.buffer)]);
  return bytes;
}

/** @returns undefined for what is damaged, or packed in another format */
export function unpackInverse(bytes: Uint8Array): SparseInverseData | undefined {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  const { buffer } = isWhole ? bytes : new Uint8Array(bytes);
  if (buffer.byteLength < PREFIX || buffer.byteLength % 8 !== 0) return undefined;
  const [length, sum] = new Uint32Array(buffer, 0, 2) as unknown as [number, number];
  if (sum !== checkSum(buffer)) return undefined;
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, PREFIX, length))) as Head;
  if (head.format !== FORMAT) return undefined;
  let at = aligned(PREFIX + length);
  const next = (k: number, width: number): number => {
    const from = at;
    at += aligned(width * head.lengths[k]);
    return from;
  };
  const integers = (k: number): Int32Array => new Int32Array(buffer, next(k, 4), head.lengths[k]);
  const numbers = (k: number): Float64Array => new Float64Array(buffer, next(k, 8), head.lengths[k]);
  const [starts, blockOf, parentOf, depth] = [integers(0), integers(1), integers(2), integers(3)];
  const { size, blockCount, statistics } = head;
  return {
    tree: { size, blockCount, starts, blockOf, parentOf, depth },
    order: integers(4),
    place: integers(5),
    offsets: numbers(6),
    values: numbers(7),
    statistics,
  };
}

interface Head {
  readonly format: number;
  readonly size: number;
  readonly blockCount: number;
  readonly statistics: FillStatistics;
  readonly lengths: readonly number[];
}

/** Of all words behind the prefix (FNV-1a, by words). */
function checkSum(buffer: ArrayBufferLike): number {
  const words = new Uint32Array(buffer);
  let sum = 0x811c9dc5;
  for (let i = PREFIX / 4; i < words.length; i++) sum = Math.imul(sum ^ words[i], 0x01000193);
  return sum >>> 0;
}

function aligned(bytes: number): number {
  return 8 * Math.ceil(bytes / 8);
}
