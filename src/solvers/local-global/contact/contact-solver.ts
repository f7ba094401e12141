/**
 * One non-smooth Newton step on the contacts of a local-global iteration (section 5): linear system (22) by preconditioned
 * conjugate residuals, in which the iterations of Algorithm 4 multiply with W.
 *
 * z   h² λ, three a contact: normal, two tangents [kg m]
 * δ   gap of the normal rows, slip of the step of the tangential ones, slack of cables [m]
 * W   Delassus operator [1/kg]
 */
import { dotProduct } from "../../../math/dense";
import { fischerBurmeister, fischerBurmeisterSlip, minimumMap, minimumMapSlip, type NormalRow } from "../../ncp";
import type { ContactList } from "../../../collision/soft/contact-list";
import type { Delassus } from "./delassus";
import type { Complementarity, SharedOptions } from "../options";
import { lengthOf } from "../../../math/vectors";

/** Violations of Signorini's and Coulomb's laws by a solution. */
export interface ContactResiduals {
  contacts: number;
  /** largest |min(δ, r z)| of the normal rows [m] */
  complementarity: number;
  /** largest amount of friction outside of its cone, times r [m] */
  frictionCone: number;
  /** largest |min(δ + e λ, r z)| of cables, or |δ + e λ| of those that push [m] */
  cables: number;
  /** largest slip of contacts whose friction is well inside of its cone [m] */
  stickingSlip: number;
}

export const noResiduals: Readonly<ContactResiduals> = {
  contacts: 0,
  complementarity: 0,
  frictionCone: 0,
  cables: 0,
  stickingSlip: 0,
};

const row: NormalRow = { isActive: false, step: 0, compliance: 0, residual: 0, phi: 0 };

const vectorNames = ["delta", "compliance", "b", "x", "before", "full", "r", "s", "p", "as", "ap", "pap"] as const;
type Vectors = Readonly<Record<(typeof vectorNames)[number], Float64Array>>;

/** A number a row in each. */
const vectorsOf = (size: number): Vectors =>
  Object.fromEntries(vectorNames.map((name) => [name, new Float64Array(size)])) as unknown as Vectors;

export class ContactSolver {
  readonly residuals: ContactResiduals = { ...noResiduals };
  private vectors = vectorsOf(0);
  private active = new Uint8Array(0);
  private size = 0;

  /**
   * Moves z by one Newton step.
   *
   * @param free H q − d without the contact forces: δ = free + W z
   * @param scale r of each row [1/kg]
   */
  step(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    scale: Float64Array,
    { complementarity: kind, constraintIterations, guarded: isGuarded }: SharedOptions,
  ): void {
    this.reserve(w.size);
    const { delta, compliance, b, before } = this.vectors;
    const { z } = contacts;
    this.gaps(w, z, free, delta);
    for (let n = 0; n < contacts.count; n++) {
      this.lineariseNormal(contacts, 3 * n, delta, scale, kind);
      if (isGuarded) this.lineariseSliding(contacts, w, n, delta, free, scale);
      else this.lineariseFriction(contacts, n, delta, scale, kind);
    }
    w.cables.cables.forEach((cable, k) => {
      const at = 3 * contacts.count + k;
      const e = w.cables.compliance[k];
      delta[at] += e * z[at];
      if (!(w.diagonal[at] > 0)) {
        // nothing on its way is free to move
        this.active[at] = 0;
        b[at] = -z[at];
      } else if (cable.pushes) {
        this.active[at] = 1;
        b[at] = -delta[at];
        compliance[at] = e;
      } else {
        this.lineariseNormal(contacts, at, delta, scale, kind);
        compliance[at] += e;
      }
    });
    w.preconditioner.setRows(contacts, w, this.active, compliance, !isGuarded);
    const x = this.conjugateResiduals(contacts, w, constraintIterations);
    before.set(z.subarray(0, w.size));
    for (let n = 0; n < contacts.count; n++) {
      const at = 3 * n;
      for (let i = at; i < at + 3; i++) z[i] += this.active[i] === 1 ? x[i] : b[i];
      if (isGuarded) z[at] = Math.max(0, z[at]);
    }
    w.cables.cables.forEach((cable, k) => {
      const at = 3 * contacts.count + k;
      const next = z[at] + (this.active[at] === 1 ? x[at] : b[at]);
      z[at] = cable.pushes ? next : Math.max(0, next);
    });
  }

