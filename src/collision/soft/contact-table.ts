/**
 * Contacts of deformable bodies, one record each, whoever meets: a point on up to four vertices, whose weights are negative on the second
 * side, and what it touches. Each solver adds columns of its own.
 */
import { resized } from "../../math/arrays";
import type { Vec3 } from "../../math/types";

/** Vertices of a contact at most: one against three, or two against two. */
export const CONTACT_VERTICES = 4;
/** Numbers that name a contact. */
export const KEY_SIZE = 4;

type Column = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** Names of columns, with the numbers of each a contact. */
export type ColumnSizes = Readonly<Record<string, number>>;

/** Contacts as plain data. */
export type SavedColumns = Readonly<Record<string, Column>>;

const shared: ColumnSizes = {
  key: KEY_SIZE,
  body: 4,
  vertex: 4,
  weight: 4,
  frame: 9,
  friction: 1,
  rigid: 1,
  impulse: 3,
};

export class ContactTable {
  count = 0;
  /** count × 4: what names a contact from step to step */
  key = new Int32Array(0);
  /** count × 4: body of each vertex, −1 where there are fewer */
  body = new Int32Array(0);
  vertex = new Int32Array(0);
  /** count × 4 */
  weight = new Float64Array(0);
  /** count × 9: normal and two tangents, unit */
  frame = new Float64Array(0);
  friction = new Float64Array(0);
  /** place of the rigid body that is touched, −1 for none */
  rigid = new Int32Array(0);
  /** count × 3: along the frame, in the unit of the solver */
  impulse = new Float64Array(0);
  private capacity = 0;
  private readonly columns: readonly (readonly [string, number])[];

  /** @param own columns of a subclass: fields that hold arrays of numbers */
  constructor(own: ColumnSizes) {
    this.columns = Object.entries({ ...shared, ...own });
  }

  clear(): void {
    this.count = 0;
  }

  /** Makes room for one more, without vertices, rigid body and impulse. */
  add(): number {
    const n = this.count++;
    if (n === this.capacity) this.grow(Math.max(64, 2 * n));
    this.body.fill(-1, CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1));
    this.rigid[n] = -1;
    this.impulse.fill(0, 3 * n, 3 * n + 3);
    return n;
  }

  /** Names a contact. */
  setKey(n: number, a: number, b: number, c: number, d: number): void {
    const at = KEY_SIZE * n;
    this.key[at] = a;
    this.key[at + 1] = b;
    this.key[at + 2] = c;
    this.key[at + 3] = d;
  }

  /** Body of the first side. */
  bodyOf(n: number): number {
    return this.body[CONTACT_VERTICES * n]!;
  }

  /** Places of the vertices of a contact. */
  verticesOf(n: number): number[] {
    const places: number[] = [];
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && this.body[i] >= 0; i++) places.push(i);
    return places;
  }

  /** Normal and tangents. */
  directionsOf(n: number): readonly [Vec3, Vec3, Vec3] {
    return [threeOf(this.frame, 9 * n), threeOf(this.frame, 9 * n + 3), threeOf(this.frame, 9 * n + 6)];
  }

  /** Removes contacts from `first` on. */
  drop(isDropped: (n: number) => boolean, first = 0): void {
    let to = first;
    for (let n = first; n < this.count; n++) {
      if (isDropped(n)) continue;
      if (to < n) this.copy(n, to);
      to++;
    }
    this.count = to;
  }

  save(): SavedColumns {
    return Object.fromEntries(this.columns.map(([name]) => [name, this.column(name).slice()]));
  }

  load(saved: SavedColumns, count: number): void {
    for (const [name] of this.columns) this.setColumn(name, saved[name].slice());
    this.count = count;
    this.capacity = this.friction.length;
  }

  protected copy(n: number, to: number): void {
    for (const [name, size] of this.columns) this.column(name).copyWithin(size * to, size * n, size * (n + 1));
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    for (const [name, size] of this.columns) {
      const old = this.column(name);
      // Rows of a solver may follow on those of the contacts.
      const length = Math.max(size * capacity, old.length);
      this.setColumn(name, resized(old, old instanceof Int32Array ? new Int32Array(length) : new Float64Array(length)));
    }
  }

  private column(name: string): Column {
    return (this as unknown as Record<string, Column>)[name]!;
  }

  private setColumn(name: string, values: Column): void {
    (this as unknown as Record<string, Column>)[name] = values;
  }
}

/** Three numbers of a list. */
export const threeOf = (list: Float64Array, at: number): Vec3 => [list[at], list[at + 1], list[at + 2]];
