/**
 * Cache of the contacts of pairs of boxes and hulls from earlier steps. In a heap at rest nearly all pairs look as
 * before. Their contacts then stay points of the two bodies, and only the gaps are computed again. Pairs need no test
 * at all if their distance was larger than their motion since (after the body pair cache of Jolt).
 *
 * The contacts of a pair depend only on current poses and on its record. Records are part of a snapshot, so runs that
 * continue from one have the same bits. The cache keeps records of pairs that the last step asked for; places of
 * records do not matter.
 */

import { resized } from "../../math/arrays";
import { collideConvexBodies } from "./collide";
import { type ContactBuffer, ContactKind } from "./contact-buffer";
import { FRAME, identityFrame, poseToFrame, relativeFrame, toLocal } from "./frame";
import { Approach } from "./convex/approach";
import { MOST_CONTACTS } from "./manifold";
import { MANIFOLD, PairRecords, PairTable } from "./pair-records";
import type { Polytope } from "./shapes/rigid-shape";

/**
 * Lengths are accurate to this part of a shape's reach. With this margin, a decision from trails alone, which snapshots
 * do not have, is the same as a decision from poses.
 */
const ROUNDING = 1e-9;
/** A pair may move by this part of the smaller shape's reach before its contacts are searched again. */
const SHARE = 4e-3;

/** By number of the body: its polytope, if it is one. */
type Solids = readonly (Polytope | undefined)[];

export class PairCache {
  /** pairs of the last step and of this one, in ascending order, and the places of their records */
  private last = new PairTable();
  private now = new PairTable();
  /** first pair of the last step that this step has not passed */
  private cursor = 0;
  /** whether the current pair has a record */
  private isKnown = false;
  private records = new PairRecords();
  /** where records go to be put in the order of their pairs, and how many pairs of this step have theirs out of it */
  private spare = new PairRecords();
  private misplaced = 0;
  /** motion of the bodies in the step */
  readonly approach = new Approach();
  /** FRAME numbers a body: pairs read them all over the place */
  frames = new Float64Array(0);
  /** upper bound of the path length of each body's points since the start [m] */
  private trails = new Float64Array(0);
  /** distance of each body's furthest point from the origin of its frame [m] */
  private reaches = new Float64Array(0);

  clear(): void {
    this.last.count = this.now.count = this.cursor = 0;
    this.records.clear();
  }

  /** Begins a step. */
  begin(): void {
    this.now.count = 0;
    this.cursor = this.misplaced = 0;
  }

  /**
   * Takes the current pose of a body.
   *
   * @param shape has the distance of its furthest point from the origin of its frame [m]
   */
  place(body: number, poses: Float64Array, at: number, shape: { readonly reach: number } | undefined): void {
    if (this.trails.length <= body) {
      this.trails = resized(this.trails, new Float64Array(2 * body + 16));
      this.reaches = resized(this.reaches, new Float64Array(2 * body + 16));
      this.frames = resized(this.frames, new Float64Array(FRAME * (2 * body + 16)));
    }
    const { frames } = this;
    poseToFrame(poses, at, relative);
    measure(relative, frames, FRAME * body);
    const reach = (this.reaches[body] = shape ? shape.reach : 0);
    this.trails[body] += moved[0] + reach * moved[1];
    for (let i = 0; i < FRAME; i++) frames[FRAME * body + i] = relative[i];
  }

  /**
   * Moves on to a pair of bodies, one convex polytope each. Pairs of a step must come in ascending order of (a, b).
   *
   * @param a, b numbers of the bodies
   * @param most largest separation [m] at which the caller will ask for contacts: one number
   * @returns whether the bodies are known to be further apart; `collide` is not needed then
   */
  isApart(a: number, b: number, most: Float64Array): boolean {
    const { trails, now } = this;
    this.isKnown = this.visit(a, b);
    return trails[a] + trails[b] + most[0] <= now.limit[now.count - 1];
  }

  /**
   * Appends contacts of the two bodies of the last call of `isApart` to a buffer.
   *
   * @param solids of all bodies: most pairs do not read theirs, which lie anywhere in memory
   * @param asked separation up to which contacts are wanted, and the largest motion of the pair before its contacts are searched again [m]:
   * in an array, since numbers that are not whole would need memory with each call
   */
  collide(a: number, b: number, solids: Solids, asked: Float64Array, out: ContactBuffer): void {
    const { records, frames, trails, now, isKnown } = this;
    const margin = asked[0];
    const tolerance = asked[1];
    const pair = now.count - 1;
    const trail = trails[a] + trails[b];
    if (trail + margin <= now.limit[pair]) return;
    const k = now.record[pair];
    for (let i = 0; i < FRAME; i++) {
      frameA[i] = frames[FRAME * a + i];
      frameB[i] = frames[FRAME * b + i];
    }
    const reachA = this.reaches[a];
    const reachB = this.reaches[b];
    const isSmallerA = reachA < reachB;
    const reach = isSmallerA ? reachA : reachB;
    if (isSmallerA) relativeFrame(frameB, frameA, relative);
    else relativeFrame(frameA, frameB, relative);
    const most = SHARE * reach < tolerance ? SHARE * reach : tolerance;
    // Bounds lie side by side in memory, frames do not.
    if (isKnown && margin <= records.bound[k]) {
      measure(relative, records.frames, FRAME * k);
      const way = moved[0] + reach * moved[1];
      const count = records.contacts[k];
      if (way + margin <= records.bound[k] && (count === 0 || way <= most)) {
        if (count > 0) this.recall(k, asked, out);
        else now.limit[pair] = records.bound[k] - way + trail - ROUNDING * reach;
        return;
      }
    }
    for (let i = 0; i < FRAME; i++) records.frames[FRAME * k + i] = relative[i];
    records.bound[k] = margin + 2 * most;
    this.find(k, a, b, solids, asked, out);
    now.limit[pair] = records.contacts[k] > 0 ? -Infinity : records.bound[k] + trail - ROUNDING * reach;
  }

