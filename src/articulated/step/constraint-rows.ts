import { Table } from "../../math/table";
import type { ContactSet } from "../contact/contact-set";
import { tangents } from "../contact/tangents";
import { RowClass, type BoxedLcp } from "../lcp/problem";
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addClosureRow, rowsOf } from "./closure-rows";
import { polynomialAt } from "./joint-rows";

/**
 * The quantity that a row constrains: the normal or a friction direction of a contact, a limit of a coordinate, the
 * error of a coupling or of a loop, a coordinate with dry friction, or the length that a servo of several joints seeks.
 */
export const RowPart = {
  Normal: 0,
  FirstTangent: 1,
  SecondTangent: 2,
  LowerLimit: 3,
  UpperLimit: 4,
  Coupling: 5,
  JointFriction: 6,
  Closure: 7,
  Servo: 8,
} as const;

/**
 * Rows of J: one for the normal of each contact and two for friction, one for each reached limit, each coupling,
 * each direction of a loop and each coordinate with dry friction. A friction row that
 * no coordinate can move (the third direction of a planar mechanism) is left out.
 */
export class ConstraintRows extends Table {
  /**
   * Contact of each row, -1 for joints; see `RowPart`; coordinate of a limit or of dry friction, number of
   * a coupling or a servo, or of a closure times six plus that of its row, -1 for contacts.
   */
  contact = new Int32Array(1);
  part = new Uint8Array(1);
  dof = new Int32Array(1);
  /** Row of the normal of the same contact. */
  normalRow = new Int32Array(1);
  /** Direction of each row in the world, 3 a row. */
  direction = new Float64Array(3);
  /** J, count × nv, row-major. */
  jacobian = new Float64Array(this.nv);
  /** Restitution that acts on the row: 0 if it does not bounce now. */
  restitution = new Float64Array(1);
  /** Identifies each row from step to step. */
  private key = new Float64Array(1);
  /** Keys and classes of the rows of the last step, `kept` of them. */
  private keptKeys = new Float64Array(1);
  private keptClasses = new Uint8Array(1);
  private kept = 0;

  constructor(readonly nv: number) {
    super();
  }

  /** Adds the rows of contacts. Call after `updatePositions`. */
  addContacts(scratch: ArticulatedScratch, contacts: ContactSet): void {
    for (let c = 0; c < contacts.count; c++) {
      const normal = this.count;
      this.addContactRow(scratch, contacts, c, RowPart.Normal, contacts.normal, 3 * c, normal);
      if (!(contacts.friction[c] > 0) || this.count === normal) continue;
      tangents(contacts.normal, 3 * c, frame, 0);
      for (let k = 0; k < 3; k++) contacts.tangent[3 * c + k] = frame[k];
      this.addContactRow(scratch, contacts, c, RowPart.FirstTangent, frame, 0, normal);
      this.addContactRow(scratch, contacts, c, RowPart.SecondTangent, frame, 3, normal);
    }
  }

  /**
   * Adds a row for each coordinate at or beyond a limit.
   *
   * @param ahead [s]; adds rows also for limits that a coordinate reaches in this time
   */
  addLimits(scratch: ArticulatedScratch, ahead: number): void {
    const { model, q, qd } = scratch;
    for (let k = 0; k < this.nv; k++) {
      const reach = ahead > 0 ? ahead * Math.abs(qd[k]) + NEAR : 0;
      if (q[k] - reach <= model.lower[k]) this.addLimitRow(k, RowPart.LowerLimit);
      if (q[k] + reach >= model.upper[k]) this.addLimitRow(k, RowPart.UpperLimit);
    }
  }

  /** Adds a row for each coupling, each direction of a closure, and each coordinate with dry friction. */
  addJoints(scratch: ArticulatedScratch): void {
    const { model, q } = scratch;
    model.closures.forEach((closure, index) => {
      for (let row = 0; row < rowsOf(closure); row++) {
        const r = this.addJointRow(6 * index + row, RowPart.Closure);
        addClosureRow(scratch, closure, row, this.jacobian, r * this.nv);
        if (!this.moves(r)) this.count--;
      }
    });
    model.couplings.forEach((coupling, index) => {
      const r = this.addJointRow(index, RowPart.Coupling);
      this.jacobian[r * this.nv + coupling.dof] = 1;
      if (coupling.driver >= 0) this.jacobian[r * this.nv + coupling.driver] -= polynomialAt(coupling, q)[1];
    });
    for (let k = 0; k < this.nv; k++) {
      if (!(model.frictionLoss[k] > 0)) continue;
      const r = this.addJointRow(k, RowPart.JointFriction);
      this.jacobian[r * this.nv + k] = 1;
    }
  }

