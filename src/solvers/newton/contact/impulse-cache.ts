import { type SavedColumns, Table } from "../../../math/table";
import { type BodyTable, Motion } from "../motion/bodies";
import { CONTACT_SIZE, type ContactRows } from "./contacts";
import { worldFriction } from "./linearise";

/** Contacts of a pair that have moved less than this between two steps may be the same [m]. */
const NEAR = 0.05;

/** Records of contacts from which the next step starts. */
class Records extends Table {
  bodyA = new Int32Array(1);
  bodyB = new Int32Array(1);
  id = new Uint32Array(1);
  /** 4 a record: normal impulse, friction impulse in world axes [N s] */
  impulse = new Float64Array(4);
  /** 3 a record: position of the contact [m] */
  point = new Float64Array(3);
}

/**
 * Impulses of the last step's contacts, looked up by the pair of bodies and the number of the contact (warm start,
 * 8.1). Records are sorted by pair, like the pairs of a step, so a lookup only moves a cursor forward.
 */
export class ImpulseCache {
  private records = new Records();
  private spare = new Records();
  private used = new Uint8Array(16);
  /** first record of the last step that the next pair has not passed */
  private cursor = 0;

  get count(): number {
    return this.records.count;
  }

  clear(): void {
    this.records.count = 0;
  }

  /** First record of pair (a, b) at or after `from`, or its place if there is none. */
  find(a: number, b: number, from: number): number {
    const { bodyA, bodyB, count } = this.records;
    let k = from;
    while (k < count && (bodyA[k] < a || (bodyA[k] === a && bodyB[k] < b))) k++;
    return k;
  }

  /**
   * Gives contacts `first` to `end − 1` of pair (a, b) their impulses of the last step. A contact with an unknown
   * number takes the impulse of the nearest unused record: if corners lie above corners, rounding decides which
   * features meet.
   */
  recall(
    contacts: ContactRows,
    first: number,
    end: number,
    a: number,
    b: number,
    ids: Uint32Array,
    from: number,
  ): void {
    const { bodyA, bodyB, count, id, point } = this.records;
    let last = from;
    while (last < count && bodyA[last] === a && bodyB[last] === b) last++;
    if (last === from) return;
    if (this.used.length < last - from) this.used = new Uint8Array(2 * (last - from));
    this.used.fill(0, 0, last - from);
    let missing = 0;
    for (let c = first; c < end; c++) {
      contacts.found[c] = 0;
      for (let k = from; k < last; k++) {
        if (id[k] !== ids[contacts.source[c]]) continue;
        this.take(contacts, c, k, from);
        break;
      }
      if (contacts.found[c] === 0) missing++;
    }
    for (let c = first; c < end && missing > 0; c++) {
      if (contacts.found[c] === 1) continue;
      let nearest = -1;
      let least = NEAR * NEAR;
      for (let k = from; k < last; k++) {
        if (this.used[k - from] === 1) continue;
        let squared = 0;
        for (let i = 0; i < 3; i++) {
          const way = contacts.point[3 * c + i] - point[3 * k + i];
          squared += way * way;
        }
        if (squared >= least) continue;
        least = squared;
        nearest = k;
      }
      if (nearest >= 0) this.take(contacts, c, nearest, from);
    }
  }

  private take(contacts: ContactRows, c: number, k: number, from: number): void {
    const { impulse } = this.records;
    const g = contacts.geometry;
    const at = CONTACT_SIZE * c;
    const x = impulse[4 * k + 1];
    const y = impulse[4 * k + 2];
    const z = impulse[4 * k + 3];
    contacts.impulse[3 * c] = impulse[4 * k];
    contacts.impulse[3 * c + 1] = g[at + 3] * x + g[at + 4] * y + g[at + 5] * z;
    contacts.impulse[3 * c + 2] = g[at + 6] * x + g[at + 7] * y + g[at + 8] * z;
    contacts.found[c] = 1;
    this.used[k - from] = 1;
  }

  /** Starts the records of this step. */
  begin(): void {
    this.spare.count = 0;
    this.cursor = 0;
  }

  /** Notes contact c with number `id`; pairs must come in order. */
  note(contacts: ContactRows, c: number, a: number, b: number, id: number): void {
    const { spare } = this;
    const k = spare.append();
    spare.bodyA[k] = a;
    spare.bodyB[k] = b;
    spare.id[k] = id;
    const p1 = contacts.impulse[3 * c + 1];
    const p2 = contacts.impulse[3 * c + 2];
    spare.impulse[4 * k] = contacts.impulse[3 * c];
    for (let axis = 0; axis < 3; axis++)
      spare.impulse[4 * k + 1 + axis] = worldFriction(contacts.geometry, c, p1, p2, axis);
    for (let i = 0; i < 3; i++) spare.point[3 * k + i] = contacts.point[3 * c + i];
  }

  /**
   * Call before the contacts of pair (a, b) are noted. Keeps the last step's records of earlier pairs that this step
   * skipped because both bodies rest. A body that wakes up starts from these records.
   */
  keepResting(bodies: BodyTable, a: number, b: number): void {
    const { records, spare } = this;
    let first = this.cursor;
    for (; this.cursor < records.count; this.cursor++) {
      const [c, d] = [records.bodyA[this.cursor], records.bodyB[this.cursor]];
      if (c > a || (c === a && d > b)) break;
      if ((c !== a || d !== b) && isResting(bodies, c) && isResting(bodies, d)) continue;
      spare.take(records, first, this.cursor);
      first = this.cursor + 1;
    }
    spare.take(records, first, this.cursor);
  }

  /** This step's records become those of the last step. */
  end(bodies: BodyTable): void {
    this.keepResting(bodies, bodies.count, 0);
    const { records } = this;
    this.records = this.spare;
    this.spare = records;
  }

  /** Renumbers bodies: `slotOf[old]` is the new place, −1 for a removed body. Records stay in order if bodies do. */
  renumber(slotOf: Int32Array): void {
    const { bodyA, bodyB, count } = this.records;
    for (let k = 0; k < count; k++) {
      bodyA[k] = slotOf[bodyA[k]]!;
      bodyB[k] = slotOf[bodyB[k]]!;
    }
    this.records.drop((k) => bodyA[k] < 0 || bodyB[k] < 0);
  }

  /** All numbers of the cache, for a snapshot. */
  save(): ImpulseSnapshot {
    return this.records.save() as unknown as ImpulseSnapshot;
  }

  load(saved: ImpulseSnapshot): void {
    this.records.load(saved as unknown as SavedColumns, saved.id.length);
  }
}

function isResting({ model, state }: BodyTable, slot: number): boolean {
  return model.motion[slot] !== Motion.dynamic || state.asleep[slot] === 1;
}

export interface ImpulseSnapshot {
  readonly bodyA: Int32Array;
  readonly bodyB: Int32Array;
  readonly id: Uint32Array;
  readonly impulse: Float64Array;
  readonly point: Float64Array;
}