  /** Takes half of the last step back; again, half of what is left of it. */
  halve({ z }: ContactList): void {
    const { before } = this.vectors;
    for (let i = 0; i < this.size; i++) z[i] = 0.5 * (z[i] + before[i]);
  }

  /** Takes the last step back. */
  undo({ z }: ContactList): void {
    z.set(this.vectors.before.subarray(0, this.size));
  }

  /**
   * Takes off what the last iteration has left of friction outside of its cone. Not before: a force that is cut leaves a slip that
   * all contacts of a stiff body share, and they would all be taken for sliding.
   */
  enterCones({ count, z, friction }: ContactList): void {
    for (let at = 0; at < 3 * count; at += 3) {
      const force = lengthOf(z[at + 1], z[at + 2]);
      const limit = friction[at / 3] * z[at];
      if (force > limit) for (let i = at + 1; i < at + 3; i++) z[i] *= limit / force;
    }
  }

  /**
   * Fills `residuals` for δ = free + W z.
   *
   * @returns how far z is from its projection by δ, the length over all contacts [m]
   */
  judge(contacts: ContactList, w: Delassus, free: Float64Array): number {
    this.reserve(w.size);
    const delta = this.vectors.delta;
    const { z, friction } = contacts;
    this.gaps(w, z, free, delta);
    const out = this.residuals;
    out.contacts = contacts.count;
    out.complementarity = 0;
    out.frictionCone = 0;
    out.stickingSlip = 0;
    let sum = 0;
    for (let n = 0; n < contacts.count; n++) {
      const at = 3 * n;
      const r = w.diagonal[at];
      out.complementarity = Math.max(out.complementarity, Math.abs(Math.min(delta[at], r * z[at])));
      const force = lengthOf(z[at + 1], z[at + 2]);
      const limit = friction[n] * z[at];
      out.frictionCone = Math.max(out.frictionCone, w.diagonal[at + 1] * (force - limit));
      if (force < 0.99 * limit) out.stickingSlip = Math.max(out.stickingSlip, lengthOf(delta[at + 1], delta[at + 2]));
      sum += (r * z[at] - Math.max(0, r * z[at] - delta[at])) ** 2;
      const s = w.diagonal[at + 1];
      const [x, y] = [s * z[at + 1] - delta[at + 1], s * z[at + 2] - delta[at + 2]];
      const share = Math.min(1, (s * Math.max(0, limit)) / Math.max(lengthOf(x, y), 1e-300));
      sum += (s * z[at + 1] - share * x) ** 2 + (s * z[at + 2] - share * y) ** 2;
    }
    out.cables = 0;
    w.cables.cables.forEach((cable, k) => {
      const at = 3 * contacts.count + k;
      if (!(w.diagonal[at] > 0)) return;
      const gap = delta[at] + w.cables.compliance[k] * z[at];
      const error = cable.pushes ? gap : Math.min(gap, w.diagonal[at] * z[at]);
      out.cables = Math.max(out.cables, Math.abs(error));
      sum += error * error;
    });
    return Math.sqrt(sum);
  }

  /** δ of the last `judge` */
  get delta(): Float64Array {
    return this.vectors.delta;
  }

  private gaps(w: Delassus, z: Float64Array, free: Float64Array, out: Float64Array): void {
    w.multiply(z, out);
    for (let i = 0; i < this.size; i++) out[i] += free[i];
  }

  /** Normal row of (22): `compliance` and right-hand side −φ/ω, or the step of a row by itself. */
  private lineariseNormal(
    { z }: ContactList,
    at: number,
    delta: Float64Array,
    scale: Float64Array,
    kind: Complementarity,
  ): void {
    const { compliance, b } = this.vectors;
    if (kind === "minimum-map") minimumMap(delta[at], z[at], scale[at], row);
    // at the corner a contact counts as closed
    else fischerBurmeister(delta[at], z[at], scale[at], row, 1);
    this.active[at] = row.isActive ? 1 : 0;
    compliance[at] = row.compliance;
    b[at] = row.isActive ? -row.residual : row.step;
  }

  /** Friction rows as in appendix B: s + E z_f = 0 with E of the last iterate. */
  private lineariseFriction(
    { z, friction }: ContactList,
    n: number,
    delta: Float64Array,
    scale: Float64Array,
    kind: Complementarity,
  ): void {
    const { compliance, b } = this.vectors;
    const at = 3 * n;
    const limit = friction[n] * z[at];
    const isHeld = limit > 0;
    const slip = lengthOf(delta[at + 1], delta[at + 2]);
    const force = lengthOf(z[at + 1], z[at + 2]);
    const slipCompliance = kind === "minimum-map" ? minimumMapSlip : fischerBurmeisterSlip;
    const e = isHeld ? slipCompliance(slip, force, limit, scale[at + 1]) : 0;
    for (let i = at + 1; i < at + 3; i++) {
      this.active[i] = isHeld ? 1 : 0;
      compliance[i] = e;
      b[i] = isHeld ? -(delta[i] + e * z[i]) : -z[i];
    }
  }

