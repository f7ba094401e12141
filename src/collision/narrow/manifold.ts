import { resized } from "../../math/arrays";
import { ContactKind, type ContactBuffer } from "./contact-buffer";

/** Largest number of contacts kept in a manifold. */
export const MOST_CONTACTS = 4;
/** Depths [m] and relative areas that differ by less count as equal, so that rounding does not choose between them. */
const TIE = 1e-7;

/**
 * Contacts between two convex parts that share one normal, in the working frame, before they go to the buffer. One
 * object is used for all pairs; its arrays grow with the faces.
 */
export class Manifold {
  count = 0;
  /** unit, from A to B */
  nx = 0;
  ny = 0;
  nz = 0;
  kind: ContactKind = ContactKind.round;
  /** lower bound of the distance of the shapes if there are no contacts [m] */
  apart = 0;
  /** 3 a contact each: points on the surfaces */
  pointA = new Float64Array(3 * 16);
  pointB = new Float64Array(3 * 16);
  separation = new Float64Array(16);
  /** meeting features: a feature number of each shape */
  featureA = new Uint32Array(16);
  featureB = new Uint32Array(16);
  /** the user's triangles of the surfaces that take part; −1 without one */
  triangleA = new Int32Array(16);
  triangleB = new Int32Array(16);
  private taken = new Uint8Array(16);
  private readonly order = new Int32Array(MOST_CONTACTS);

  begin(nx: number, ny: number, nz: number, kind: ContactKind): void {
    this.count = 0;
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.kind = kind;
  }

  add(
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    separation: number,
    featureA: number,
    featureB: number,
  ): void {
    const i = this.count++;
    if (i === this.separation.length) this.grow();
    this.pointA[3 * i] = ax;
    this.pointA[3 * i + 1] = ay;
    this.pointA[3 * i + 2] = az;
    this.pointB[3 * i] = bx;
    this.pointB[3 * i + 1] = by;
    this.pointB[3 * i + 2] = bz;
    this.separation[i] = separation;
    this.featureA[i] = featureA;
    this.featureB[i] = featureB;
    this.triangleA[i] = -1;
    this.triangleB[i] = -1;
  }

