/**
 * Sweeps contact by contact: each takes at once the force that solves its own laws, with the exact cone of friction, while those of the
 * others stand. They find which contacts are open, stick and slide, where Newton steps from afar only make things worse.
 *
 * The rows of contacts are orthonormal, and A⁻¹ is the same for the three coordinates. So a force in world axes moves touched vertices
 * by one number Gᵥᵥ' each; rotations of whole bodies and the motion of rigid ones, of rank three and six, are added where they are read:
 *
 *     W = Q (Ŵ ⊗ I₃) Qᵀ + K T Kᵀ + J M⁻¹ Jᵀ,   Ŵ = Σ w w' Gᵥᵥ'
 *
 * A contact whose force stays as it is, zero for many, costs no more than reading its row.
 */
import type { ContactList } from "../../../collision/soft/contact-list";
import { Anderson } from "./anderson";
import type { Delassus } from "./delassus";
import { Hold, solveContact } from "./one-contact";

/** A force below so much of the cone's edge counts as inside. */
const INSIDE = 1 - 1e-9;
/** Sweeps in a row in which no contact changes what it does. */
const SETTLED = 3;

export class ContactSweeps {
  /** whether the last sweeps left all contacts open, sticking or sliding as they were */
  isSettled = false;
  private readonly anderson = new Anderson();
  private holds = new Uint8Array(0);
  /** z and the motion that follows from it */
  private state = new Float64Array(0);
  /** z before a sweep, then its change times diag W */
  private change = new Float64Array(0);
  private readonly q = new Float64Array(3);
  private readonly f = new Float64Array(3);
  private readonly delta = new Float64Array(3);
  private readonly push = new Float64Array(3);

  /**
   * Moves z by so many sweeps at most, accelerated. They end early when a sweep changes less than `enough`, or when contacts are settled.
   *
   * @param free H q − d without the contact forces: δ = free + W z
   * @param enough length of the change times diag W [m]
   * @returns how many there were
   */
  run(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    most: number,
    enough: number,
    endsSettled: boolean,
  ): number {
    const { z } = contacts;
    const { size } = w;
    this.begin(contacts, w);
    const { state, change, anderson } = this;
    let quiet = 0;
    for (let sweeps = 1; ; sweeps++) {
      for (let i = 0; i < size; i++) change[i] = z[i]!;
      quiet = this.sweep(contacts, w, free) ? quiet + 1 : 0;
      this.isSettled = quiet >= SETTLED;
      let sum = 0;
      for (let i = 0; i < size; i++) {
        change[i] = w.diagonal[i] * (z[i] - change[i]);
        sum += change[i] * change[i];
      }
      if (sweeps === most || sum <= enough * enough || (endsSettled && this.isSettled)) return sweeps;
      for (let i = 0; i < size; i++) state[i] = z[i]!;
      w.readMotion(state, size);
      anderson.mix(state, change);
      for (let i = 0; i < size; i++) z[i] = state[i]!;
      w.writeMotion(state, size);
    }
  }

  private begin(contacts: ContactList, w: Delassus): void {
    const { count, z, friction } = contacts;
    const { size } = w;
    if (this.holds.length < count) this.holds = new Uint8Array(2 * count);
    if (this.change.length !== size) this.change = new Float64Array(size);
    if (this.state.length !== size + w.motionSize) this.state = new Float64Array(size + w.motionSize);
    this.anderson.begin(this.state.length, size);
    w.beginSweeps();
    for (let n = 0; n < count; n++) {
      const [x, y, t] = [z[3 * n], z[3 * n + 1], z[3 * n + 2]];
      const isInside = Math.sqrt(y * y + t * t) <= INSIDE * friction[n] * x;
      this.holds[n] = x === 0 ? Hold.open : isInside ? Hold.sticks : Hold.slides;
      this.move(contacts, w, n, x, y, t);
    }
    for (let k = 0, at = 3 * count; k < w.cables.count; k++, at++) if (z[at] !== 0) w.moveByCable(k, z[at]);
  }

  /** @returns whether all contacts do what they did before */
  private sweep(contacts: ContactList, w: Delassus, free: Float64Array): boolean {
    const { count, z, friction } = contacts;
    const { own } = w;
    const { q, f, delta, holds } = this;
    let isSame = true;
    for (let n = 0, at = 0, o = 0; n < count; n++, at += 3, o += 9) {
      w.readContact(n, delta);
      const [a, b, c] = [z[at], z[at + 1], z[at + 2]];
      for (let r = 0, i = o; r < 3; r++, i += 3)
        q[r] = free[at + r] + delta[r] - own[i] * a - own[i + 1] * b - own[i + 2] * c;
      f[0] = a;
      f[1] = b;
      f[2] = c;
      const hold = solveContact(own, o, q, friction[n], f);
      if (hold !== holds[n]) {
        holds[n] = hold;
        isSame = false;
      }
      this.move(contacts, w, n, f[0] - a, f[1] - b, f[2] - c);
      z[at] = f[0]!;
      z[at + 1] = f[1]!;
      z[at + 2] = f[2]!;
    }
    const { cables, compliance } = w.cables;
    for (let k = 0, at = 3 * count; k < cables.length; k++, at++) {
      const e = compliance[k];
      // nothing on its way is free to move
      if (!(w.diagonal[at] > 0)) continue;
      const next = z[at] - (free[at] + w.readCable(k) + e * z[at]) / (w.diagonal[at] + e);
      const force = cables[k].pushes ? next : Math.max(0, next);
      if (force !== z[at]) w.moveByCable(k, force - z[at]);
      z[at] = force;
    }
    return isSame;
  }

  /** A change of force, in the frame of a contact, moves what it touches. */
  private move({ frame }: ContactList, w: Delassus, n: number, x: number, y: number, t: number): void {
    if (x === 0 && y === 0 && t === 0) return;
    const { push } = this;
    for (let c = 0, at = 9 * n; c < 3; c++, at++) push[c] = frame[at] * x + frame[at + 3] * y + frame[at + 6] * t;
    w.moveByContact(n, push);
  }
}
