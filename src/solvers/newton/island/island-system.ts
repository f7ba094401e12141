/**
 * The linear system of the Newton compliance form (59) for one island, as a product without a matrix:
 *
 *     y = (J M⁻¹ Jᵀ + C) x
 *
 * Unknowns are impulses, p = h λ, so C holds E/h², S/h² and W/h in units of p: Γ of a joint's row, the derivative of
 * the NCP function of a normal, W of a friction direction, and the shift ε of (8.4). Rows outside the active set are
 * zero in x and y.
 *
 * Order of the unknowns: three for each contact (normal, two directions of friction), then one for each row of a joint.
 */

import { type BodyTable, TWIST_SIZE } from "../motion/bodies";
import { CONTACT_SIZE, type ContactRows } from "../contact/contacts";
import { type JointRows, ROW_SIZE } from "../contact/rows";

/** Mass ratio up to which factors in the unknowns of the bodies, which are sparse, solve small islands. */
export const EVEN_MASSES = 100;
/** Unknowns of contacts for each of the bodies from which sweeps do not end. */
const REDUNDANT = 8;

export class IslandSystem {
  firstContact = 0;
  contactCount = 0;
  firstRow = 0;
  rowCount = 0;
  /** places of the island's dynamic bodies, in `bodyList` from `firstBody` on */
  bodyList = new Int32Array(0);
  firstBody = 0;
  bodyCount = 0;
  /** the joints that the rows belong to, in the list of the step */
  firstJoint = 0;
  jointCount = 0;
  /** smallest grain of its bodies, see scale.ts */
  grain = 1;
  pace = 1;
  /** ratio of the largest mass to the smallest */
  massRatio = 1;
  /** number of unknowns */
  size = 0;
  /** 1 for active unknowns, 0 for others */
  active = new Float64Array(0);
  /** C and ε */
  compliance = new Float64Array(0);

  constructor(
    readonly bodies: BodyTable,
    readonly contacts: ContactRows,
    readonly rows: JointRows,
  ) {}

  /** Selects another island. */
  select(firstContact: number, contactCount: number, firstRow: number, rowCount: number): void {
    this.firstContact = firstContact;
    this.contactCount = contactCount;
    this.firstRow = firstRow;
    this.rowCount = rowCount;
    this.size = 3 * contactCount + rowCount;
    this.findScale();
    if (this.active.length < this.size) {
      this.active = new Float64Array(2 * this.size);
      this.compliance = new Float64Array(2 * this.size);
    }
  }

  /**
   * Whether the island is solved by direct factors, without small steps.
   *
   * @param limit largest number of unknowns of such an island; it bounds those of the bodies where contacts far outnumber them, as between
   * meshes: sweeps over many contacts of one body undo each other, and bodies crept
   */
  isSmall(limit: number): boolean {
    const { size, rowCount, bodyCount, massRatio } = this;
    if (size <= limit) return true;
    return rowCount === 0 && massRatio <= EVEN_MASSES && TWIST_SIZE * bodyCount <= Math.min(limit, size / REDUNDANT);
  }

  /** Computes grain, pace and mass ratio of the island. */
  private findScale(): void {
    const { grain, pace, inverseMass } = this.bodies.model;
    let heaviest = Infinity;
    let lightest = 0;
    let leastGrain = this.bodyCount > 0 ? Infinity : 1;
    let leastPace = leastGrain;
    for (let k = this.firstBody; k < this.firstBody + this.bodyCount; k++) {
      const slot = this.bodyList[k];
      if (grain[slot] < leastGrain) leastGrain = grain[slot];
      if (pace[slot] < leastPace) leastPace = pace[slot];
      if (inverseMass[slot] < heaviest) heaviest = inverseMass[slot];
      if (inverseMass[slot] > lightest) lightest = inverseMass[slot];
    }
    this.grain = leastGrain;
    this.pace = leastPace;
    this.massRatio = lightest > 0 ? lightest / heaviest : 1;
  }

