/**
 * What is known of pairs of boxes and hulls from the steps before. In a heap at rest nearly all pairs look as they did: contacts
 * then stay points of the two bodies and only their gaps are computed again, and shapes that were apart by more than they have
 * moved need not be looked at (after the body pair cache of Jolt).
 *
 * A pair is a function of poses now and of its record, and records are part of a snapshot: runs that go on from one have the
 * same bits. Records are kept for pairs that were asked for in the last step; places of records do not matter.
 */

import { collideConvexBodies } from "./collide";
import { type ContactBuffer, ContactKind } from "./contact-buffer";
import { FRAME, identityFrame, poseToFrame, relativeFrame } from "./frame";
import { MOST_CONTACTS } from "./manifold";
import { grown, MANIFOLD, PairRecords, PairTable } from "./pair-records";
import type { Polytope } from "./shapes/rigid-shape";

/**
 * Lengths are right to this part of a shape's reach: nothing that is seen at once from trails, which snapshots do not have, would be seen otherwise
 * from poses.
 */
const ROUNDING = 1e-9;
/** Part of the smaller shape's reach that a pair may move before its contacts are found anew. */
const SHARE = 4e-3;

export class PairCache {
  /** pairs of the last step and of this one, in ascending order, and the places of their records */
  private last = new PairTable();
  private now = new PairTable();
  /** first pair of the last step that this step has not passed */
  private cursor = 0;
  /** there is a record of the pair that this step is at */
  private isKnown = false;
  private readonly records = new PairRecords();
  /** frames of the bodies, see FRAME */
  readonly frames: Float64Array[] = [];
  /** how far [m] points of each body have come in all, at most */
  private trails = new Float64Array(0);

  clear(): void {
    this.last.count = this.now.count = this.cursor = 0;
    this.records.clear();
  }

  /** A step begins. */
  begin(): void {
    this.now.count = 0;
    this.cursor = 0;
  }

  /**
   * Tells where a body is now.
   *
   * @param reach distance of its furthest point from the origin of its frame [m]
   */
  place(body: number, poses: Float64Array, at: number, reach: number): void {
    const { frames } = this;
    while (frames.length <= body) frames.push(identityFrame());
    if (this.trails.length <= body) this.trails = grown(this.trails, new Float64Array(2 * body + 16));
    const old = frames[body];
    poseToFrame(poses, at, relative);
    this.trails[body] += distance(relative, old, 0, reach);
    for (let i = 0; i < FRAME; i++) old[i] = relative[i];
  }

  /**
   * Turns to a pair of bodies, one convex polytope each. Pairs of a step have to come in ascending order of (a, b).
   *
   * @param a, b what tells the bodies from others
   * @param most separation [m] beyond which no contacts will be asked for
   * @returns whether they are known to be further apart than that: then there is nothing to `collide`
   */
  isApart(a: number, b: number, most: number): boolean {
    const { trails, now } = this;
    this.isKnown = this.visit(a, b);
    return trails[a] + trails[b] + most <= now.limit[now.count - 1];
  }

  /**
   * Contacts of the two bodies that `isApart` was asked for last, appended to a buffer.
   *
   * @param margin separation [m] up to which contacts are wanted
   * @param tolerance how far [m] the pair may move at most before its contacts are found anew
   */
  collide(
    a: number,
    shapeA: Polytope,
    b: number,
    shapeB: Polytope,
    margin: number,
    tolerance: number,
    out: ContactBuffer,
  ): void {
    const { records, frames, trails, now, isKnown } = this;
    const pair = now.count - 1;
    const trail = trails[a] + trails[b];
    if (trail + margin <= now.limit[pair]) return;
    const k = now.record[pair];
    const frameA = frames[a];
    const frameB = frames[b];
    const isSmallerA = shapeA.reach < shapeB.reach;
    const reach = isSmallerA ? shapeA.reach : shapeB.reach;
    if (isSmallerA) relativeFrame(frameB, frameA, relative);
    else relativeFrame(frameA, frameB, relative);
    const most = SHARE * reach < tolerance ? SHARE * reach : tolerance;
    if (isKnown) {
      const moved = distance(relative, records.frames, FRAME * k, reach);
      const count = records.count[k];
      if (moved + margin <= records.bound[k] && (count === 0 || moved <= most)) {
        if (count > 0) this.recall(k, frameA, frameB, margin, out);
        else now.limit[pair] = records.bound[k] - moved + trail - ROUNDING * reach;
        return;
      }
    }
    for (let i = 0; i < FRAME; i++) records.frames[FRAME * k + i] = relative[i];
    this.find(k, shapeA, frameA, shapeB, frameB, margin, margin + 2 * most, out);
    now.limit[pair] = records.count[k] > 0 ? -Infinity : records.bound[k] + trail - ROUNDING * reach;
  }

