import { resized } from "../../../math/arrays";
import type { ReflectedStruct } from "../../../gpu/struct";

/** A growing array of WGSL structs in host memory, written word by word; offsets come from the reflection. */
export class RecordTable<S extends ReflectedStruct> {
  count = 0;
  /** words (4 bytes) of a record */
  readonly stride: number;
  f32: Float32Array<ArrayBuffer>;
  u32: Uint32Array<ArrayBuffer>;
  private readonly offsets: Readonly<Record<string, number>>;

  constructor(layout: S, capacity = 64) {
    this.stride = (Math.ceil(layout.size / layout.align) * layout.align) / 4;
    this.offsets = Object.fromEntries(Object.entries(layout.fields).map(([name, { offset }]) => [name, offset / 4]));
    this.f32 = new Float32Array(capacity * this.stride);
    this.u32 = new Uint32Array(this.f32.buffer);
  }

  /** Words from the start of a record to a field. */
  at(field: keyof S["fields"] & string): number {
    return this.offsets[field];
  }

  clear(): void {
    this.count = 0;
  }

  /** Appends a record of zeros. Returns the word at which it starts. */
  append(): number {
    const first = this.count * this.stride;
    if (first + this.stride > this.f32.length) {
      this.f32 = resized(this.f32, new Float32Array(2 * this.f32.length));
      this.u32 = new Uint32Array(this.f32.buffer);
    }
    this.f32.fill(0, first, first + this.stride);
    this.count++;
    return first;
  }

  /** Bytes in use. */
  get byteLength(): number {
    return 4 * this.count * this.stride;
  }
}

/** A growing list of u32. */
export class WordList {
  count = 0;
  words = new Uint32Array(256);

  clear(): void {
    this.count = 0;
  }

  push(value: number): void {
    this.reserve(this.count + 1);
    this.words[this.count++] = value;
  }

  /** Makes room for `count` words in total; new words are not initialized. */
  reserve(count: number): void {
    if (count <= this.words.length) return;
    const longer = new Uint32Array(Math.max(count, 2 * this.words.length));
    longer.set(this.words.subarray(0, this.count));
    this.words = longer;
  }
}
