/**
 * Contacts of a step: what H of (36), (37) says in sparse form. A contact is a point on up to four vertices of the bodies, given by
 * weights, a normal and two tangents, and where the other side is an obstacle, its motion.
 */

import type { Vec3 } from "../../../math/types";

/** Vertices of a contact at most: one against three, or two against two. */
export const CONTACT_VERTICES = 4;

/** Contacts as plain data. */
export type SavedContacts = Readonly<
  Pick<
    ContactList,
    | "count"
    | "leastGap"
    | "body"
    | "vertex"
    | "weight"
    | "frame"
    | "offset"
    | "friction"
    | "proxy"
    | "primitive"
    | "point"
    | "key"
    | "z"
  >
>;

export class ContactList {
  count = 0;
  /** count × 4: body of each vertex, −1 where there are fewer */
  body = new Int32Array(0);
  vertex = new Int32Array(0);
  /** count × 4 */
  weight = new Float64Array(0);
  /** count × 9: normal and two tangents, unit */
  frame = new Float64Array(0);
  /** count × 3: δ = rows · Σ w q − offset: dₙ, and d_f times h [m] */
  offset = new Float64Array(0);
  friction = new Float64Array(0);
  /** place of the rigid body that is touched, −1 for none */
  proxy = new Int32Array(0);
  /** primitive that is touched, −1 for none */
  primitive = new Int32Array(0);
  /** count × 3: place of the contact [m] */
  point = new Float64Array(0);
  /** what names a contact from step to step */
  key: string[] = [];
  /** count × 3: z = h² λ in the frame [kg m]; then those of cables */
  z = new Float64Array(0);
  /** least gap of all where the vertices are expected [m] */
  leastGap = Infinity;

  clear(): void {
    this.count = 0;
    this.leastGap = Infinity;
  }

  save(): SavedContacts {
    const { count, leastGap, body, vertex, weight, frame, offset, friction, proxy, primitive, point, key, z } = this;
    const arrays = { body, vertex, weight, frame, offset, friction, proxy, primitive, point, key, z };
    const copies = Object.entries(arrays).map(([name, values]) => [name, values.slice()]);
    return { count, leastGap, ...(Object.fromEntries(copies) as typeof arrays) };
  }

  load({ count, leastGap, ...arrays }: SavedContacts): void {
    for (const [name, values] of Object.entries(arrays)) Object.assign(this, { [name]: values.slice() });
    Object.assign(this, { count, leastGap });
  }

  noteGap(gap: number): void {
    if (gap < this.leastGap) this.leastGap = gap;
  }

  /** Makes room for one more; its vertices are empty. */
  add(): number {
    const n = this.count++;
    if (n >= this.friction.length) this.grow();
    this.body.fill(-1, CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1));
    this.proxy[n] = -1;
    this.primitive[n] = -1;
    this.z.fill(0, 3 * n, 3 * n + 3);
    return n;
  }

  /** Removes contacts. */
  drop(isDropped: (n: number) => boolean): void {
    let to = 0;
    for (let n = 0; n < this.count; n++) {
      if (isDropped(n)) continue;
      if (to < n) this.copy(n, to);
      to++;
    }
    this.count = to;
  }

  private copy(n: number, to: number): void {
    const move = (list: Float64Array | Int32Array, size: number): unknown =>
      list.copyWithin(size * to, size * n, size * (n + 1));
    for (const list of [this.body, this.vertex, this.weight]) move(list, CONTACT_VERTICES);
    for (const list of [this.offset, this.point, this.z]) move(list, 3);
    for (const list of [this.friction, this.proxy, this.primitive]) move(list, 1);
    move(this.frame, 9);
    this.key[to] = this.key[n];
  }

  /** Makes room for further rows after those of the contacts, which start at zero. */
  appendRows(rows: number): void {
    const size = 3 * this.count + rows;
    if (this.z.length < size) {
      const z = new Float64Array(2 * size);
      z.set(this.z);
      this.z = z;
    }
    this.z.fill(0, 3 * this.count, size);
  }

  /** Normal, and two tangents across it. */
  setFrame(n: number, x: number, y: number, z: number): void {
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

  private grow(): void {
    const size = Math.max(64, 2 * this.count);
    const longer = <T extends Float64Array | Int32Array>(old: T, next: T): T => {
      next.set(old);
      return next;
    };
    this.body = longer(this.body, new Int32Array(CONTACT_VERTICES * size));
    this.vertex = longer(this.vertex, new Int32Array(CONTACT_VERTICES * size));
    this.weight = longer(this.weight, new Float64Array(CONTACT_VERTICES * size));
    this.frame = longer(this.frame, new Float64Array(9 * size));
    this.offset = longer(this.offset, new Float64Array(3 * size));
    this.friction = longer(this.friction, new Float64Array(size));
    this.proxy = longer(this.proxy, new Int32Array(size));
    this.primitive = longer(this.primitive, new Int32Array(size));
    this.point = longer(this.point, new Float64Array(3 * size));
    this.z = longer(this.z, new Float64Array(Math.max(3 * size, this.z.length)));
  }
}

/** Places of the vertices of a contact. */
export function verticesOf(n: number, body: Int32Array): number[] {
  const places: number[] = [];
  for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) places.push(i);
  return places;
}

/** Three numbers of a list. */
export const threeOf = (list: Float64Array, at: number): Vec3 => [list[at], list[at + 1], list[at + 2]];
