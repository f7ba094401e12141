import type { ContactKind } from "../contact-buffer";
import { keepLowest } from "../shapes/lowest";
import { type Manifold, MOST_CONTACTS } from "../manifold";

/** 1 − cosine of the largest angle between normals that count as one: 1.4e-4 rad. */
const ONE_NORMAL = 1e-8;
/** Largest squared distance [m²] of contacts that count as one: neighboring triangles both give those of their edge. */
const ONE_PLACE = 1e-14;

/** Numbers of a contact: points on A and on B, normal, separation. */
const NUMBERS = 10;
/** Names of a contact: features of A and B, kind, triangles of A and B, and whether it is in a manifold already. */
const NAMES = 6;

/**
 * Contacts of many triangles, each with its normal, to be sorted into one manifold for each normal. A manifold may span
 * several triangles.
 */
export class Gathered {
  count = 0;
  private data = new Float64Array(64 * NUMBERS);
  private names = new Int32Array(64 * NAMES);
  /** the first contact that may not be in a manifold yet */
  private cursor = 0;

  clear(): void {
    this.count = 0;
    this.cursor = 0;
  }

  /** Adds contact `i` of a manifold; triangles are the user's, −1 for none. */
  add(m: Manifold, i: number, triangleA: number, triangleB: number): void {
    if ((this.count + 1) * NUMBERS > this.data.length) this.grow();
    const o = NUMBERS * this.count;
    const d = this.data;
    for (let k = 0; k < 3; k++) {
      d[o + k] = m.pointA[3 * i + k];
      d[o + 3 + k] = m.pointB[3 * i + k];
    }
    d[o + 6] = m.nx;
    d[o + 7] = m.ny;
    d[o + 8] = m.nz;
    d[o + 9] = m.separation[i];
    const n = NAMES * this.count++;
    this.names[n] = m.featureA[i];
    this.names[n + 1] = m.featureB[i];
    this.names[n + 2] = m.kind;
    this.names[n + 3] = triangleA;
    this.names[n + 4] = triangleB;
    this.names[n + 5] = 0;
  }

  /** Adds a contact of another list. */
  copy(from: Gathered, i: number): void {
    if ((this.count + 1) * NUMBERS > this.data.length) this.grow();
    for (let k = 0; k < NUMBERS; k++) this.data[NUMBERS * this.count + k] = from.data[NUMBERS * i + k];
    for (let k = 0; k < NAMES; k++) this.names[NAMES * this.count + k] = from.names[NAMES * i + k];
    this.count++;
  }

  /** Whether one of the first `count` contacts has the normal of contact `i` of another list. */
  leads(count: number, other: Gathered, i: number): boolean {
    const { data: d } = this;
    const { data: e } = other;
    const p = NUMBERS * i + 6;
    for (let o = 6; o < NUMBERS * count; o += NUMBERS)
      if (d[o] * e[p] + d[o + 1] * e[p + 1] + d[o + 2] * e[p + 2] >= 1 - ONE_NORMAL) return true;
    return false;
  }

  /** Smallest separation, or infinity without contacts. */
  least(): number {
    let least = Infinity;
    for (let i = 0; i < this.count; i++) least = Math.min(least, this.data[NUMBERS * i + 9]);
    return least;
  }

  /** Writes the next manifold, reduced. @returns false, with `m` unusable, after the last one */
  next(m: Manifold): boolean {
    const { data: d, names, count } = this;
    while (this.cursor < count && names[NAMES * this.cursor + 5] !== 0) this.cursor++;
    if (this.cursor === count) return false;
    const o = NUMBERS * this.cursor;
    m.begin(d[o + 6], d[o + 7], d[o + 8], names[NAMES * this.cursor + 2] as ContactKind);
    for (let i = this.cursor; i < count; i++) {
      const p = NUMBERS * i;
      const n = NAMES * i;
      if (names[n + 5] !== 0) continue;
      if (d[p + 6] * m.nx + d[p + 7] * m.ny + d[p + 8] * m.nz < 1 - ONE_NORMAL) continue;
      names[n + 5] = 1;
      if (isDouble(m, d, p)) continue;
      const k = m.count;
      const a = names[n] >>> 0;
      const b = names[n + 1] >>> 0;
      m.add(d[p], d[p + 1], d[p + 2], d[p + 3], d[p + 4], d[p + 5], d[p + 9], a, b);
      m.triangleA[k] = names[n + 3];
      m.triangleB[k] = names[n + 4];
    }
    if (m.count > MOST_CONTACTS && !keepLowest(m)) m.reduce();
    return true;
  }

  private grow(): void {
    const data = new Float64Array(2 * this.data.length);
    data.set(this.data);
    this.data = data;
    const names = new Int32Array(2 * this.names.length);
    names.set(this.names);
    this.names = names;
  }
}

function isDouble(m: Manifold, d: Float64Array, p: number): boolean {
  for (let i = 0; i < m.count; i++) {
    const x = m.pointB[3 * i] - d[p + 3];
    const y = m.pointB[3 * i + 1] - d[p + 4];
    const z = m.pointB[3 * i + 2] - d[p + 5];
    if (x * x + y * y + z * z < ONE_PLACE) return true;
  }
  return false;
}

/**
 * A number for the direction of a normal, to about two degrees: a name for a face that does not depend on the face's
 * number.
 */
export function normalName(x: number, y: number, z: number): number {
  return (Math.floor(16 * x + 16.5) * 64 + Math.floor(16 * y + 16.5)) * 64 + Math.floor(16 * z + 16.5);
}
