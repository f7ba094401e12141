import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { Table } from "../../../math/table";

/** Contacts of a pair that have moved less than this between two steps may be the same [m]. */
const NEAR = 0.05;

/**
 * Contacts of the last step by the pair of bodies and the number of the contact, both lanes' warm start (8.1). Records are sorted by pair,
 * like the pairs of a step, so a search only moves on. They need all contacts of a pair at once: no hash table of single contacts has those.
 */
export class ContactRecords extends Table {
  bodyA = new Int32Array(1);
  bodyB = new Int32Array(1);
  id = new Uint32Array(1);
  /** 3 a record: position of the contact [m] */
  point = new Float64Array(3);

  /** Notes contact c of a buffer. */
  note(contacts: ContactBuffer, c: number, a: number, b: number): number {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    const k = this.count++;
    this.bodyA[k] = a;
    this.bodyB[k] = b;
    this.id[k] = contacts.id[c]!;
    for (let i = 0; i < 3; i++) this.point[3 * k + i] = middle(contacts, c, i);
    return k;
  }

  /** First record of pair (a, b) at or after `from`, or its place if there is none. */
  find(a: number, b: number, from: number): number {
    const { bodyA, bodyB, count } = this;
    let k = from;
    while (k < count && (bodyA[k] < a || (bodyA[k] === a && bodyB[k] < b))) k++;
    return k;
  }

  /**
   * Finds contacts `first` to `end` − 1 of pair (a, b), whose records begin at `from`, if there are any. A contact with an unknown number
   * is the nearest record that no other is: if corners lie above corners, rounding decides which features meet.
   *
   * @param found receives records from place 0 on, −1 for none
   * @returns whether the pair has records
   */
  match(
    contacts: ContactBuffer,
    first: number,
    end: number,
    a: number,
    b: number,
    from: number,
    found: number[],
  ): boolean {
    const { bodyA, bodyB, id, point, count } = this;
    let last = from;
    while (last < count && bodyA[last] === a && bodyB[last] === b) last++;
    if (last === from) return false;
    if (used.length < last - from) used = new Uint8Array(2 * (last - from));
    used.fill(0, 0, last - from);
    for (let c = first; c < end; c++) {
      let k = from;
      while (k < last && id[k] !== contacts.id[c]) k++;
      found[c - first] = k < last ? k : -1;
      if (k < last) used[k - from] = 1;
    }
    for (let c = first; c < end; c++) {
      if (found[c - first] >= 0) continue;
      let least = NEAR * NEAR;
      for (let k = from; k < last; k++) {
        if (used[k - from] === 1) continue;
        let squared = 0;
        for (let i = 0; i < 3; i++) {
          const way = middle(contacts, c, i) - point[3 * k + i];
          squared += way * way;
        }
        if (squared >= least) continue;
        least = squared;
        found[c - first] = k;
      }
      if (found[c - first] >= 0) used[found[c - first] - from] = 1;
    }
    return true;
  }

  /** Renumbers bodies: `slotOf[old]` is the new place, −1 for a removed body. Records stay in order if bodies do. */
  renumber(slotOf: Int32Array): void {
    const { bodyA, bodyB, count } = this;
    for (let k = 0; k < count; k++) {
      bodyA[k] = slotOf[bodyA[k]]!;
      bodyB[k] = slotOf[bodyB[k]]!;
    }
    this.drop((k) => bodyA[k] < 0 || bodyB[k] < 0);
  }
}

/** records of a pair that were found */
let used = new Uint8Array(16);

function middle({ pointA, pointB }: ContactBuffer, c: number, axis: number): number {
  return 0.5 * (pointA[3 * c + axis] + pointB[3 * c + axis]);
}