  /** The step ends: pairs that were not asked for are forgotten. */
  end(): void {
    const { last } = this;
    for (; this.cursor < last.count; this.cursor++) this.records.release(last.record[this.cursor]);
    this.last = this.now;
    this.now = last;
    last.count = 0;
  }

  /** Adds the pair to those of this step, and says whether there is a record of it. */
  private visit(a: number, b: number): boolean {
    const { last, now } = this;
    for (; this.cursor < last.count; this.cursor++) {
      const k = this.cursor;
      const isBefore = last.a[k] < a || (last.a[k] === a && last.b[k] < b);
      if (!isBefore) {
        if (last.a[k] !== a || last.b[k] !== b) break;
        now.add(a, b, last.record[k], last.limit[k]);
        this.cursor++;
        return true;
      }
      this.records.release(last.record[k]);
    }
    now.add(a, b, this.records.acquire(), -Infinity);
    return false;
  }

  /** Contacts that were found before: points of their bodies, with the gaps that these have now. */
  private recall(k: number, fa: Float64Array, fb: Float64Array, margin: number, out: ContactBuffer): void {
    const { manifolds: m, ids, count } = this.records;
    const at = MANIFOLD * k;
    const kind = this.records.kind[k] as ContactKind;
    const f = kind === ContactKind.vertexFace ? fb : fa;
    const nx = f[0] * m[at] + f[1] * m[at + 1] + f[2] * m[at + 2];
    const ny = f[3] * m[at] + f[4] * m[at + 1] + f[5] * m[at + 2];
    const nz = f[6] * m[at] + f[7] * m[at + 1] + f[8] * m[at + 2];
    for (let i = 0; i < count[k]; i++) {
      const p = at + 3 + 6 * i;
      let ax = fa[0] * m[p] + fa[1] * m[p + 1] + fa[2] * m[p + 2] + fa[9];
      let ay = fa[3] * m[p] + fa[4] * m[p + 1] + fa[5] * m[p + 2] + fa[10];
      let az = fa[6] * m[p] + fa[7] * m[p + 1] + fa[8] * m[p + 2] + fa[11];
      let bx = fb[0] * m[p + 3] + fb[1] * m[p + 4] + fb[2] * m[p + 5] + fb[9];
      let by = fb[3] * m[p + 3] + fb[4] * m[p + 4] + fb[5] * m[p + 5] + fb[10];
      let bz = fb[6] * m[p + 3] + fb[7] * m[p + 4] + fb[8] * m[p + 5] + fb[11];
      const s = nx * (bx - ax) + ny * (by - ay) + nz * (bz - az);
      if (s > margin) continue;
      // The point on a face is below the corner, wherever that has slid.
      if (kind === ContactKind.faceVertex) {
        ax = bx - s * nx;
        ay = by - s * ny;
        az = bz - s * nz;
      } else if (kind === ContactKind.vertexFace) {
        bx = ax + s * nx;
        by = ay + s * ny;
        bz = az + s * nz;
      }
      const c = out.append();
      const o = 3 * c;
      out.pointA[o] = ax;
      out.pointA[o + 1] = ay;
      out.pointA[o + 2] = az;
      out.pointB[o] = bx;
      out.pointB[o + 1] = by;
      out.pointB[o + 2] = bz;
      out.normal[o] = nx;
      out.normal[o + 1] = ny;
      out.normal[o + 2] = nz;
      out.separation[c] = s;
      out.id[c] = ids[MOST_CONTACTS * k + i];
      out.kind[c] = kind;
      out.partA[c] = 0;
      out.partB[c] = 0;
      out.triangleA[c] = -1;
      out.triangleB[c] = -1;
    }
  }

