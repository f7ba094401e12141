/**
 * Motion of contacts with the coordinates, and its effect on the rows of J and on the forces Jᵀ f: the derivatives
 * through collision geometry of paper 4, section 5, (20).
 *
 * Coordinate k moves all links behind it with the twist S_k. If it carries only body A, the contact changes by
 * `contactVariation`. If it carries both bodies, the contact moves with them rigidly. If it carries only B, the change
 * is the difference of the two.
 */
import type { ContactSet } from "../contact/contact-set";
import { tangentChanges, tangents, transportedChanges } from "../contact/tangents";
import { VARIATION, contactVariation } from "../contact/variation";
import { WORLD, type ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addScaled6, crossMotion, dot6 } from "../spatial";
import { RowPart, type ConstraintRows } from "./constraint-rows";

const CARRIES_A = 1;
const CARRIES_B = 2;

/** Derivatives of the contacts of one configuration by coordinates. */
export class ContactMotion {
  /** Coordinates that move contact c: places start[c] … start[c + 1] - 1 of the arrays below. */
  start = new Int32Array(1);
  dof = new Int32Array(0);
  /** Bodies that the coordinate carries: 1 for A, 2 for B, 3 for both. */
  carries = new Uint8Array(0);
  /** dp (3), dn (3), dδ for each place. */
  change = new Float64Array(0);
  /** dt₁ (3), dt₂ (3) for each place. */
  tangentChange = new Float64Array(0);
  private readonly variation = new Float64Array(6 * VARIATION);
  private readonly frame = new Float64Array(6);
  private readonly marks = new Uint8Array(this.model.nv);
  private readonly twist = new Float64Array(6);

  /** @param isRound whether tangents follow normals without a turn about them, and not the axes of the world */
  constructor(
    private readonly model: ArticulatedModel,
    private readonly isRound = false,
  ) {}

  /** Fills all arrays for the current contacts. Call after `updatePositions`. */
  compute(scratch: ArticulatedScratch, contacts: ContactSet): void {
    if (this.start.length <= contacts.count) this.start = new Int32Array(2 * contacts.count + 1);
    let place = 0;
    for (let c = 0; c < contacts.count; c++) {
      this.start[c] = place;
      place = this.listCoordinates(contacts, c, place);
      contactVariation(contacts, c, this.variation, 0);
      frameOf(contacts, c, this.isRound, this.frame);
      for (let at = this.start[c]; at < place; at++) {
        twistAt(scratch.motion, 6 * this.dof[at], contacts.point, 3 * c, this.twist);
        this.changeBy(contacts, c, this.carries[at], this.twist, this.change, VARIATION * at);
        this.turnFrame(contacts, c, this.change, VARIATION * at + 3, this.tangentChange, 6 * at);
      }
    }
    this.start[contacts.count] = place;
  }