  /**
   * Moves the surfaces of both shapes out by their rounding, and drops contacts that are still further apart than the
   * margin.
   */
  inflate(radiusA: number, radiusB: number, margin: number): void {
    if (radiusA === 0 && radiusB === 0) return;
    const { nx, ny, nz } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const s = this.separation[i] - radiusA - radiusB;
      if (s > margin) continue;
      const { pointA: a, pointB: b } = this;
      const from = 3 * i;
      const to = 3 * kept;
      a[to] = a[from] + radiusA * nx;
      a[to + 1] = a[from + 1] + radiusA * ny;
      a[to + 2] = a[from + 2] + radiusA * nz;
      b[to] = b[from] - radiusB * nx;
      b[to + 1] = b[from + 1] - radiusB * ny;
      b[to + 2] = b[from + 2] - radiusB * nz;
      this.separation[kept] = s;
      this.featureA[kept] = this.featureA[i];
      this.featureB[kept] = this.featureB[i];
      kept++;
    }
    this.count = kept;
  }

  /**
   * Replaces the normal and the depth of the deepest contact. All other separations shift by the same amount, and
   * contacts beyond the margin are dropped. Points of the clipped feature stay; points on the reference face move to
   * the end of the new normal.
   */
  rest(nx: number, ny: number, nz: number, distance: number, margin: number): void {
    const more = distance - this.deepest();
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    const isOnA = this.kind === ContactKind.faceVertex;
    const from = isOnA ? this.pointB : this.pointA;
    const to = isOnA ? this.pointA : this.pointB;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.separation[i] + more > margin) continue;
      this.move(i, kept);
      const length = (this.separation[kept] += more);
      const s = isOnA ? -length : length;
      to[3 * kept] = from[3 * kept] + s * nx;
      to[3 * kept + 1] = from[3 * kept + 1] + s * ny;
      to[3 * kept + 2] = from[3 * kept + 2] + s * nz;
      kept++;
    }
    this.count = kept;
  }

  /** Smallest separation, or infinity without contacts. */
  deepest(): number {
    let least = Infinity;
    for (let i = 0; i < this.count; i++) if (this.separation[i] < least) least = this.separation[i];
    return least;
  }

  /**
   * Reduces more than four contacts to four, which carry nearly every force and torque that all of them could: the
   * deepest (of several, the one furthest from the middle), the one furthest from it, the one that makes the largest
   * triangle with these two, and the one that adds most area to that triangle. Distances are measured across the
   * normal; ties go to the first.
   */
  reduce(): void {
    if (this.count <= MOST_CONTACTS) return;
    const { order } = this;
    this.taken.fill(0, 0, this.count);
    const first = this.firstKept();
    this.taken[(order[0] = first)] = 1;
    let best = -1;
    let most = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.taken[i]) continue;
      const d = this.squaredAcross(first, i);
      if (d > most * (1 + TIE)) {
        most = d;
        best = i;
      }
    }
    const second = best;
    this.taken[(order[1] = second)] = 1;
    best = -1;
    most = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.taken[i]) continue;
      const area = Math.abs(this.area(first, second, i));
      if (area > most * (1 + TIE)) {
        most = area;
        best = i;
      }
    }
    const third = best;
    this.taken[(order[2] = third)] = 1;
    const turn = this.area(first, second, third) < 0 ? -1 : 1;
    best = -1;
    most = -1e300;
    for (let i = 0; i < this.count; i++) {
      if (this.taken[i]) continue;
      // Area outside each side of the triangle; negative inside.
      const outside = -turn * this.area(first, second, i);
      const beside = Math.max(-turn * this.area(second, third, i), -turn * this.area(third, first, i));
      const gain = Math.max(outside, beside);
      if (gain > most + TIE * Math.abs(most)) {
        most = gain;
        best = i;
      }
    }
    order[3] = best;
    this.taken[best] = 1;
    this.keep(this.taken);
  }

  /**
   * Drops contacts that are not taken. The others stay in the order in which they were found, which does not depend on
   * depths.
   */
  keep(taken: Uint8Array): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) if (taken[i]) this.move(i, kept++);
    this.count = kept;
  }

  /**
   * Appends the contacts to the buffer.
   *
   * @param frame frame of the working frame in the world, see FRAME
   * @param swapped whether A and B of the manifold are B and A of the buffer
   * @param hash hash of the two parts, from which the ids start
   */
  emit(out: ContactBuffer, frame: Float64Array, swapped: boolean, hash: number, partA: number, partB: number): void {
    const f = frame;
    const sign = swapped ? -1 : 1;
    const nx = sign * (f[0] * this.nx + f[1] * this.ny + f[2] * this.nz);
    const ny = sign * (f[3] * this.nx + f[4] * this.ny + f[5] * this.nz);
    const nz = sign * (f[6] * this.nx + f[7] * this.ny + f[8] * this.nz);
    const a = swapped ? this.pointB : this.pointA;
    const b = swapped ? this.pointA : this.pointB;
    const featureA = swapped ? this.featureB : this.featureA;
    const featureB = swapped ? this.featureA : this.featureB;
    const kind = swapped && this.kind <= ContactKind.vertexFace ? ((1 - this.kind) as ContactKind) : this.kind;
    if (out.count + this.count > out.capacity) out.reserve(out.count + this.count);
    for (let i = 0; i < this.count; i++) {
      const at = out.count++;
      const o = 3 * at;
      const p = 3 * i;
      out.pointA[o] = f[0] * a[p] + f[1] * a[p + 1] + f[2] * a[p + 2] + f[9];
      out.pointA[o + 1] = f[3] * a[p] + f[4] * a[p + 1] + f[5] * a[p + 2] + f[10];
      out.pointA[o + 2] = f[6] * a[p] + f[7] * a[p + 1] + f[8] * a[p + 2] + f[11];
      out.pointB[o] = f[0] * b[p] + f[1] * b[p + 1] + f[2] * b[p + 2] + f[9];
      out.pointB[o + 1] = f[3] * b[p] + f[4] * b[p + 1] + f[5] * b[p + 2] + f[10];
      out.pointB[o + 2] = f[6] * b[p] + f[7] * b[p + 1] + f[8] * b[p + 2] + f[11];
      out.normal[o] = nx;
      out.normal[o + 1] = ny;
      out.normal[o + 2] = nz;
      out.separation[at] = this.separation[i];
      out.id[at] = mix(mix(hash, featureA[i]), featureB[i]);
      out.kind[at] = kind;
      out.partA[at] = partA;
      out.partB[at] = partB;
      out.triangleA[at] = swapped ? this.triangleB[i] : this.triangleA[i];
      out.triangleB[at] = swapped ? this.triangleA[i] : this.triangleB[i];
    }
  }

  /** The deepest contact; among equally deep ones the one furthest from the middle, which is a corner. */
  private firstKept(): number {
    const p = this.pointA;
    let x = 0;
    let y = 0;
    let z = 0;
    let least = Infinity;
    for (let i = 0; i < this.count; i++) {
      x += p[3 * i];
      y += p[3 * i + 1];
      z += p[3 * i + 2];
      if (this.separation[i] < least) least = this.separation[i];
    }
    x /= this.count;
    y /= this.count;
    z /= this.count;
    let best = 0;
    let most = -1;
    for (let i = 0; i < this.count; i++) {
      if (this.separation[i] > least + TIE) continue;
      const dx = p[3 * i] - x;
      const dy = p[3 * i + 1] - y;
      const dz = p[3 * i + 2] - z;
      const d = dx * dx + dy * dy + dz * dz;
      if (d > most * (1 + TIE)) {
        most = d;
        best = i;
      }
    }
    return best;
  }

  private squaredAcross(i: number, j: number): number {
    const p = this.pointA;
    const x = p[3 * j] - p[3 * i];
    const y = p[3 * j + 1] - p[3 * i + 1];
    const z = p[3 * j + 2] - p[3 * i + 2];
    const along = x * this.nx + y * this.ny + z * this.nz;
    return x * x + y * y + z * z - along * along;
  }

  /** Twice the signed area of the triangle of three contacts, seen along the normal. */
  private area(i: number, j: number, k: number): number {
    const p = this.pointA;
    const ux = p[3 * j] - p[3 * i];
    const uy = p[3 * j + 1] - p[3 * i + 1];
    const uz = p[3 * j + 2] - p[3 * i + 2];
    const vx = p[3 * k] - p[3 * i];
    const vy = p[3 * k + 1] - p[3 * i + 1];
    const vz = p[3 * k + 2] - p[3 * i + 2];
    return this.nx * (uy * vz - uz * vy) + this.ny * (uz * vx - ux * vz) + this.nz * (ux * vy - uy * vx);
  }

  private move(from: number, to: number): void {
    if (from === to) return;
    for (let i = 0; i < 3; i++) {
      this.pointA[3 * to + i] = this.pointA[3 * from + i];
      this.pointB[3 * to + i] = this.pointB[3 * from + i];
    }
    this.separation[to] = this.separation[from];
    this.featureA[to] = this.featureA[from];
    this.featureB[to] = this.featureB[from];
    this.triangleA[to] = this.triangleA[from];
    this.triangleB[to] = this.triangleB[from];
  }

  private grow(): void {
    const size = 2 * this.separation.length;
    this.pointA = resized(this.pointA, new Float64Array(3 * size));
    this.pointB = resized(this.pointB, new Float64Array(3 * size));
    this.separation = resized(this.separation, new Float64Array(size));
    this.featureA = resized(this.featureA, new Uint32Array(size));
    this.featureB = resized(this.featureB, new Uint32Array(size));
    this.triangleA = resized(this.triangleA, new Int32Array(size));
    this.triangleB = resized(this.triangleB, new Int32Array(size));
    this.taken = new Uint8Array(size);
  }
}

/** A 32-bit hash of a hash and one more number (the mixing steps of MurmurHash3). */
export function mix(hash: number, value: number): number {
  let k = Math.imul(value, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) >>> 0;
}
