/**
 * Contacts of a step that are known where the vertices are expected at its end: what H of (36), (37) of paper 2 says in sparse form. The
 * other side is a surface, or an obstacle with its motion.
 */
import { resized } from "../../math/arrays";
import type { SavedColumns } from "../../math/table";
import { ContactTable } from "./contact-table";

/** Contacts as plain data. */
export interface SavedContacts {
  readonly count: number;
  readonly leastGap: number;
  readonly columns: SavedColumns;
}

export class ContactList extends ContactTable {
  /** count × 3: δ = rows · Σ w q − offset: dₙ, and d_f times h [m] */
  offset = new Float64Array(3);
  /** primitive that is touched, −1 for none */
  primitive = new Int32Array(1);
  /** count × 3: place of the contact [m] */
  point = new Float64Array(3);
  /** least gap of all where the vertices are expected [m] */
  leastGap = Infinity;

  /** count × 3: h² λ in the frame [kg m]; then those of cables */
  get z(): Float64Array<ArrayBuffer> {
    return this.impulse;
  }

  override clear(): void {
    super.clear();
    this.leastGap = Infinity;
  }

  saveAll(): SavedContacts {
    return { count: this.count, leastGap: this.leastGap, columns: { ...this.save(), impulse: this.z.slice() } };
  }

  loadAll({ count, leastGap, columns }: SavedContacts): void {
    this.load(columns, count);
    this.leastGap = leastGap;
  }

  noteGap(gap: number): void {
    if (gap < this.leastGap) this.leastGap = gap;
  }

  override add(): number {
    const n = super.add();
    this.primitive[n] = -1;
    return n;
  }

  /** Makes room for further rows after those of the contacts, which start at zero. */
  appendRows(rows: number): void {
    this.reserve(this.count);
    const size = 3 * this.count + rows;
    if (this.z.length < size) this.impulse = resized(this.impulse, new Float64Array(2 * size));
    this.z.fill(0, 3 * this.count, size);
  }

  /** Turns the tangents about the normal, with all that is told in them; c and s are cosine and sine. */
  turnTangents(n: number, c: number, s: number): void {
    for (let i = 9 * n + 3; i < 9 * n + 6; i++) {
      const [x, y] = [this.frame[i], this.frame[i + 3]];
      this.frame[i] = c * x + s * y;
      this.frame[i + 3] = c * y - s * x;
    }
    for (const v of [this.z, this.offset]) {
      const [x, y] = [v[3 * n + 1], v[3 * n + 2]];
      v[3 * n + 1] = c * x + s * y;
      v[3 * n + 2] = c * y - s * x;
    }
  }
}