  private listCoordinates(contacts: ContactSet, c: number, first: number): number {
    const { model, marks } = this;
    let place = first;
    for (let side = 0; side < 2; side++) {
      const link = side === 0 ? contacts.linkA[c] : contacts.linkB[c];
      if (link === WORLD) continue;
      for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
        if (marks[k] === 0) {
          if (place === this.dof.length) this.grow(Math.max(64, 2 * place));
          this.dof[place++] = k;
        }
        marks[k] |= side === 0 ? CARRIES_A : CARRIES_B;
      }
    }
    for (let at = first; at < place; at++) {
      this.carries[at] = marks[this.dof[at]];
      marks[this.dof[at]] = 0;
    }
    return place;
  }

  /** Change of contact c, whose variation it needs, by a twist [ω, velocity at the point] of bodies in `carries`. */
  private changeBy(
    contacts: ContactSet,
    c: number,
    carries: number,
    twist: Float64Array,
    out: Float64Array,
    at: number,
  ): void {
    const { variation } = this;
    for (let i = 0; i < VARIATION; i++) out[at + i] = 0;
    if (carries !== (CARRIES_A | CARRIES_B)) {
      const sign = carries === CARRIES_A ? 1 : -1;
      for (let m = 0; m < 6; m++) {
        const s = sign * twist[m];
        if (s !== 0) for (let i = 0; i < VARIATION; i++) out[at + i] += s * variation[VARIATION * m + i];
      }
    }
    if (carries === CARRIES_A) return;
    const { normal } = contacts;
    const n = 3 * c;
    out[at] += twist[3];
    out[at + 1] += twist[4];
    out[at + 2] += twist[5];
    out[at + 3] += twist[1] * normal[n + 2] - twist[2] * normal[n + 1];
    out[at + 4] += twist[2] * normal[n] - twist[0] * normal[n + 2];
    out[at + 5] += twist[0] * normal[n + 1] - twist[1] * normal[n];
  }

  /**
   * Change (dp, dn, dδ) and tangent changes of contact c for an additional coordinate that moves its bodies.
   *
   * @param twist [ω, velocity at the contact point]
   * @param out 13 numbers: dp (3), dn (3), dδ, dt₁ (3), dt₂ (3)
   */
  changeOf(contacts: ContactSet, c: number, carries: number, twist: Float64Array, out: Float64Array): void {
    contactVariation(contacts, c, this.variation, 0);
    this.changeBy(contacts, c, carries, twist, out, 0);
    frameOf(contacts, c, this.isRound, this.frame);
    this.turnFrame(contacts, c, out, 3, out, VARIATION);
  }

  /** Changes of the tangents in `frame` as the normal changes by that at `from`. */
  private turnFrame(
    { normal }: ContactSet,
    c: number,
    change: Float64Array,
    from: number,
    out: Float64Array,
    at: number,
  ): void {
    const changes = this.isRound ? transportedChanges : tangentChanges;
    changes(normal, 3 * c, this.frame, 0, change, from, out, at);
  }

  private grow(room: number): void {
    const keep = { dof: this.dof, carries: this.carries, change: this.change, tangentChange: this.tangentChange };
    this.dof = new Int32Array(room);
    this.carries = new Uint8Array(room);
    this.change = new Float64Array(VARIATION * room);
    this.tangentChange = new Float64Array(6 * room);
    this.dof.set(keep.dof);
    this.carries.set(keep.carries);
    this.change.set(keep.change);
    this.tangentChange.set(keep.tangentChange);
  }

  /**
   * out_rk += scale · ∂(J_r x)/∂q_k for one row, with fixed velocities x.
   *
   * @param velocities scratch after `updateVelocities` with x
   * @param at start of the nv numbers of the row in `out`
   */
  addRowDerivative(
    velocities: ArticulatedScratch,
    contacts: ContactSet,
    rows: ConstraintRows,
    r: number,
    scale: number,
    out: Float64Array,
    at: number,
  ): void {
    const c = rows.contact[r];
    if (c < 0) return;
    const { motion, motionRate, velocity } = velocities;
    const { dof, carries, change, tangentChange } = this;
    const { point, linkA, linkB } = contacts;
    const u0 = rows.direction[3 * r];
    const u1 = rows.direction[3 * r + 1];
    const u2 = rows.direction[3 * r + 2];
    relativeTwist(velocity, linkA[c], linkB[c], relative);
    // relative velocity at p
    twistAt(relative, 0, point, 3 * c, twist);
    const [w0, w1, w2, v0, v1, v2] = [twist[0], twist[1], twist[2], twist[3], twist[4], twist[5]];
    const part = rows.part[r];
    for (let place = this.start[c]; place < this.start[c + 1]; place++) {
      const k = dof[place];
      const s = 6 * k;
      // The twist of a body changes by Ṡ + S × V.
      crossMotion(motion, s, carriedTwist(velocity, linkA[c], linkB[c], carries[place]), 0, rate, 0);
      if (carries[place] !== (CARRIES_A | CARRIES_B))
        addScaled6(motionRate, s, carries[place] === CARRIES_A ? 1 : -1, rate, 0);
      twistAt(rate, 0, point, 3 * c, rateAtPoint);
      const g = VARIATION * place;
      const x0 = change[g];
      const x1 = change[g + 1];
      const x2 = change[g + 2];
      const f0 = rateAtPoint[3] + w1 * x2 - w2 * x1;
      const f1 = rateAtPoint[4] + w2 * x0 - w0 * x2;
      const f2 = rateAtPoint[5] + w0 * x1 - w1 * x0;
      let turned: number;
      if (part === RowPart.Normal) turned = change[g + 3] * v0 + change[g + 4] * v1 + change[g + 5] * v2;
      else {
        const h = 6 * place + (part === RowPart.FirstTangent ? 0 : 3);
        turned = tangentChange[h] * v0 + tangentChange[h + 1] * v1 + tangentChange[h + 2] * v2;
      }
      out[at + k] += scale * (turned + u0 * f0 + u1 * f1 + u2 * f2);
    }
  }

  /**
   * out += ∂(Jᵀ f)/∂q by the change of points and directions alone (second term of (20)); the first term is
   * `addWrenchDerivatives` of `contactWrenches`.
   *
   * @param f one number a row
   * @param out nv × nv, row-major
   */
  addForceDerivative(
    scratch: ArticulatedScratch,
    contacts: ContactSet,
    rows: ConstraintRows,
    f: Float64Array,
    out: Float64Array,
  ): void {
    const { motion } = scratch;
    const { nv } = this.model;
    const { dof, carries, change, tangentChange } = this;
    for (let r = 0; r < rows.count;) {
      const c = rows.contact[r];
      if (c < 0) {
        r++;
        continue;
      }
      forces[0] = forces[1] = forces[2] = 0;
      for (; r < rows.count && rows.contact[r] === c; r++) forces[rows.part[r]] = f[r];
      const fn = forces[0];
      const f1 = forces[1];
      const f2 = forces[2];
      if (fn === 0 && f1 === 0 && f2 === 0) continue;
      contactForce(contacts, c, this.isRound, forces, total);
      const { point } = contacts;
      const p0 = point[3 * c];
      const p1 = point[3 * c + 1];
      const p2 = point[3 * c + 2];
      for (let place = this.start[c]; place < this.start[c + 1]; place++) {
        const g = VARIATION * place;
        const h = 6 * place;
        const d0 = fn * change[g + 3] + f1 * tangentChange[h] + f2 * tangentChange[h + 3];
        const d1 = fn * change[g + 4] + f1 * tangentChange[h + 1] + f2 * tangentChange[h + 4];
        const d2 = fn * change[g + 5] + f1 * tangentChange[h + 2] + f2 * tangentChange[h + 5];
        // moment about the origin: dp × F + p × dF
        wrench[0] = change[g + 1] * total[2] - change[g + 2] * total[1] + p1 * d2 - p2 * d1;
        wrench[1] = change[g + 2] * total[0] - change[g] * total[2] + p2 * d0 - p0 * d2;
        wrench[2] = change[g] * total[1] - change[g + 1] * total[0] + p0 * d1 - p1 * d0;
        wrench[3] = d0;
        wrench[4] = d1;
        wrench[5] = d2;
        const k = dof[place];
        for (let other = this.start[c]; other < this.start[c + 1]; other++) {
          if (carries[other] === (CARRIES_A | CARRIES_B)) continue;
          const j = dof[other];
          const power = dot6(motion, 6 * j, wrench, 0);
          out[j * nv + k] += carries[other] === CARRIES_A ? power : -power;
        }
      }
    }
  }
}