  /**
   * Prepares a Newton step: computes responses and diagonal of all contacts, and makes all unknowns active, without
   * compliance.
   */
  prepare(): void {
    this.respondContacts();
    this.active.fill(1, 0, this.size);
    this.compliance.fill(0, 0, this.size);
  }

  /** Writes responses and diagonal of all contacts of the island. */
  respondContacts(): void {
    for (let c = this.firstContact; c < this.firstContact + this.contactCount; c++)
      this.contacts.respond(this.bodies, c);
  }

  /** [J M⁻¹ Jᵀ]ᵢᵢ of unknown i. */
  mobility(i: number): number {
    const contacts = 3 * this.contactCount;
    return i < contacts
      ? this.contacts.diagonal[3 * this.firstContact + i]
      : this.rows.diagonal[this.firstRow + i - contacts];
  }

  /** y = (J M⁻¹ Jᵀ + C) x on active unknowns; x must be zero on others. */
  multiply(x: Float64Array, y: Float64Array): void {
    this.respond(x);
    this.measure(this.bodies.scratch.response, y);
    const { active, compliance, size } = this;
    for (let i = 0; i < size; i++) y[i] = active[i] * (y[i] + compliance[i] * x[i]);
  }

  /** Computes scratch.response = M⁻¹ Jᵀ x for the bodies of the island. */
  respond(x: Float64Array): void {
    const { bodies, contacts, rows, firstContact, contactCount, bodyList } = this;
    const { wrench, response, worldInverseInertia: inverse } = bodies.scratch;
    const end = this.firstBody + this.bodyCount;
    for (let k = this.firstBody; k < end; k++) {
      const at = TWIST_SIZE * bodyList[k];
      wrench[at] = 0;
      wrench[at + 1] = 0;
      wrench[at + 2] = 0;
      wrench[at + 3] = 0;
      wrench[at + 4] = 0;
      wrench[at + 5] = 0;
    }
    const { geometry: g, bodyA, bodyB } = contacts;
    let i = 0;
    for (let c = firstContact; c < firstContact + contactCount; c++, i += 3) {
      const at = CONTACT_SIZE * c;
      const p = x[i];
      const q = x[i + 1];
      const s = x[i + 2];
      const fx = p * g[at] + q * g[at + 3] + s * g[at + 6];
      const fy = p * g[at + 1] + q * g[at + 4] + s * g[at + 7];
      const fz = p * g[at + 2] + q * g[at + 5] + s * g[at + 8];
      const a = TWIST_SIZE * bodyA[c];
      const b = TWIST_SIZE * bodyB[c];
      wrench[a] -= fx;
      wrench[a + 1] -= fy;
      wrench[a + 2] -= fz;
      wrench[a + 3] -= g[at + 10] * fz - g[at + 11] * fy;
      wrench[a + 4] -= g[at + 11] * fx - g[at + 9] * fz;
      wrench[a + 5] -= g[at + 9] * fy - g[at + 10] * fx;
      wrench[b] += fx;
      wrench[b + 1] += fy;
      wrench[b + 2] += fz;
      wrench[b + 3] += g[at + 13] * fz - g[at + 14] * fy;
      wrench[b + 4] += g[at + 14] * fx - g[at + 12] * fz;
      wrench[b + 5] += g[at + 12] * fy - g[at + 13] * fx;
    }
    const j = rows.jacobian;
    for (let r = this.firstRow; r < this.firstRow + this.rowCount; r++, i++) {
      const p = x[i];
      if (p === 0) continue;
      const at = ROW_SIZE * r;
      const a = TWIST_SIZE * rows.bodyA[r];
      const b = TWIST_SIZE * rows.bodyB[r];
      for (let k = 0; k < TWIST_SIZE; k++) {
        wrench[a + k] += p * j[at + k];
        wrench[b + k] += p * j[at + 6 + k];
      }
    }
    const { inverseMass } = bodies.scratch;
    for (let k = this.firstBody; k < end; k++) {
      const slot = bodyList[k];
      const at = TWIST_SIZE * slot;
      const m = inverseMass[slot];
      response[at] = m * wrench[at];
      response[at + 1] = m * wrench[at + 1];
      response[at + 2] = m * wrench[at + 2];
      const v = 6 * slot;
      const tx = wrench[at + 3];
      const ty = wrench[at + 4];
      const tz = wrench[at + 5];
      response[at + 3] = inverse[v] * tx + inverse[v + 1] * ty + inverse[v + 2] * tz;
      response[at + 4] = inverse[v + 1] * tx + inverse[v + 3] * ty + inverse[v + 4] * tz;
      response[at + 5] = inverse[v + 2] * tx + inverse[v + 4] * ty + inverse[v + 5] * tz;
    }
  }

