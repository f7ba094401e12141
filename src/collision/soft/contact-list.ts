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

  /** The tangents are opposite to those of `writeTangents`: with the other sign a local-global solid on a fixed box came to rest worse. */
  override setNormal(n: number, x: number, y: number, z: number): void {
    const at = 9 * n;
    const f = this.frame;
    f[at] = x;
    f[at + 1] = y;
    f[at + 2] = z;
    // across the axis that is least along the normal
    const least = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z) ? 0 : Math.abs(y) <= Math.abs(z) ? 1 : 2;
    const [ax, ay, az] = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0];
    let [tx, ty, tz] = [y * az - z * ay, z * ax - x * az, x * ay - y * ax];
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    tx /= length;
    ty /= length;
    tz /= length;
    f[at + 3] = tx;
    f[at + 4] = ty;
    f[at + 5] = tz;
    f[at + 6] = y * tz - z * ty;
    f[at + 7] = z * tx - x * tz;
    f[at + 8] = x * ty - y * tx;
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