  /** Ends the step, removes pairs that were not asked for, and puts records in order if pairs look for many of them all over the place. */
  end(): void {
    const { last } = this;
    for (; this.cursor < last.count; this.cursor++) this.records.release(last.record[this.cursor]);
    this.last = this.now;
    this.now = last;
    last.count = 0;
    if (4 * this.misplaced > this.last.count) this.sortRecords();
  }

  private sortRecords(): void {
    const { records, spare } = this;
    const { record, count } = this.last;
    spare.clear();
    spare.reserve(count);
    for (let k = 0; k < count; k++) {
      spare.copy(records, record[k]);
      record[k] = k;
    }
    this.records = spare;
    this.spare = records;
  }

  /** Adds the pair to those of this step; returns whether it has a record. */
  private visit(a: number, b: number): boolean {
    const { last, now } = this;
    for (; this.cursor < last.count; this.cursor++) {
      const k = this.cursor;
      const isBefore = last.a[k] < a || (last.a[k] === a && last.b[k] < b);
      if (!isBefore) {
        if (last.a[k] !== a || last.b[k] !== b) break;
        now.add(a, b, last.record[k], last.limit[k]);
        if (k > 0 && last.record[k] < last.record[k - 1]) this.misplaced++;
        this.cursor++;
        return true;
      }
      this.records.release(last.record[k]);
    }
    now.add(a, b, this.records.acquire(), -Infinity);
    return false;
  }

  /** Appends recorded contacts: points fixed to their bodies, with their current gaps. */
  private recall(k: number, asked: Float64Array, out: ContactBuffer): void {
    const fa = frameA;
    const fb = frameB;
    const { manifolds: m, ids, contacts: counts } = this.records;
    const at = MANIFOLD * k;
    const margin = asked[0];
    const kind = this.records.kind[k] as ContactKind;
    const f = kind === ContactKind.vertexFace ? fb : fa;
    const nx = f[0] * m[at] + f[1] * m[at + 1] + f[2] * m[at + 2];
    const ny = f[3] * m[at] + f[4] * m[at + 1] + f[5] * m[at + 2];
    const nz = f[6] * m[at] + f[7] * m[at + 1] + f[8] * m[at + 2];
    if (out.count + counts[k] > out.capacity) out.reserve(out.count + counts[k]);
    for (let i = 0; i < counts[k]; i++) {
      const p = at + 3 + 6 * i;
      let ax = fa[0] * m[p] + fa[1] * m[p + 1] + fa[2] * m[p + 2] + fa[9];
      let ay = fa[3] * m[p] + fa[4] * m[p + 1] + fa[5] * m[p + 2] + fa[10];
      let az = fa[6] * m[p] + fa[7] * m[p + 1] + fa[8] * m[p + 2] + fa[11];
      let bx = fb[0] * m[p + 3] + fb[1] * m[p + 4] + fb[2] * m[p + 5] + fb[9];
      let by = fb[3] * m[p + 3] + fb[4] * m[p + 4] + fb[5] * m[p + 5] + fb[10];
      let bz = fb[6] * m[p + 3] + fb[7] * m[p + 4] + fb[8] * m[p + 5] + fb[11];
      const s = nx * (bx - ax) + ny * (by - ay) + nz * (bz - az);
      if (s > margin) continue;
      // The point on a face follows the corner above it as that slides.
      if (kind === ContactKind.faceVertex) {
        ax = bx - s * nx;
        ay = by - s * ny;
        az = bz - s * nz;
      } else if (kind === ContactKind.vertexFace) {
        bx = ax + s * nx;
        by = ay + s * ny;
        bz = az + s * nz;
      }
      const c = out.count++;
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

  /** Runs the narrow phase: contacts up to the record's `bound` go to the record, those asked for to the buffer. */
  private find(k: number, a: number, b: number, solids: Solids, asked: Float64Array, out: ContactBuffer): void {
    const { records } = this;
    const { manifolds: m } = records;
    const margin = asked[0];
    const far = records.bound[k];
    const first = out.count;
    const apart = collideConvexBodies(a, solids[a]!, frameA, b, solids[b]!, frameB, far, this.approach, out);
    const count = out.count - first;
    records.contacts[k] = count;
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

  /** Renumbers bodies: `numberOf[old]` is the new number, −1 for a removed body. Pairs stay in order if bodies do. */
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
      // Trails still belong to the old numbers, so the limit is void.
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
 * Upper bounds of the distance of equal local points in a frame and in another one from place `at` on: a length [m], and one for each meter
 * from the origin. Writes them to `moved`.
 */
function measure(f: Float64Array, g: Float64Array, at: number): void {
  let turn = 0;
  for (let i = 0; i < 9; i++) {
    const d = f[i] - g[at + i];
    turn += d * d;
  }
  const x = f[9] - g[at + 9];
  const y = f[10] - g[at + 10];
  const z = f[11] - g[at + 11];
  moved[0] = Math.sqrt(x * x + y * y + z * z);
  // The Frobenius norm of ΔR is √2 times its largest effect on a unit vector.
  moved[1] = Math.sqrt(0.5 * turn);
}

const moved = new Float64Array(2);

const relative = identityFrame();
/** of the bodies of the pair */
const frameA = identityFrame();
const frameB = identityFrame();
