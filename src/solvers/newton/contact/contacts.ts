/**
 * Contacts as constraints of the solver (3.3, 3.4): one normal and two friction directions each.
 *
 * n, t₁, t₂  basis of the contact, n from A to B and fixed in the step
 * r          arms from the centers of mass to the contact
 * Cₙ         n · (b − a) ≥ 0 (9)
 * J          its rows are (−d, −r_A × d, d, r_B × d) for each direction d of the basis
 * p          h λ: impulses [N s]
 * W          friction compliance (35)
 *
 * Arms are those at the start of the step, so J is constant in the step and Cₙ(q⁺) = Cₙ(q⁻) + h Jₙ u⁺. The force acts
 * at one point on both bodies, so both momenta are conserved exactly.
 */

import { Table } from "../../../math/table";
import { writeTangents } from "../../../math/vectors";
import { type BodyTable, TWIST_SIZE } from "../motion/bodies";
import { finer } from "../scale";

/** Numbers of a contact's geometry: n, t₁, t₂, r_A, r_B. */
export const CONTACT_SIZE = 15;

/** Up to this distance [m], times their grain, friction acts on both bodies at one point, between their surfaces. */
const NEAR = 0.08;

/** Three numbers a contact of points and normals, see `ContactBuffer`. */
type FoundContacts = Readonly<Record<"pointA" | "pointB" | "normal" | "separation", Float64Array>>;

export class ContactRows extends Table {
  bodyA = new Int32Array(1);
  bodyB = new Int32Array(1);
  /** CONTACT_SIZE a contact */
  geometry = new Float64Array(CONTACT_SIZE);
  /** 9 a contact: I_A⁻¹ (r_A × d), of the three directions */
  responseA = new Float64Array(9);
  /** 9 a contact */
  responseB = new Float64Array(9);
  /** 3 a contact: [J M⁻¹ Jᵀ]ᵢᵢ [1/kg] */
  diagonal = new Float64Array(3);
  /** Cₙ at the start of the step [m] */
  gap = new Float64Array(1);
  /** effective Cₙ/h in the solver [m/s]: the speed at which the gap may close, or, if negative, has to open */
  bias = new Float64Array(1);
  friction = new Float64Array(1);
  restitution = new Float64Array(1);
  /** 3 a contact: p along the basis */
  impulse = new Float64Array(3);
  /** 3 a contact: its position [m] */
  point = new Float64Array(3);
  /** place of the contact in the contact buffer */
  source = new Int32Array(1);

  /**
   * Renumbers bodies after additions or removals since the step: `slotOf` has the new places by the old ones, −1 for a
   * removed body.
   */
  renumber(slotOf: Int32Array): void {
    for (let c = 0; c < this.count; c++) {
      this.bodyA[c] = slotOf[this.bodyA[c]];
      this.bodyB[c] = slotOf[this.bodyB[c]];
    }
  }

  /**
   * Adds a contact without impulse; `respond` writes responses and diagonal.
   *
   * @param a place of body A
   * @param b place of body B
   * @param found points on A and B [m], unit normals from A to B and n · (b − a) [m]
   * @param source place of the contact among those found
   * @returns its place
   */
  add(bodies: BodyTable, a: number, b: number, found: FoundContacts, source: number): number {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    const c = this.count++;
    const { pointA, pointB, normal } = found;
    const pointAt = 3 * source;
    const gap = found.separation[source];
    this.source[c] = source;
    this.bodyA[c] = a;
    this.bodyB[c] = b;
    this.gap[c] = gap;
    const g = this.geometry;
    const at = CONTACT_SIZE * c;
    for (let i = 0; i < 3; i++) {
      g[at + i] = normal[pointAt + i];
      this.impulse[3 * c + i] = 0;
      this.point[3 * c + i] = 0.5 * (pointA[pointAt + i] + pointB[pointAt + i]);
    }
    writeTangents(g, at);
    const { startPose } = bodies.scratch;
    const near = NEAR * bodies.model.grain[finer(bodies.model, a, b)];
    const middle = gap <= near && gap >= -near ? 0.5 : 0;
    for (let i = 0; i < 3; i++) {
      const half = middle * (pointB[pointAt + i] - pointA[pointAt + i]);
      g[at + 9 + i] = pointA[pointAt + i] + half - startPose[7 * a + i];
      g[at + 12 + i] = pointB[pointAt + i] - half - startPose[7 * b + i];
    }
    return c;
  }

  /**
   * Computes the arms of a contact again, for the current positions of its bodies, so that an impulse after a motion
   * conserves momenta as well. A body that moved on by more than its arm is no longer where it was touched: the contact
   * went along with it. Otherwise the arm of a wheel that rolls by many radii in a step would point far back.
   */
  moveArms(bodies: BodyTable, c: number): void {
    const { pose } = bodies.state;
    const { startPose } = bodies.scratch;
    const { geometry: g, bodyA, bodyB, point } = this;
    const at = CONTACT_SIZE * c;
    const isOfA = finer(bodies.model, bodyA[c], bodyB[c]) === bodyA[c];
    const slot = 7 * (isOfA ? bodyA[c] : bodyB[c]);
    const arm = at + (isOfA ? 9 : 12);
    let [way, length] = [0, 0];
    for (let i = 0; i < 3; i++) {
      const moved = pose[slot + i] - startPose[slot + i];
      way += moved * moved;
      length += g[arm + i] * g[arm + i];
    }
    for (let i = 0; i < 3; i++) {
      const place = point[3 * c + i] + (way > length ? pose[slot + i] - startPose[slot + i] : 0);
      g[at + 9 + i] = place - pose[7 * bodyA[c] + i];
      g[at + 12 + i] = place - pose[7 * bodyB[c] + i];
    }
    this.respond(bodies, c);
  }