const forces = new Float64Array(3);
const total = new Float64Array(3);
const relative = new Float64Array(6);
const twist = new Float64Array(6);
const rate = new Float64Array(6);
const rateAtPoint = new Float64Array(6);
const wrench = new Float64Array(6);
const frame = new Float64Array(6);

/** Writes t₁, then t₂ = n × t₁ of a contact: along the axes of the world, or as round friction has left them. */
function frameOf({ normal, tangent }: ContactSet, c: number, isRound: boolean, out: Float64Array): void {
  const i = 3 * c;
  if (!isRound) {
    tangents(normal, i, out, 0);
    return;
  }
  for (let k = 0; k < 3; k++) {
    const [a, b] = [i + ((k + 1) % 3), i + ((k + 2) % 3)];
    out[k] = tangent[i + k];
    out[3 + k] = normal[a] * tangent[b] - normal[b] * tangent[a];
  }
}

/** Force of contact c on body A for normal and friction forces f (3 numbers). */
function contactForce(contacts: ContactSet, c: number, isRound: boolean, f: Float64Array, out: Float64Array): void {
  frameOf(contacts, c, isRound, frame);
  for (let i = 0; i < 3; i++) out[i] = f[0] * contacts.normal[3 * c + i] + f[1] * frame[i] + f[2] * frame[3 + i];
}

