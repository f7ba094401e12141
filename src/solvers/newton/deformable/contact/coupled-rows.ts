/**
 * Rows of an island in a common form: contacts of rigid bodies, contacts of deformable ones, joints. A row acts on up
 * to two rigid bodies, by six numbers each, and on up to three particles of a deformable one.
 */

import { Table } from "../../../../math/table";
import { type BodyTable, Motion, TWIST_SIZE } from "../../motion/bodies";
import { CONTACT_SIZE, type ContactRows } from "../../contact/contacts";
import { type JointRows, ROW_SIZE } from "../../contact/rows";
import { holdBack } from "./hold-back";
import type { SoftContacts } from "./soft-contacts";

export class CoupledRows extends Table {
  /** place of rigid body A of each row, −1 for none; the next array is for B */
  slotA = new Int32Array(1);
  slotB = new Int32Array(1);
  /** 12 a row: J for A, then for B */
  jacobian = new Float64Array(12);
  /** 12 a row: M⁻¹ Jᵀ of movable bodies */
  response = new Float64Array(12);
  /** contact c and direction d of a deformable body as 3 c + d, −1 for none */
  soft = new Int32Array(1);

  constructor(private readonly bodies: BodyTable) {
    super();
  }

  addContact(contacts: ContactRows, c: number): void {
    const at = CONTACT_SIZE * c;
    const g = contacts.geometry;
    for (let d = 0; d < 3; d++) {
      const r = this.addRow(contacts.bodyA[c], contacts.bodyB[c], -1);
      this.point(r, 0, -1, g, at + 3 * d, g, at + 9);
      this.point(r, 6, 1, g, at + 3 * d, g, at + 12);
      this.respond(r);
    }
  }

  addSoft(contacts: SoftContacts, c: number): void {
    const { rigid, frame, arm } = contacts;
    for (let d = 0; d < 3; d++) {
      const r = this.addRow(rigid[c], -1, 3 * c + d);
      if (rigid[c] >= 0) this.point(r, 0, -1, frame, 9 * c + 3 * d, arm, 3 * c);
      this.respond(r);
    }
  }

  addJoint(rows: JointRows, row: number): void {
    const r = this.addRow(rows.bodyA[row], rows.bodyB[row], -1);
    for (let k = 0; k < ROW_SIZE; k++) this.jacobian[12 * r + k] = rows.jacobian[ROW_SIZE * row + k];
    this.respond(r);
  }

  /** Adds a row that acts on no rigid body. */
  addNone(): void {
    this.respond(this.addRow(-1, -1, -1));
  }

  /** J u of the rigid part. */
  rigidSpeed(r: number, u: Float64Array): number {
    let sum = 0;
    const [a, b] = [this.slotA[r], this.slotB[r]];
    if (a >= 0) for (let k = 0; k < 6; k++) sum += this.jacobian[12 * r + k] * u[TWIST_SIZE * a + k];
    if (b >= 0) for (let k = 0; k < 6; k++) sum += this.jacobian[12 * r + 6 + k] * u[TWIST_SIZE * b + k];
    return sum;
  }

  /** u += M⁻¹ Jᵀ p of the rigid part. */
  push(r: number, p: number, u: Float64Array): void {
    if (p === 0) return;
    const [a, b] = [this.slotA[r], this.slotB[r]];
    if (a >= 0) for (let k = 0; k < 6; k++) u[TWIST_SIZE * a + k] += p * this.response[12 * r + k];
    if (b >= 0) for (let k = 0; k < 6; k++) u[TWIST_SIZE * b + k] += p * this.response[12 * r + 6 + k];
  }

  /** J M⁻¹ Jᵀ of two rows, of the rigid part. */
  couple(r: number, q: number): number {
    const [a, b, c, d] = [this.slotA[r], this.slotB[r], this.slotA[q], this.slotB[q]];
    let sum = 0;
    if (a >= 0 && a === c) sum += this.dot(12 * r, 12 * q);
    if (a >= 0 && a === d) sum += this.dot(12 * r, 12 * q + 6);
    if (b >= 0 && b === c) sum += this.dot(12 * r + 6, 12 * q);
    if (b >= 0 && b === d) sum += this.dot(12 * r + 6, 12 * q + 6);
    return sum;
  }

  private dot(at: number, other: number): number {
    let sum = 0;
    for (let k = 0; k < 6; k++) sum += this.jacobian[at + k] * this.response[other + k];
    return sum;
  }

  private addRow(a: number, b: number, soft: number): number {
    const r = this.append();
    this.slotA[r] = a;
    this.slotB[r] = b;
    this.soft[r] = soft;
    this.jacobian.fill(0, 12 * r, 12 * r + 12);
    return r;
  }

  /** Writes J of a force along a direction at an arm, from `to` on. */
  private point(
    r: number,
    to: number,
    sign: number,
    g: Float64Array,
    direction: number,
    arms: Float64Array,
    arm: number,
  ): void {
    const j = this.jacobian;
    const at = 12 * r + to;
    const [x, y, z] = [g[direction], g[direction + 1], g[direction + 2]];
    j[at] = sign * x;
    j[at + 1] = sign * y;
    j[at + 2] = sign * z;
    j[at + 3] = sign * (arms[arm + 1] * z - arms[arm + 2] * y);
    j[at + 4] = sign * (arms[arm + 2] * x - arms[arm] * z);
    j[at + 5] = sign * (arms[arm] * y - arms[arm + 1] * x);
  }

  private respond(r: number): void {
    const { jacobian: j, response: w } = this;
    const { inverseMass, worldInverseInertia: inverse } = this.bodies.scratch;
    const { motion } = this.bodies.model;
    for (let side = 0; side < 2; side++) {
      const slot = side === 0 ? this.slotA[r] : this.slotB[r];
      const at = 12 * r + 6 * side;
      if (slot < 0) {
        w.fill(0, at, at + 6);
        continue;
      }
      const i = 6 * slot;
      for (let k = 0; k < 3; k++) w[at + k] = inverseMass[slot] * j[at + k];
      if (motion[slot] === Motion.led) holdBack(this.bodies, slot, w, at);
      const [x, y, z] = [j[at + 3], j[at + 4], j[at + 5]];
      w[at + 3] = inverse[i] * x + inverse[i + 1] * y + inverse[i + 2] * z;
      w[at + 4] = inverse[i + 1] * x + inverse[i + 3] * y + inverse[i + 4] * z;
      w[at + 5] = inverse[i + 2] * x + inverse[i + 4] * y + inverse[i + 5] * z;
    }
  }
}