  /** Computes responses and diagonal of a contact, once its geometry is known. */
  respond(bodies: BodyTable, c: number): void {
    const { inverseMass } = bodies.scratch;
    const inverse = bodies.scratch.worldInverseInertia;
    const a = this.bodyA[c];
    const b = this.bodyB[c];
    const at = CONTACT_SIZE * c;
    for (let d = 0; d < 3; d++) {
      this.diagonal[3 * c + d] = inverseMass[a] + inverseMass[b];
      angular(this.geometry, at, 9, d, inverse, 6 * a, this.responseA, 3 * c + d, this.diagonal);
      angular(this.geometry, at, 12, d, inverse, 6 * b, this.responseB, 3 * c + d, this.diagonal);
    }
  }
}

/** Writes I⁻¹ (r × d), and adds (r × d) · I⁻¹ (r × d) to a diagonal: V8 may not put this in the place of a call, and would box the sum. */
function angular(
  g: Float64Array,
  at: number,
  arm: number,
  d: number,
  inverse: Float64Array,
  i: number,
  out: Float64Array,
  to: number,
  diagonal: Float64Array,
): void {
  const dx = g[at + 3 * d];
  const dy = g[at + 3 * d + 1];
  const dz = g[at + 3 * d + 2];
  const rx = g[at + arm];
  const ry = g[at + arm + 1];
  const rz = g[at + arm + 2];
  const x = ry * dz - rz * dy;
  const y = rz * dx - rx * dz;
  const z = rx * dy - ry * dx;
  const ox = inverse[i] * x + inverse[i + 1] * y + inverse[i + 2] * z;
  const oy = inverse[i + 1] * x + inverse[i + 3] * y + inverse[i + 4] * z;
  const oz = inverse[i + 2] * x + inverse[i + 4] * y + inverse[i + 5] * z;
  out[3 * to] = ox;
  out[3 * to + 1] = oy;
  out[3 * to + 2] = oz;
  diagonal[to] += x * ox + y * oy + z * oz;
}

/** Relative velocity b − a along direction d of a contact, for the twists in `velocity`. */
export function relativeSpeed(contacts: ContactRows, c: number, d: number, velocity: Float64Array): number {
  writeSpeeds(contacts, c, velocity, speeds);
  return speeds[d];
}

/** Writes the relative velocity b − a of a contact along its three directions. */
export function writeSpeeds(contacts: ContactRows, c: number, u: Float64Array, out: Float64Array): void {
  const g = contacts.geometry;
  const at = CONTACT_SIZE * c;
  const a = TWIST_SIZE * contacts.bodyA[c];
  const b = TWIST_SIZE * contacts.bodyB[c];
  const x =
    u[b] - u[a] + (u[b + 4] * g[at + 14] - u[b + 5] * g[at + 13]) - (u[a + 4] * g[at + 11] - u[a + 5] * g[at + 10]);
  const y =
    u[b + 1] -
    u[a + 1] +
    (u[b + 5] * g[at + 12] - u[b + 3] * g[at + 14]) -
    (u[a + 5] * g[at + 9] - u[a + 3] * g[at + 11]);
  const z =
    u[b + 2] -
    u[a + 2] +
    (u[b + 3] * g[at + 13] - u[b + 4] * g[at + 12]) -
    (u[a + 3] * g[at + 10] - u[a + 4] * g[at + 9]);
  for (let d = 0; d < 3; d++) out[d] = g[at + 3 * d] * x + g[at + 3 * d + 1] * y + g[at + 3 * d + 2] * z;
}

const speeds = new Float64Array(3);

/** Changes velocities by an impulse p along direction d: u += M⁻¹ Jᵀ p. */
export function applyImpulse(
  bodies: BodyTable,
  contacts: ContactRows,
  c: number,
  d: number,
  p: number,
  velocity: Float64Array,
): void {
  const g = contacts.geometry;
  const at = CONTACT_SIZE * c + 3 * d;
  const slotA = contacts.bodyA[c];
  const slotB = contacts.bodyB[c];
  const a = TWIST_SIZE * slotA;
  const b = TWIST_SIZE * slotB;
  const pa = p * bodies.scratch.inverseMass[slotA];
  const pb = p * bodies.scratch.inverseMass[slotB];
  const { responseA, responseB } = contacts;
  const r = 9 * c + 3 * d;
  velocity[a] -= pa * g[at];
  velocity[a + 1] -= pa * g[at + 1];
  velocity[a + 2] -= pa * g[at + 2];
  velocity[a + 3] -= p * responseA[r];
  velocity[a + 4] -= p * responseA[r + 1];
  velocity[a + 5] -= p * responseA[r + 2];
  velocity[b] += pb * g[at];
  velocity[b + 1] += pb * g[at + 1];
  velocity[b + 2] += pb * g[at + 2];
  velocity[b + 3] += p * responseB[r];
  velocity[b + 4] += p * responseB[r + 1];
  velocity[b + 5] += p * responseB[r + 2];
}
