import { Table } from "../../math/table";
import { FRAME } from "./frame";
import { MOST_CONTACTS } from "./manifold";

/** Numbers of the contacts of a pair: normal, then a point on A and one on B for each, all in the frame of their body. */
export const MANIFOLD = 3 + 6 * MOST_CONTACTS;

/** States of pairs when their contacts were found; a record has a range of each array. */
export class PairRecords extends Table {
  /** FRAME numbers: the smaller shape relative to the larger one */
  frames = new Float64Array(FRAME);
  /** largest separation [m] of the search for contacts; if it found none, a lower bound of the shapes' distance */
  bound = new Float64Array(1);
  /** number of contacts */
  contacts = new Uint8Array(1);
  /** MANIFOLD numbers */
  manifolds = new Float64Array(MANIFOLD);
  /** kinds of the contacts, see ContactKind */
  kind = new Uint8Array(1);
  /** MOST_CONTACTS numbers: see `ContactBuffer.id` */
  ids = new Uint32Array(MOST_CONTACTS);
  /** records that are free again, of those that have been in use */
  private free = new Int32Array(1);
  private freeCount = 0;

  override clear(): void {
    super.clear();
    this.freeCount = 0;
  }

  /** A record of which nothing is known: a pair may have it for some steps before its contacts are searched. */
  acquire(): number {
    const record = this.freeCount > 0 ? this.free[--this.freeCount] : this.append();
    this.bound[record] = -Infinity;
    return record;
  }

  release(record: number): void {
    this.free[this.freeCount++] = record;
  }

  /** Appends record k of other ones. */
  copy(from: PairRecords, k: number): void {
    const r = this.append();
    for (let i = 0; i < FRAME; i++) this.frames[FRAME * r + i] = from.frames[FRAME * k + i];
    this.bound[r] = from.bound[k];
    const count = (this.contacts[r] = from.contacts[k]);
    this.kind[r] = from.kind[k];
    for (let i = 0; i < count; i++) this.ids[MOST_CONTACTS * r + i] = from.ids[MOST_CONTACTS * k + i];
    for (let i = 0; i < 3 + 6 * count; i++) this.manifolds[MANIFOLD * r + i] = from.manifolds[MANIFOLD * k + i];
  }

  /** Appends the contents of a record to a list, for a snapshot. */
  write(k: number, out: number[]): void {
    const count = this.contacts[k];
    out.push(this.bound[k], count);
    for (let i = 0; i < FRAME; i++) out.push(this.frames[FRAME * k + i]);
    if (count === 0) return;
    out.push(this.kind[k]);
    for (let i = 0; i < count; i++) out.push(this.ids[MOST_CONTACTS * k + i]);
    for (let i = 0; i < 3 + 6 * count; i++) out.push(this.manifolds[MANIFOLD * k + i]);
  }

  /** Reads a record from place `at` of such a list on. @returns place of the next record */
  read(k: number, from: ArrayLike<number>, at: number): number {
    let next = at;
    this.bound[k] = from[next++];
    const count = (this.contacts[k] = from[next++]);
    for (let i = 0; i < FRAME; i++) this.frames[FRAME * k + i] = from[next++];
    if (count === 0) return next;
    this.kind[k] = from[next++];
    for (let i = 0; i < count; i++) this.ids[MOST_CONTACTS * k + i] = from[next++];
    for (let i = 0; i < 3 + 6 * count; i++) this.manifolds[MANIFOLD * k + i] = from[next++];
    return next;
  }
}

/** Pairs in ascending order, and the places of their records. */
export class PairTable extends Table {
  a = new Int32Array(1);
  b = new Int32Array(1);
  record = new Int32Array(1);
  /** the pair has no contacts as long as the trails of both bodies plus the margin do not exceed this [m] */
  limit = new Float64Array(1);

  add(a: number, b: number, record: number, limit: number): void {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    const k = this.count++;
    this.a[k] = a;
    this.b[k] = b;
    this.record[k] = record;
    this.limit[k] = limit;
  }
}
