import { resized } from "../../../math/arrays";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { PairList } from "../contact/pairs";
import { NONE } from "./frame-tables";

/** Contacts of a pair that have moved less than this between two frames may be the same [m]. */
const NEAR = 0.05;

/** Contacts of a frame by pair, in the order of the pairs. */
class Records {
  pairCount = 0;
  count = 0;
  /** ids of the two bodies, first contact of the pair, and end of its contacts: 4 a pair */
  pairs = new Int32Array(64);
  id = new Uint32Array(64);
  /** number of the contact's block */
  block = new Uint32Array(64);
  /** 3 a contact [m] */
  point = new Float64Array(192);

  reserve(pairCount: number, count: number): void {
    if (4 * pairCount > this.pairs.length) this.pairs = resized(this.pairs, new Int32Array(8 * pairCount));
    if (count <= this.id.length) return;
    this.id = resized(this.id, new Uint32Array(2 * count));
    this.block = resized(this.block, new Uint32Array(2 * count));
    this.point = resized(this.point, new Float64Array(6 * count));
  }
}

/**
 * Finds the contacts of the last frame again, by the pair of bodies and the number of the contact, otherwise the
 * nearest one: twin of impulse-cache.ts. Impulses stay on the GPU; this class only knows the block of each contact.
 */
export class ContactMemory {
  private last = new Records();
  private next = new Records();
  private used = new Uint8Array(16);

  /** Forgets the last frame. */
  clear(): void {
    this.last.pairCount = 0;
    this.last.count = 0;
  }

  /**
   * Finds contacts in the last frame.
   *
   * @param ids ids of the bodies by place, ascending, like the places of the pairs
   * @param found receives for each contact its block in the last frame, or NONE
   */
  recall(contacts: ContactBuffer, pairs: PairList, ids: Int32Array, found: Uint32Array): void {
    const { last } = this;
    found.fill(NONE, 0, contacts.count);
    let cursor = 0;
    for (let k = 0; k < pairs.count; k++) {
      const a = ids[pairs.bodyA[k]];
      const b = ids[pairs.bodyB[k]];
      while (cursor < last.pairCount && isBefore(last.pairs, 4 * cursor, a, b)) cursor++;
      const at = 4 * cursor;
      if (cursor === last.pairCount || last.pairs[at] !== a || last.pairs[at + 1] !== b) continue;
      this.match(contacts, pairs.first[k], pairs.end[k], last.pairs[at + 2], last.pairs[at + 3], found);
    }
  }

  /**
   * Keeps the contacts of this frame.
   *
   * @param blockOf block of each contact, NONE for contacts that are not solved
   */
  keep(contacts: ContactBuffer, pairs: PairList, ids: Int32Array, blockOf: Uint32Array): void {
    const { next } = this;
    next.reserve(pairs.count, contacts.count);
    next.pairCount = 0;
    next.count = 0;
    for (let k = 0; k < pairs.count; k++) {
      const to = 4 * next.pairCount++;
      next.pairs[to] = ids[pairs.bodyA[k]]!;
      next.pairs[to + 1] = ids[pairs.bodyB[k]]!;
      next.pairs[to + 2] = next.count;
      for (let c = pairs.first[k]; c < pairs.end[k]; c++) {
        if (blockOf[c] === NONE) continue;
        const n = next.count++;
        next.id[n] = contacts.id[c]!;
        next.block[n] = blockOf[c]!;
        for (let i = 0; i < 3; i++) next.point[3 * n + i] = middle(contacts, c, i);
      }
      next.pairs[to + 3] = next.count;
    }
    this.next = this.last;
    this.last = next;
  }

  private match(
    contacts: ContactBuffer,
    first: number,
    end: number,
    from: number,
    to: number,
    found: Uint32Array,
  ): void {
    const { last } = this;
    if (this.used.length < to - from) this.used = new Uint8Array(2 * (to - from));
    this.used.fill(0, 0, to - from);
    for (let c = first; c < end; c++)
      for (let k = from; k < to; k++)
        if (last.id[k] === contacts.id[c] && this.used[k - from] === 0) {
          this.used[k - from] = 1;
          found[c] = last.block[k]!;
          break;
        }
    for (let c = first; c < end; c++) {
      if (found[c] !== NONE) continue;
      let nearest = -1;
      let least = NEAR * NEAR;
      for (let k = from; k < to; k++) {
        if (this.used[k - from] === 1) continue;
        let squared = 0;
        for (let i = 0; i < 3; i++) squared += (middle(contacts, c, i) - last.point[3 * k + i]) ** 2;
        if (squared >= least) continue;
        least = squared;
        nearest = k;
      }
      if (nearest < 0) continue;
      this.used[nearest - from] = 1;
      found[c] = last.block[nearest]!;
    }
  }
}

function middle(contacts: ContactBuffer, c: number, axis: number): number {
  return 0.5 * (contacts.pointA[3 * c + axis] + contacts.pointB[3 * c + axis]);
}

function isBefore(pairs: Int32Array, at: number, a: number, b: number): boolean {
  return pairs[at] < a || (pairs[at] === a && pairs[at + 1] < b);
}