  /**
   * Friction rows of the guarded iteration. Near the edge of sliding E says hardly more than what the last iterate was:
   * with W µ zₙ close to the free slip, s ← s (1 ± small). So a contact sticks (s = 0) where z_f − s/r is in the cone, the minimum
   * map of (51) for vectors; elsewhere it gets all the friction that there is in that direction at once, and E acts across it.
   */
  private lineariseSliding(
    contacts: ContactList,
    w: Delassus,
    n: number,
    delta: Float64Array,
    free: Float64Array,
    scale: Float64Array,
  ): void {
    const { compliance, b } = this.vectors;
    const { active } = this;
    const { z, friction } = contacts;
    const at = 3 * n;
    const limit = friction[n] * z[at];
    const r = scale[at + 1];
    const tx = z[at + 1] - delta[at + 1] / r;
    const ty = z[at + 2] - delta[at + 2] / r;
    const length = lengthOf(tx, ty);
    const sticks = length <= limit;
    active[at + 1] = sticks ? 1 : 0;
    active[at + 2] = limit > 0 ? 1 : 0;
    if (!sticks && limit > 0) {
      // first tangent along the friction
      const [c, s] = [tx / length, ty / length];
      contacts.turnTangents(n, c, s);
      w.turnTangents(n, c, s);
      for (const v of [delta, free]) {
        const [x, y] = [v[at + 1], v[at + 2]];
        v[at + 1] = c * x + s * y;
        v[at + 2] = c * y - s * x;
      }
    }
    const slip = lengthOf(delta[at + 1], delta[at + 2]);
    const e = sticks || !(limit > 0) ? 0 : slip / limit;
    compliance[at + 1] = 0;
    compliance[at + 2] = e;
    b[at + 1] = sticks ? -delta[at + 1] : limit - z[at + 1];
    b[at + 2] = limit > 0 ? -(delta[at + 2] + e * z[at + 2]) : -z[at + 2];
  }

  /** x of (W + E) x = b on the active rows; what the others do at once is on the right-hand side already. */
  private conjugateResiduals(contacts: ContactList, w: Delassus, iterations: number): Float64Array {
    const { size, active } = this;
    const { compliance, b, x, full, r, s, p, as, ap, pap } = this.vectors;
    const multiply = (v: Float64Array, out: Float64Array): void => {
      w.multiply(v, out);
      for (let i = 0; i < size; i++) out[i] = active[i] === 1 ? out[i] + compliance[i] * v[i] : 0;
    };
    // rows that move by themselves move the others
    for (let i = 0; i < size; i++) full[i] = active[i] === 1 ? 0 : b[i];
    w.multiply(full, ap);
    for (let i = 0; i < size; i++) {
      r[i] = active[i] === 1 ? b[i] - ap[i] : 0;
      x[i] = 0;
    }
    w.preconditioner.apply(contacts, w, r, s);
    for (let i = 0; i < size; i++) p[i] = s[i]!;
    multiply(s, as);
    for (let i = 0; i < size; i++) ap[i] = as[i]!;
    let sas = dotProduct(s, as, size);
    const enough = 1e-24 * dotProduct(r, s, size);
    for (let k = 0; k < iterations && sas > 0; k++) {
      w.preconditioner.apply(contacts, w, ap, pap);
      const norm = dotProduct(ap, pap, size);
      if (!(norm > 0)) break;
      const alpha = sas / norm;
      for (let i = 0; i < size; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
        s[i] -= alpha * pap[i];
      }
      if (k === iterations - 1 || dotProduct(r, s, size) <= enough) break;
      multiply(s, as);
      const next = dotProduct(s, as, size);
      const beta = next / sas;
      sas = next;
      for (let i = 0; i < size; i++) {
        p[i] = s[i] + beta * p[i];
        ap[i] = as[i] + beta * ap[i];
      }
    }
    return x;
  }

  private reserve(size: number): void {
    this.size = size;
    if (this.active.length >= size) return;
    this.active = new Uint8Array(2 * size);
    this.vectors = vectorsOf(2 * size);
  }
}