/** Adds the contact forces of the rows to the wrenches of the links, 6 a link about the world's origin. */
export function addContactWrenches(
  contacts: ContactSet,
  rows: ConstraintRows,
  f: Float64Array,
  wrenches: Float64Array,
): void {
  for (let r = 0; r < rows.count; r++) {
    const c = rows.contact[r];
    if (c < 0 || f[r] === 0) continue;
    const { point, linkA, linkB } = contacts;
    const u0 = f[r] * rows.direction[3 * r];
    const u1 = f[r] * rows.direction[3 * r + 1];
    const u2 = f[r] * rows.direction[3 * r + 2];
    wrench[0] = point[3 * c + 1] * u2 - point[3 * c + 2] * u1;
    wrench[1] = point[3 * c + 2] * u0 - point[3 * c] * u2;
    wrench[2] = point[3 * c] * u1 - point[3 * c + 1] * u0;
    wrench[3] = u0;
    wrench[4] = u1;
    wrench[5] = u2;
    for (let side = 0; side < 2; side++) {
      const link = side === 0 ? linkA[c] : linkB[c];
      if (link !== WORLD) addScaled6(wrench, 0, side === 0 ? 1 : -1, wrenches, 6 * link);
    }
  }
}

/** Twist of A minus twist of B; the world rests. */
function relativeTwist(velocity: Float64Array, a: number, b: number, out: Float64Array): void {
  for (let c = 0; c < 6; c++)
    out[c] = (a === WORLD ? 0 : velocity[6 * a + c]) - (b === WORLD ? 0 : velocity[6 * b + c]);
}

const carried = new Float64Array(6);

/** Twist of A if A is carried, minus twist of B if B is carried. */
function carriedTwist(velocity: Float64Array, a: number, b: number, carries: number): Float64Array {
  for (let c = 0; c < 6; c++)
    carried[c] =
      ((carries & CARRIES_A) === 0 ? 0 : velocity[6 * a + c]) - ((carries & CARRIES_B) === 0 ? 0 : velocity[6 * b + c]);
  return carried;
}

/** out = [ω, velocity at the point] of a twist about the world's origin. */
export function twistAt(motion: Float64Array, s: number, point: Float64Array, p: number, out: Float64Array): void {
  const w0 = motion[s];
  const w1 = motion[s + 1];
  const w2 = motion[s + 2];
  out[0] = w0;
  out[1] = w1;
  out[2] = w2;
  out[3] = motion[s + 3] + w1 * point[p + 2] - w2 * point[p + 1];
  out[4] = motion[s + 4] + w2 * point[p] - w0 * point[p + 2];
  out[5] = motion[s + 5] + w0 * point[p + 1] - w1 * point[p];
}

/** Copies poses and motions S from one scratch to another, so that `updateVelocities` can be called there. */
export function copyPositions(from: ArticulatedScratch, to: ArticulatedScratch): void {
  to.q.set(from.q);
  to.linkRotation.set(from.linkRotation);
  to.linkPosition.set(from.linkPosition);
  to.motion.set(from.motion);
  to.segmentRotation.set(from.segmentRotation);
  to.segmentPosition.set(from.segmentPosition);
}
