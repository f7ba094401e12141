import { invalid } from "../errors";
import type { Snapshot } from "./snapshot";

// "PLNT", and the version of the layout
const HEAD = new Uint8Array([0x50, 0x4c, 0x4e, 0x54, 1, 0, 0, 0]);

const arrays = { Float64Array, Float32Array, Int32Array, Uint32Array, Int8Array, Uint8Array } as const;
type ArrayName = keyof typeof arrays;

/** The replacement for an array of numbers, or for a number that JSON cannot hold. */
interface Reference {
  readonly $array?: readonly [ArrayName, number, number];
  readonly $number?: string;
}

/**
 * Packs a snapshot into bytes, for a file or a connection: a header of 8 bytes, the length of a text, the text, which
 * is JSON in UTF-8, and the numbers of all arrays in the byte order of this machine. The same snapshot gives the same
 * bytes.
 */
export function packSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const replaced = (_key: string, value: unknown): unknown => {
    if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
    if (!ArrayBuffer.isView(value)) return value;
    const view = value as Float64Array;
    const at = length;
    parts.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    length += padded(view.byteLength);
    return { $array: [view.constructor.name as ArrayName, at, view.length] } satisfies Reference;
  };
  const text = new TextEncoder().encode(JSON.stringify(snapshot, replaced));
  const start = startOf(text.length);
  const bytes = new Uint8Array(start + length);
  bytes.set(HEAD);
  new DataView(bytes.buffer).setUint32(HEAD.length, text.length, true);
  bytes.set(text, HEAD.length + 4);
  let at = start;
  for (const part of parts) {
    bytes.set(part, at);
    at += padded(part.length);
  }
  return bytes;
}

/** @throws PliantError `invalid-argument` for bytes that `packSnapshot` did not make, or that were damaged in text or lengths */
export function unpackSnapshot(bytes: Uint8Array): Snapshot {
  const refuse = (): never => {
    throw invalid("unpackSnapshot", `${bytes.length} bytes`, "must be those of a snapshot");
  };
  if (bytes.length < HEAD.length + 4 || HEAD.some((byte, i) => bytes[i] !== byte)) return refuse();
  // A copy, since arrays have to begin at multiples of 8 bytes.
  const copy = bytes.slice();
  const size = new DataView(copy.buffer).getUint32(HEAD.length, true);
  const start = startOf(size);
  if (start > copy.length) return refuse();
  const text = new TextDecoder().decode(copy.subarray(HEAD.length + 4, HEAD.length + 4 + size));
  const revived = (_key: string, value: unknown): unknown => {
    const { $array, $number } = (typeof value === "object" && value !== null ? value : {}) as Reference;
    if ($number !== undefined) return Number($number);
    if ($array === undefined) return value;
    const [name, at, length] = $array;
    const type = arrays[name] ?? refuse();
    if (start + at + length * type.BYTES_PER_ELEMENT > copy.length) return refuse();
    return new type(copy.buffer, start + at, length).slice();
  };
  try {
    return JSON.parse(text, revived) as Snapshot;
  } catch {
    // The text is damaged, or the place or the length of an array.
    return refuse();
  }
}

/** The offset at which the numbers begin. */
const startOf = (textLength: number): number => padded(HEAD.length + 4 + textLength);

/** Arrays begin at multiples of 8 bytes. */
const padded = (bytes: number): number => 8 * Math.ceil(bytes / 8);
