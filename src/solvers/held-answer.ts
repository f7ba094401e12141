/**
 * The response of a guest to impulses while it rests on immovable objects: u = A⁻¹ (j + Jᵀ p). The contacts of its step
 * react with impulses p as far as they can: together with the impulses that they carry already, normal parts stay above
 * zero and friction stays within its cone. Objects that the impulses push it into are contacts from then on: they keep what is left of
 * its way to them.
 *
 * K   J A⁻¹ Jᵀ, with a little on its diagonal, as contacts of one face depend on each other
 */
import { resized } from "../math/arrays";
import { solveCholesky, substituteCholesky } from "../math/dense";
import type { Guest, HeldContacts } from "./guest";

/** Part of the diagonal of K that is added to it. */
const GIVE = 1e-6;
/** Number of sweeps if a contact opens or slides. */
const SWEEPS = 30;
/** Most searches for the added contacts that push. */
const ROUNDS = 12;
/** Cosine of the angle between normals up to which two contacts of a particle are one. */
const SAME_SIDE = 0.9;

export class HeldAnswer {
  private readonly contacts: HeldContacts = this.guest.heldContacts();
  /** those that its own step had; the others follow */
  private readonly own: number = this.contacts.count;
  /** of the others, 3 each: height of the object along the normal [m], and its velocity along the tangents [m/s] */
  private readonly planes: number[] = [];
  private size = 0;
  /** A⁻¹ Jᵀ, one array for each row of J */
  private readonly columns: Float64Array[] = [];
  private k = new Float64Array(0);
  /** Cholesky factor of K of the contacts of its own step */
  private factor = new Float64Array(0);
  /** impulses that contacts carry [N s] */
  private carried = new Float64Array(0);
  /** velocity at which contacts go on without further impulses, less the one that they may have [m/s] */
  private rate = new Float64Array(0);
  private speed = new Float64Array(0);
  private change = new Float64Array(0);

  constructor(private readonly guest: Guest) {
    this.grow();
    this.makeFactor();
  }

  /**
   * Adds contacts with objects that it is pushed into, unless it has them already.
   *
   * @param hits see `Guest.hits`
   * @param which places of those that count
   * @param dt frame time [s]
   * @returns whether there are more contacts than before
   */
  meet(hits: HeldContacts, which: readonly number[], dt: number): boolean {
    const { guest, planes, contacts } = this;
    const { count: before } = contacts;
    for (const n of which) {
      let isKnown = false;
      for (let c = 0; c < before && !isKnown; c++) isKnown = isSame(contacts, c, hits, n);
      if (isKnown) continue;
      for (let d = 0; d < 3; d++) {
        const [start, end] = [guest.start, guest.state.positions].map((x) => hits.along(n, d, x));
        const slip = hits.slip[3 * n + d];
        planes.push(d === 0 ? end - slip * dt : (end - start) / dt - slip);
      }
      contacts.take(hits, n, n + 1);
    }
    if (contacts.count > before) this.grow();
    return contacts.count > before;
  }

  /** Whether one of the contacts pushes. */
  get isHolding(): boolean {
    for (let row = 0; row < this.size; row += 3) if (this.carried[row] > 0) return true;
    return false;
  }

  /** Number of added contacts, which it may run into without further impulses. */
  get added(): number {
    return this.contacts.count - this.own;
  }

  /**
   * Sets how far contacts that were added are from their objects. A guest that is in one already is not thrown out of it.
   *
   * @param start positions at the start of a part of the frame, of h [s]
   * @param x positions to which it goes in that [m]
   */
  place(start: Float64Array, x: Float64Array, h: number): void {
    const { contacts, planes, rate, own } = this;
    for (let c = own; c < contacts.count; c++)
      for (let d = 0; d < 3; d++) {
        const [from, to] = [start, x].map((of) => contacts.along(c, d, of));
        const plane = planes[3 * (c - own) + d];
        rate[3 * c + d] = d === 0 ? (to - Math.min(plane, from)) / h : (to - from) / h - plane;
      }
  }

  /** out = u of impulses j, particleCount × 3 each; the impulses of the contacts are remembered. */
  answer(j: Float64Array, out: Float64Array): void {
    this.guest.answer(j, out);
    const { size, speed, change, carried, columns, rate } = this;
    if (size === 0) return;
    for (let row = 0; row < size; row++) speed[row] = rate[row] + this.along(row, out);
    this.hold();
    for (let row = 0; row < size; row++) {
      if (change[row] === 0) continue;
      carried[row] += change[row];
      const column = columns[row];
      for (let i = 0; i < out.length; i++) out[i] += change[row] * column[i];
    }
  }

  /** Adds the rows of K for new contacts. */
  private grow(): void {
    const { guest, contacts, columns, size: before } = this;
    const size = (this.size = 3 * contacts.count);
    const length = 3 * guest.model.particleCount;
    const j = new Float64Array(length);
    for (let row = before; row < size; row++) {
      j.fill(0);
      this.addRow(row, 1, j);
      guest.answer(j, (columns[row] = new Float64Array(length)));
    }
    this.carried = resized(this.carried, new Float64Array(size));
    this.rate = resized(this.rate, new Float64Array(size));
    this.carried.set(contacts.impulse.subarray(before, size), before);
    [this.speed, this.change] = [new Float64Array(size), new Float64Array(size)];
    const k = (this.k = widened(this.k, before, size));
    for (let a = before; a < size; a++)
      for (let b = 0; b <= a; b++) k[a * size + b] = k[b * size + a] = this.along(a, columns[b]);
  }

