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
  private readonly found: number[] = [];
  /** first record of the last step that the next pair has not passed */
  private cursor = 0;

  get count(): number {
    return this.records.count;
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
   * skipped because both bodies rest. A body that wakes up starts from these records.
   */
  keepResting(bodies: BodyTable, a: number, b: number): void {
    const { records, spare } = this;
    let first = this.cursor;
    for (; this.cursor < records.count; this.cursor++) {
      const c = records.bodyA[this.cursor];
      const d = records.bodyB[this.cursor];
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

  renumber(slotOf: Int32Array): void {
    this.records.renumber(slotOf);
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