  /** Contacts by the narrow phase, looked for up to `far` and kept in the record, appended up to `margin`. */
  private find(
    k: number,
    a: Polytope,
    frameA: Float64Array,
    b: Polytope,
    frameB: Float64Array,
    margin: number,
    far: number,
    out: ContactBuffer,
  ): void {
    const { records } = this;
    const { manifolds: m } = records;
    const first = out.count;
    const apart = collideConvexBodies(a, frameA, b, frameB, far, out);
    const count = out.count - first;
    records.count[k] = count;
    records.bound[k] = count > 0 ? far : apart;
    if (count === 0) return;
    const at = MANIFOLD * k;
    const kind = out.kind[first];
    records.kind[k] = kind;
    toLocal(kind === ContactKind.vertexFace ? frameB : frameA, out.normal, 3 * first, 0, m, at);
    let kept = first;
    for (let i = 0; i < count; i++) {
      const c = first + i;
      toLocal(frameA, out.pointA, 3 * c, 1, m, at + 3 + 6 * i);
      toLocal(frameB, out.pointB, 3 * c, 1, m, at + 6 + 6 * i);
      records.ids[MOST_CONTACTS * k + i] = out.id[c];
      if (out.separation[c] <= margin) out.move(c, kept++);
    }
    out.count = kept;
  }

  /** Bodies have other numbers: `numberOf[old]` is the new one, −1 for gone. Order is kept if that of bodies is. */
  renumber(numberOf: Int32Array): void {
    const { last } = this;
    let count = 0;
    for (let k = 0; k < last.count; k++) {
      const a = numberOf[last.a[k]];
      const b = numberOf[last.b[k]];
      if (a < 0 || b < 0) {
        this.records.release(last.record[k]);
        continue;
      }
      last.a[count] = a;
      last.b[count] = b;
      // Trails belong to the old numbers.
      last.limit[count] = -Infinity;
      last.record[count++] = last.record[k];
    }
    last.count = count;
  }

  /** All records in the order of pairs, for a snapshot. */
  save(): Float64Array {
    const { last, records } = this;
    const numbers: number[] = [];
    for (let k = 0; k < last.count; k++) {
      numbers.push(last.a[k], last.b[k]);
      records.write(last.record[k], numbers);
    }
    return Float64Array.from(numbers);
  }

  load(saved: Float64Array): void {
    this.clear();
    for (let at = 0; at < saved.length;) {
      const record = this.records.acquire();
      this.last.add(saved[at], saved[at + 1], record, -Infinity);
      at = this.records.read(record, saved, at + 2);
    }
  }
}

/**
 * How far [m] points are apart, at most, that a frame and another one, from place `at` on, have in the same place up to `reach`
 * from their origins.
 */
function distance(f: Float64Array, g: Float64Array, at: number, reach: number): number {
  let turn = 0;
  for (let i = 0; i < 9; i++) {
    const d = f[i] - g[at + i];
    turn += d * d;
  }
  const x = f[9] - g[at + 9];
  const y = f[10] - g[at + 10];
  const z = f[11] - g[at + 11];
  // ‖ΔR‖ in the Frobenius norm is √2 times what it does to a vector.
  return Math.sqrt(x * x + y * y + z * z) + reach * Math.sqrt(0.5 * turn);
}

/** A point (w 1) or a direction (w 0) of the world, from place `at` on, in a frame. */
function toLocal(f: Float64Array, world: Float64Array, at: number, w: number, out: Float64Array, to: number): void {
  const x = world[at] - w * f[9];
  const y = world[at + 1] - w * f[10];
  const z = world[at + 2] - w * f[11];
  out[to] = f[0] * x + f[3] * y + f[6] * z;
  out[to + 1] = f[1] * x + f[4] * y + f[7] * z;
  out[to + 2] = f[2] * x + f[5] * y + f[8] * z;
}

const relative = identityFrame();