  private makeFactor(): void {
    const { size, k } = this;
    const factor = (this.factor = new Float64Array(size * size));
    for (let a = 0; a < size; a++)
      for (let b = 0; b <= a; b++) {
        let sum = k[a * size + b] * (a === b ? 1 + GIVE : 1);
        for (let c = 0; c < b; c++) sum -= factor[a * size + c] * factor[b * size + c];
        factor[a * size + b] = a > b ? sum / factor[b * size + b] : Math.sqrt(Math.max(sum, 1e-12 * k[a * size + a]));
      }
  }

  /** Finds impulses of the contacts for which each contact sticks, opens or slides. */
  private hold(): void {
    const { size, factor, change, speed, contacts } = this;
    if (this.added > 0) this.findPushing();
    else {
      for (let row = 0; row < size; row++) change[row] = -speed[row];
      substituteCholesky(factor, change, size);
    }
    let isOut = false;
    for (let c = 0; c < contacts.count; c++) if (this.project(c)) isOut = true;
    for (let sweep = 0; sweep < SWEEPS && isOut; sweep++)
      for (let c = 0; c < contacts.count; c++) {
        for (let row = 3 * c; row < 3 * c + 3; row++) this.relax(row);
        this.project(c);
      }
  }

  /** With added contacts, most of which are open: finds impulses of those that push, as if they stuck. */
  private findPushing(): void {
    const { contacts, carried, speed, change, own } = this;
    const pushes = Array.from({ length: contacts.count }, (_, c) => c < own || carried[3 * c] > 0 || speed[3 * c] < 0);
    for (let round = 0; round < ROUNDS; round++) {
      this.stick(pushes);
      let isDone = true;
      for (let c = 0, n = 0; c < contacts.count; c++, n += 3) {
        const isRight = pushes[c] ? carried[n] + change[n] >= 0 : this.speedOf(n) >= 0;
        if (isRight) continue;
        pushes[c] = !pushes[c];
        isDone = false;
      }
      if (isDone) return;
    }
  }

  /** Solves for contacts that push; the others let go. */
  private stick(pushes: readonly boolean[]): void {
    const { size, k, carried, change } = this;
    const rows: number[] = [];
    for (let row = 0; row < size; row++) {
      const isKnown = !pushes[Math.floor(row / 3)] || !(k[row * (size + 1)] > 0);
      change[row] = isKnown ? -carried[row] : 0;
      if (!isKnown) rows.push(row);
    }
    const count = rows.length;
    const right = Float64Array.from(rows, (row) => -this.speedOf(row));
    const matrix = new Float64Array(count * count);
    rows.forEach((row, a) => {
      for (let b = 0; b <= a; b++) matrix[a * count + b] = k[row * size + rows[b]] * (a === b ? 1 + GIVE : 1);
    });
    if (solveCholesky(matrix, right, count)) rows.forEach((row, a) => (change[row] = right[a]));
  }

  /** Velocity of a row with the present changes. */
  private speedOf(row: number): number {
    const { size, k, change, speed } = this;
    let sum = speed[row];
    for (let b = 0; b < size; b++) sum += k[row * size + b] * change[b];
    return sum;
  }

  private relax(row: number): void {
    const diagonal = this.k[row * (this.size + 1)];
    if (diagonal > 0) this.change[row] -= this.speedOf(row) / (diagonal * (1 + GIVE));
  }

  /** Projects the impulse that a contact carries into its cone. Returns whether it was outside. */
  private project(c: number): boolean {
    const { carried, change, contacts } = this;
    const n = 3 * c;
    let isOut = false;
    if (carried[n] + change[n] < 0) {
      change[n] = -carried[n];
      isOut = true;
    }
    const limit = contacts.friction[c] * (carried[n] + change[n]);
    const x = carried[n + 1] + change[n + 1];
    const y = carried[n + 2] + change[n + 2];
    const length = Math.sqrt(x * x + y * y);
    if (length <= limit) return isOut;
    change[n + 1] = (x * limit) / length - carried[n + 1];
    change[n + 2] = (y * limit) / length - carried[n + 2];
    return true;
  }

  private addRow(row: number, p: number, j: Float64Array): void {
    const { vertex, weight, frame } = this.contacts;
    for (const e of this.contacts.verticesOf(Math.floor(row / 3)))
      if (!this.guest.isFixed(vertex[e]))
        for (let i = 0; i < 3; i++) j[3 * vertex[e] + i] += p * weight[e] * frame[3 * row + i];
  }

  private along(row: number, u: Float64Array): number {
    return this.contacts.along(Math.floor(row / 3), row % 3, u);
  }
}

/** Whether two contacts hold the same particles on the same side. */
function isSame(a: HeldContacts, c: number, b: HeldContacts, n: number): boolean {
  let along = 0;
  for (let i = 0; i < 3; i++) along += a.frame[9 * c + i] * b.frame[9 * n + i];
  const [own, others] = [a.verticesOf(c), b.verticesOf(n)];
  if (along < SAME_SIDE || own.length !== others.length) return false;
  return own.every((e, k) => a.vertex[e] === b.vertex[others[k]] && Math.abs(a.weight[e] - b.weight[others[k]]) < 0.5);
}

/** A matrix with room for more rows and columns. */
function widened(from: Float64Array, before: number, size: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(size * size);
  for (let row = 0; row < before; row++) to.set(from.subarray(row * before, (row + 1) * before), row * size);
  return to;
}