  /** Whether a row pushes to one side only, as contacts and limits do. */
  isOneSided(r: number): boolean {
    return this.part[r] < RowPart.Coupling;
  }

  addJointRow(of: number, part: number): number {
    const r = this.append();
    this.contact[r] = -1;
    this.part[r] = part;
    this.dof[r] = of;
    this.normalRow[r] = r;
    this.key[r] = -1 - (2 * this.nv + 4 * of + part - RowPart.Coupling);
    return r;
  }

  private addLimitRow(k: number, part: number): void {
    const r = this.append();
    this.contact[r] = -1;
    this.part[r] = part;
    this.dof[r] = k;
    this.normalRow[r] = r;
    this.key[r] = -1 - (2 * k + (part === RowPart.UpperLimit ? 1 : 0));
    this.jacobian[r * this.nv + k] = part === RowPart.LowerLimit ? 1 : -1;
  }

  private addContactRow(
    scratch: ArticulatedScratch,
    contacts: ContactSet,
    c: number,
    part: number,
    u: Float64Array,
    at: number,
    normal: number,
  ): void {
    const { model, motion } = scratch;
    const r = this.append();
    const { point, linkA, linkB } = contacts;
    const { jacobian, nv } = this;
    const u0 = u[at];
    const u1 = u[at + 1];
    const u2 = u[at + 2];
    // S · (p × u, u)
    const m0 = point[3 * c + 1] * u2 - point[3 * c + 2] * u1;
    const m1 = point[3 * c + 2] * u0 - point[3 * c] * u2;
    const m2 = point[3 * c] * u1 - point[3 * c + 1] * u0;
    const row = r * nv;
    for (let side = 0; side < 2; side++) {
      const link = side === 0 ? linkA[c] : linkB[c];
      if (link === WORLD) continue;
      const sign = side === 0 ? 1 : -1;
      for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
        const s = 6 * k;
        jacobian[row + k] +=
          sign *
          (motion[s] * m0 +
            motion[s + 1] * m1 +
            motion[s + 2] * m2 +
            motion[s + 3] * u0 +
            motion[s + 4] * u1 +
            motion[s + 5] * u2);
      }
    }
    if (!this.moves(r)) {
      this.count--;
      return;
    }
    this.contact[r] = c;
    this.part[r] = part;
    this.dof[r] = -1;
    this.normalRow[r] = normal;
    this.key[r] = 4 * contacts.key[c] + part;
    this.direction[3 * r] = u0;
    this.direction[3 * r + 1] = u1;
    this.direction[3 * r + 2] = u2;
  }

  /** Whether any coordinate moves a row. */
  private moves(r: number): boolean {
    let size = 0;
    for (let k = 0; k < this.nv; k++) size = Math.max(size, Math.abs(this.jacobian[r * this.nv + k]));
    return size > MOVES;
  }

  /** Sets the classes of the last step for rows that persist. New rows get a guess: clamping if they approach. */
  guess(lcp: BoxedLcp): void {
    const { count, key, keptKeys, kept, normalRow } = this;
    let cursor = 0;
    for (let r = 0; r < count; r++) {
      if (!(cursor < kept && keptKeys[cursor] === key[r])) {
        cursor = 0;
        while (cursor < kept && keptKeys[cursor] !== key[r]) cursor++;
      }
      if (cursor < kept) lcp.classes[r] = this.keptClasses[cursor++];
      else if (normalRow[r] === r && this.isOneSided(r))
        lcp.classes[r] = lcp.b[r] < 0 ? RowClass.Clamping : RowClass.Separating;
      else lcp.classes[r] = RowClass.Clamping;
    }
    for (let r = 0; r < count; r++) {
      const of = lcp.classes[normalRow[r]];
      if (normalRow[r] !== r && of !== RowClass.Clamping) lcp.classes[r] = RowClass.Separating;
    }
  }

  /** Keeps the classes of the solution for the next `guess`. */
  keep(lcp: BoxedLcp): void {
    for (let r = 0; r < this.count; r++) {
      this.keptKeys[r] = this.key[r];
      this.keptClasses[r] = lcp.classes[r];
    }
    this.kept = this.count;
  }

  override append(): number {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    const r = this.count++;
    this.jacobian.fill(0, r * this.nv, (r + 1) * this.nv);
    this.restitution[r] = 0;
    return r;
  }
}

/** Entries of J below this [m per rad, or no unit] are rounding: the row cannot move. */
const MOVES = 1e-12;

/** Distance from a limit [rad or m] that a coordinate may pass from rest in a step. */
const NEAR = 0.02;

const frame = new Float64Array(6);
