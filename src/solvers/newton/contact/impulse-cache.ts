import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { SavedColumns } from "../../../math/table";
import { type BodyTable, Motion } from "../motion/bodies";
import { ContactRecords } from "./contact-records";
import { CONTACT_SIZE, type ContactRows } from "./contacts";
import { worldFriction } from "./linearise";

/** Contacts with the impulses from which the next step starts. */
class Records extends ContactRecords {
  /** 4 a record: normal impulse, friction impulse in world axes [N s] */
  impulse = new Float64Array(4);
}

/** Impulses of the last step's contacts. */
export class ImpulseCache {
  private records = new Records();
  private spare = new Records();
  /** records of pairs of bodies at rest, which no step looks at until a body wakes, and those that have come to rest in this step */
  private resting = new Records();
  private settled = new Records();
  private wakes = 0;
  private readonly found: number[] = [];
  /** first record of the last step that the next pair has not passed */
  private cursor = 0;

  get count(): number {
    return this.records.count + this.resting.count;
  }

  /** Begins a step: once a body woke, records of bodies at rest are among the others, where it starts from them. */
  wake({ wakes }: BodyTable): void {
    if (wakes === this.wakes) return;
    this.wakes = wakes;
    if (this.resting.count === 0) return;
    const { records } = this;
    merge(records, this.resting, this.spare);
    this.records = this.spare;
    this.spare = records;
    this.resting.clear();
  }

  /** First record of pair (a, b) at or after `from`, or its place if there is none. */
  find(a: number, b: number, from: number): number {
    return this.records.find(a, b, from);
  }

  /** Gives the rows from `row` on, of contacts `first` to `end − 1` of pair (a, b), their impulses of the last step. */
  recall(
    rows: ContactRows,
    row: number,
    contacts: ContactBuffer,
    first: number,
    end: number,
    a: number,
    b: number,
    from: number,
  ): void {
    const { found } = this;
    const { impulse } = this.records;
    const g = rows.geometry;
    if (!this.records.match(contacts, first, end, a, b, from, found)) return;
    for (let c = row; c < row + end - first; c++) {
      const k = found[c - row];
      if (k < 0) continue;
      const at = CONTACT_SIZE * c;
      const x = impulse[4 * k + 1];
      const y = impulse[4 * k + 2];
      const z = impulse[4 * k + 3];
      rows.impulse[3 * c] = impulse[4 * k]!;
      rows.impulse[3 * c + 1] = g[at + 3] * x + g[at + 4] * y + g[at + 5] * z;
      rows.impulse[3 * c + 2] = g[at + 6] * x + g[at + 7] * y + g[at + 8] * z;
    }
  }

  /** Starts the records of this step. */
  begin(): void {
    this.spare.clear();
    this.cursor = 0;
  }

  /** Notes row c, that of a contact of a buffer; pairs must come in order. */
  note(rows: ContactRows, c: number, contacts: ContactBuffer, a: number, b: number): void {
    const { spare } = this;
    const k = spare.note(contacts, rows.source[c], a, b);
    const p1 = rows.impulse[3 * c + 1];
    const p2 = rows.impulse[3 * c + 2];
    spare.impulse[4 * k] = rows.impulse[3 * c];
    for (let axis = 0; axis < 3; axis++)
      spare.impulse[4 * k + 1 + axis] = worldFriction(rows.geometry, c, p1, p2, axis);
  }

  /**
   * Call before the contacts of pair (a, b) are noted. Keeps the last step's records of earlier pairs that this step
   * skipped because both bodies rest.
   */
  keepResting(bodies: BodyTable, a: number, b: number): void {
    const { records, settled } = this;
    let first = this.cursor;
    for (; this.cursor < records.count; this.cursor++) {
      const c = records.bodyA[this.cursor];
      const d = records.bodyB[this.cursor];
      if (c > a || (c === a && d > b)) break;
      if ((c !== a || d !== b) && isResting(bodies, c) && isResting(bodies, d)) continue;
      settled.take(records, first, this.cursor);
      first = this.cursor + 1;
    }
    settled.take(records, first, this.cursor);
  }

  /** This step's records become those of the last step. */
  end(bodies: BodyTable): void {
    this.keepResting(bodies, bodies.count, 0);
    const { records, resting } = this;
    this.records = this.spare;
    this.spare = records;
    if (this.settled.count === 0) return;
    merge(this.settled, resting, records);
    this.resting = records;
    this.spare = resting;
    this.settled.clear();
  }

  renumber(slotOf: Int32Array): void {
    this.records.renumber(slotOf);
    this.resting.renumber(slotOf);
  }

  /** All numbers of the cache, for a snapshot. */
  save(): ImpulseSnapshot {
    merge(this.records, this.resting, this.spare);
    return this.spare.save() as unknown as ImpulseSnapshot;
  }

  load(saved: ImpulseSnapshot): void {
    this.records.load(saved as unknown as SavedColumns, saved.id.length);
    this.resting.clear();
  }
}

/** Writes records of both tables in the order of their pairs; those of the first replace those of the second. */
function merge(first: Records, second: Records, out: Records): void {
  out.clear();
  let at = 0;
  for (let k = 0; k < second.count;) {
    const a = second.bodyA[k];
    const b = second.bodyB[k];
    const place = first.find(a, b, at);
    out.take(first, at, place);
    at = place;
    const end = second.find(a, b + 1, k);
    if (first.bodyA[at] !== a || first.bodyB[at] !== b || at === first.count) out.take(second, k, end);
    k = end;
  }
  out.take(first, at, first.count);
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
