/** Impulses of the contacts of the last step, for those of this one that have the same keys. */
import { resized } from "../../math/arrays";
import type { Vec3 } from "../../math/types";
import { type ContactTable, KEY_SIZE, threeOf } from "./contact-table";

/** Places of contacts by their keys: a hash table with open addressing. */
export class KeyTable {
  count = 0;
  private keys = new Int32Array(0);
  /** place + 1 of a key, 0 for none; at least twice as many as keys, a power of two */
  private slots = new Int32Array(16);

  clear(): void {
    this.count = 0;
    this.slots.fill(0);
  }

  /** The place of a key of four numbers from `at` on; it is added unless it is known. */
  add(key: Int32Array, at: number): number {
    if (2 * (this.count + 1) > this.slots.length) this.widen();
    const slot = this.slotOf(key, at);
    if (this.slots[slot] > 0) return this.slots[slot] - 1;
    const size = KEY_SIZE * (this.count + 1);
    if (size > this.keys.length) this.keys = resized(this.keys, new Int32Array(2 * size));
    for (let k = 0; k < KEY_SIZE; k++) this.keys[KEY_SIZE * this.count + k] = key[at + k]!;
    this.slots[slot] = ++this.count;
    return this.count - 1;
  }

  /** The place of a key, −1 for none. */
  find(key: Int32Array, at: number): number {
    return this.slots[this.slotOf(key, at)] - 1;
  }

  save(): Int32Array<ArrayBuffer> {
    return this.keys.slice(0, KEY_SIZE * this.count);
  }

  load(keys: Int32Array): void {
    this.clear();
    for (let at = 0; at < keys.length; at += KEY_SIZE) this.add(keys, at);
  }

  private slotOf(key: Int32Array, at: number): number {
    const { slots, keys } = this;
    const last = slots.length - 1;
    let hash = 0;
    for (let k = 0; k < KEY_SIZE; k++) hash = Math.imul(hash ^ key[at + k], 0x9e3779b1) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 16)) & last;
    while (slots[slot] > 0) {
      const known = KEY_SIZE * (slots[slot] - 1);
      let k = 0;
      while (k < KEY_SIZE && keys[known + k] === key[at + k]) k++;
      if (k === KEY_SIZE) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  private widen(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    for (let place = 0; place < this.count; place++) this.slots[this.slotOf(this.keys, KEY_SIZE * place)] = place + 1;
  }
}

/** Impulses of contacts at the end of a step as plain data. */
export interface SavedImpulses {
  /** KEY_SIZE a contact */
  readonly keys: Int32Array<ArrayBuffer>;
  /** 3 a contact, world axes */
  readonly impulses: Float64Array<ArrayBuffer>;
}

export class ImpulseMemory {
  private readonly places = new KeyTable();
  /** 3 a contact, world axes */
  private impulses = new Float64Array(0);

  clear(): void {
    this.places.clear();
  }

  /** Keeps the impulses of the contacts that carry something, in place of all others. Of contacts with the same key the last one counts. */
  keep(table: ContactTable, carries: (n: number) => boolean): void {
    this.clear();
    for (let n = 0; n < table.count; n++) if (carries(n)) this.add(table, n, table.impulse, 3 * n);
  }

  /** Keeps an impulse along the frame of a contact, from `from` of a list on. */
  add({ key, frame }: ContactTable, n: number, impulse: Float64Array, from: number): void {
    const at = 3 * this.places.add(key, KEY_SIZE * n);
    if (at + 3 > this.impulses.length) this.impulses = resized(this.impulses, new Float64Array(2 * at + 6));
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let d = 0; d < 3; d++) sum += impulse[from + d] * frame[9 * n + 3 * d + k];
      this.impulses[at + k] = sum;
    }
  }

  has({ key }: ContactTable, n: number): boolean {
    return this.places.find(key, KEY_SIZE * n) >= 0;
  }

  /** The impulse of a contact in world axes. */
  get({ key }: ContactTable, n: number): Vec3 | undefined {
    const place = this.places.find(key, KEY_SIZE * n);
    return place < 0 ? undefined : threeOf(this.impulses, 3 * place);
  }

  /**
   * Writes the last impulse of a contact along its frame, from `to` on.
   *
   * @returns whether there is one; otherwise `out` is as before
   */
  recall({ key, frame }: ContactTable, n: number, out: Float64Array, to: number): boolean {
    const from = 3 * this.places.find(key, KEY_SIZE * n);
    if (from < 0) return false;
    for (let d = 0; d < 3; d++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += frame[9 * n + 3 * d + k] * this.impulses[from + k];
      out[to + d] = sum;
    }
    return true;
  }

  save(): SavedImpulses {
    return { keys: this.places.save(), impulses: this.impulses.slice(0, 3 * this.places.count) };
  }

  load({ keys, impulses }: SavedImpulses): void {
    this.places.load(keys);
    this.impulses = impulses.slice();
  }
}