  /** Sets the responses of the island's bodies to zero. */
  clearResponse(): void {
    const { response } = this.bodies.scratch;
    for (let k = this.firstBody; k < this.firstBody + this.bodyCount; k++) {
      const at = TWIST_SIZE * this.bodyList[k];
      response.fill(0, at, at + TWIST_SIZE);
    }
  }

  /** Computes y = J u for all unknowns; u has TWIST_SIZE numbers a body. */
  measure(u: Float64Array, y: Float64Array): void {
    const { contacts, rows, firstContact, contactCount } = this;
    const { geometry: g, bodyA, bodyB } = contacts;
    let i = 0;
    for (let c = firstContact; c < firstContact + contactCount; c++, i += 3) {
      const at = CONTACT_SIZE * c;
      const a = TWIST_SIZE * bodyA[c];
      const b = TWIST_SIZE * bodyB[c];
      const ax = u[a + 3];
      const ay = u[a + 4];
      const az = u[a + 5];
      const bx = u[b + 3];
      const by = u[b + 4];
      const bz = u[b + 5];
      const x = u[b] - u[a] + (by * g[at + 14] - bz * g[at + 13]) - (ay * g[at + 11] - az * g[at + 10]);
      const y1 = u[b + 1] - u[a + 1] + (bz * g[at + 12] - bx * g[at + 14]) - (az * g[at + 9] - ax * g[at + 11]);
      const z = u[b + 2] - u[a + 2] + (bx * g[at + 13] - by * g[at + 12]) - (ax * g[at + 10] - ay * g[at + 9]);
      y[i] = g[at] * x + g[at + 1] * y1 + g[at + 2] * z;
      y[i + 1] = g[at + 3] * x + g[at + 4] * y1 + g[at + 5] * z;
      y[i + 2] = g[at + 6] * x + g[at + 7] * y1 + g[at + 8] * z;
    }
    const j = rows.jacobian;
    for (let r = this.firstRow; r < this.firstRow + this.rowCount; r++, i++) {
      const at = ROW_SIZE * r;
      const a = TWIST_SIZE * rows.bodyA[r];
      const b = TWIST_SIZE * rows.bodyB[r];
      let sum = 0;
      for (let k = 0; k < TWIST_SIZE; k++) sum += j[at + k] * u[a + k] + j[at + 6 + k] * u[b + k];
      y[i] = sum;
    }
  }

  /** Sets u = ũ + M⁻¹ Jᵀ p: the momentum balance (46), which thus holds at every iterate. */
  setVelocity(p: Float64Array): void {
    this.respond(p);
    const { freeVelocity, velocity, response } = this.bodies.scratch;
    for (let k = this.firstBody; k < this.firstBody + this.bodyCount; k++) {
      const at = TWIST_SIZE * this.bodyList[k];
      for (let d = at; d < at + TWIST_SIZE; d++) velocity[d] = freeVelocity[d] + response[d];
    }
  }
}
