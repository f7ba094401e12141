import { resized } from "../../math/arrays";
import { FRAME } from "./frame";
import { MOST_CONTACTS } from "./manifold";

/** Numbers of the contacts of a pair: normal, then a point on A and one on B for each, all in the frame of their body. */
export const MANIFOLD = 3 + 6 * MOST_CONTACTS;

/** States of pairs when their contacts were found; a record has a range of each array. */
export class PairRecords {
  /** FRAME numbers: the smaller shape relative to the larger one */
  frames = new Float64Array(0);
  /**
   * largest separation [m] of the search for contacts; if it found none, a lower bound of the distance of the shapes
   */
  bound = new Float64Array(0);
  /** number of contacts */
  count = new Uint8Array(0);
  /** MANIFOLD numbers */
  manifolds = new Float64Array(0);
  /** kinds of the contacts, see ContactKind */
  kind = new Uint8Array(0);
  /** MOST_CONTACTS numbers: see `ContactBuffer.id` */
  ids = new Uint32Array(0);
  /** records below this one have been in use; `free` lists those that are free again */
  private used = 0;
  private free = new Int32Array(0);
  private freeCount = 0;

  clear(): void {
    this.used = this.freeCount = 0;
  }

  acquire(): number {
    if (this.freeCount > 0) return this.free[--this.freeCount];
    if (this.used === this.bound.length) this.grow(Math.max(64, 2 * this.used));
    return this.used++;
  }

  release(record: number): void {
    this.free[this.freeCount++] = record;
  }

  /** Appends the contents of a record to a list, for a snapshot. */
  write(k: number, out: number[]): void {
    const count = this.count[k];
    out.push(this.bound[k], count);
    for (let i = 0; i < FRAME; i++) out.push(this.frames[FRAME * k + i]);
    if (count === 0) return;
    out.push(this.kind[k]);
    for (let i = 0; i < count; i++) out.push(this.ids[MOST_CONTACTS * k + i]);
    for (let i = 0; i < 3 + 6 * count; i++) out.push(this.manifolds[MANIFOLD * k + i]);
  }

  /**
   * Reads a record from place `at` of such a list on.
   *
   * @returns place of the next record
   */
  read(k: number, from: ArrayLike<number>, at: number): number {
    let next = at;
    this.bound[k] = from[next++];
    const count = (this.count[k] = from[next++]);
    for (let i = 0; i < FRAME; i++) this.frames[FRAME * k + i] = from[next++];
    if (count === 0) return next;
    this.kind[k] = from[next++];
    for (let i = 0; i < count; i++) this.ids[MOST_CONTACTS * k + i] = from[next++];
    for (let i = 0; i < 3 + 6 * count; i++) this.manifolds[MANIFOLD * k + i] = from[next++];
    return next;
  }

  private grow(capacity: number): void {
    this.free = resized(this.free, new Int32Array(capacity));
    this.frames = resized(this.frames, new Float64Array(FRAME * capacity));
    this.bound = resized(this.bound, new Float64Array(capacity));
    this.count = resized(this.count, new Uint8Array(capacity));
    this.manifolds = resized(this.manifolds, new Float64Array(MANIFOLD * capacity));
    this.kind = resized(this.kind, new Uint8Array(capacity));
    this.ids = resized(this.ids, new Uint32Array(MOST_CONTACTS * capacity));
  }
}

/** Pairs in ascending order, and the places of their records. */
export class PairTable {
  count = 0;
  a = new Int32Array(0);
  b = new Int32Array(0);
  record = new Int32Array(0);
  /** the pair has no contacts as long as the trails of both bodies plus the margin do not exceed this [m] */
  limit = new Float64Array(0);

  add(a: number, b: number, record: number, limit: number): void {
    if (this.count === this.a.length) {
      const capacity = Math.max(64, 2 * this.count);
      this.a = resized(this.a, new Int32Array(capacity));
      this.b = resized(this.b, new Int32Array(capacity));
      this.record = resized(this.record, new Int32Array(capacity));
      this.limit = resized(this.limit, new Float64Array(capacity));
    }
    const k = this.count++;
    this.a[k] = a;
    this.b[k] = b;
    this.record[k] = record;
    this.limit[k] = limit;
  }
}
