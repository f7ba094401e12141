/**
 * Contacts and bodies of one large island side by side in memory, in the order in which sweeps need them, and a sweep over
 * them. A sweep visits each contact with all that it reads in three cache lines, and each pair of bodies once.
 *
 * n, t₁, t₂  basis of the contact
 * r          arms
 * K          J M⁻¹ Jᵀ of the contact by itself, in its basis
 * C⁰         gap at the start of the frame
 * u          velocities
 * d          displacement since then, divided by the length h of a small step: C/h = C⁰/h + Jₙ d
 * p          impulses of the small step
 */

import { POSE_SIZE, TWIST_SIZE } from "./bodies";
import { CONTACT_SIZE } from "./contacts";
import type { IslandSystem } from "./island-system";
import { turnQuaternion } from "./rotation";

/** Numbers of a contact: basis 0, arms 9, 1/Kₙₙ 15, Kₙ₁ 16, Kₙ₂ 17, 1/max(K₁₁, K₂₂) 18, C⁰/h 19, µ 20, p 21, [Cₙ/h]⁺ 24. */
const CONTACT = 25;
/** Numbers of a body: u 0, d 6, 1/m 12, I⁻¹ 13, u at the start of the small step 19. */
const BODY = 26;

export class PackedIsland {
  contactCount = 0;
  private contacts = new Float64Array(0);
  /** offsets of the two bodies of each contact in `bodies` */
  private bodyA = new Int32Array(0);
  private bodyB = new Int32Array(0);
  private bodyCount = 0;
  /** BODY numbers a body, velocity first */
  bodies = new Float64Array(0);
  /** place of each packed body in the table */
  private slots = new Int32Array(0);
  /** packed body of each place, −1 for none */
  private placeOf = new Int32Array(0);

  /** Offset of a body in the packed numbers, −1 for one that is not among them. */
  offsetOf(slot: number): number {
    return this.placeOf[slot] < 0 ? -1 : BODY * this.placeOf[slot];
  }

  /** Copies the island, to be taken through `count` small steps that make up one of H [s]. */
  pack(system: IslandSystem, H: number, count: number): void {
    const { bodies, contacts, firstContact, contactCount } = system;
    this.contactCount = contactCount;
    this.reserve(system.bodyCount + 2 * contactCount + 2 * system.rowCount, contactCount, bodies.capacity);
    this.bodyCount = 0;
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++)
      this.addBody(system, system.bodyList[k], count);
    for (let r = system.firstRow; r < system.firstRow + system.rowCount; r++) {
      this.find(system, system.rows.bodyA[r], count);
      this.find(system, system.rows.bodyB[r], count);
    }
    const { contacts: out } = this;
    const g = contacts.geometry;
    for (let k = 0; k < contactCount; k++) {
      const c = firstContact + k;
      const at = CONTACT * k;
      const a = this.find(system, contacts.bodyA[c], count);
      const b = this.find(system, contacts.bodyB[c], count);
      this.bodyA[k] = BODY * a;
      this.bodyB[k] = BODY * b;
      for (let i = 0; i < CONTACT_SIZE; i++) out[at + i] = g[CONTACT_SIZE * c + i];
      out[at + 15] = 1 / contacts.diagonal[3 * c];
      out[at + 16] = crossMobility(system, c, 1);
      out[at + 17] = crossMobility(system, c, 2);
      out[at + 18] = 1 / Math.max(contacts.diagonal[3 * c + 1], contacts.diagonal[3 * c + 2]);
      out[at + 19] = (contacts.gap[c] * count) / H;
      out[at + 20] = contacts.friction[c];
      for (let i = 0; i < 3; i++) out[at + 21 + i] = contacts.impulse[3 * c + i] / count;
      out[at + 24] = Math.max(0, out[at + 19]);
    }
  }

  /** Velocity and displacement of bodies go to scratch and poses, impulses to the contacts. */
  unpack(system: IslandSystem, H: number, count: number): void {
    const { contacts, firstContact } = system;
    for (let k = 0; k < this.contactCount; k++)
      for (let i = 0; i < 3; i++)
        contacts.impulse[3 * (firstContact + k) + i] = count * this.contacts[CONTACT * k + 21 + i];
    const { velocity } = system.bodies.scratch;
    for (let k = 0; k < system.bodyCount; k++)
      for (let i = 0; i < TWIST_SIZE; i++) velocity[TWIST_SIZE * this.slots[k] + i] = this.bodies[BODY * k + i];
    this.writePoses(system, H / count);
  }

  /** Poses of the island's bodies from their displacement, of small steps of h. */
  writePoses(system: IslandSystem, h: number): void {
    const { state, scratch, model } = system.bodies;
    for (let k = 0; k < system.bodyCount; k++) {
      const slot = this.slots[k];
      const at = BODY * k + 6;
      const pose = POSE_SIZE * slot;
      for (let i = 0; i < 3; i++) state.pose[pose + i] = scratch.startPose[pose + i] + h * this.bodies[at + i];
      if (model.inertia[3 * slot] === 0) continue;
      const x = h * this.bodies[at + 3];
      const y = h * this.bodies[at + 4];
      const z = h * this.bodies[at + 5];
      turnQuaternion(scratch.startPose, pose + 3, x, y, z, state.pose, pose + 3);
    }
  }

  /** The first small step begins: what forces do to velocities, and the impulses that contacts had. */
  begin(): void {
    const { bodies, contacts } = this;
    for (let k = 0; k < this.bodyCount; k++) {
      const at = BODY * k;
      for (let i = 0; i < 6; i++) {
        const change = bodies[at + 19 + i];
        bodies[at + 19 + i] = bodies[at + i];
        bodies[at + i] += change;
      }
    }
    for (let k = 0; k < this.contactCount; k++) {
      const c = CONTACT * k;
      this.push(k, contacts[c + 21], contacts[c + 22], contacts[c + 23]);
    }
  }

  /**
   * Another small step begins. Forces and the impulses of all contacts and joints, as they are after the last step, are what
   * changed velocities in it, and J is the same: together they do so once more.
   */
  goOn(): void {
    const { bodies } = this;
    for (let k = 0; k < this.bodyCount; k++) {
      const at = BODY * k;
      for (let i = 0; i < 6; i++) {
        const u = bodies[at + i];
        bodies[at + i] += u - bodies[at + 19 + i];
        bodies[at + 19 + i] = u;
      }
    }
  }

  /** d += u */
  advance(): void {
    const { bodies } = this;
    for (let k = 0; k < this.bodyCount; k++) {
      const at = BODY * k;
      for (let i = 0; i < 6; i++) bodies[at + 6 + i] += bodies[at + i];
    }
  }

  /** A sweep of projected Gauss-Seidel over the velocities of the contacts, forwards or backwards. */
  sweep(isForward: boolean): void {
    const { contacts: g, bodies: w, contactCount } = this;
    for (let n = 0; n < contactCount; n++) {
      const k = isForward ? n : contactCount - 1 - n;
      const a = this.bodyA[k];
      const b = this.bodyB[k];
      const c = CONTACT * k;
      const nx = g[c];
      const ny = g[c + 1];
      const nz = g[c + 2];
      const rax = g[c + 9];
      const ray = g[c + 10];
      const raz = g[c + 11];
      const rbx = g[c + 12];
      const rby = g[c + 13];
      const rbz = g[c + 14];
      const x = w[b] - w[a] + (w[b + 4] * rbz - w[b + 5] * rby) - (w[a + 4] * raz - w[a + 5] * ray);
      const y = w[b + 1] - w[a + 1] + (w[b + 5] * rbx - w[b + 3] * rbz) - (w[a + 5] * rax - w[a + 3] * raz);
      const z = w[b + 2] - w[a + 2] + (w[b + 3] * rby - w[b + 4] * rbx) - (w[a + 3] * ray - w[a + 4] * rax);
      const p0 = g[c + 21];
      const p1 = g[c + 22];
      const p2 = g[c + 23];
      const free = p0 - (g[c + 24] + nx * x + ny * y + nz * z) * g[c + 15];
      const normal = free > 0 ? free : 0;
      const limit = g[c + 20] * normal;
      const change = normal - p0;
      if (change === 0 && limit === 0 && p1 === 0 && p2 === 0) continue;
      const m = g[c + 18];
      let q1 = p1 - (g[c + 3] * x + g[c + 4] * y + g[c + 5] * z + g[c + 16] * change) * m;
      let q2 = p2 - (g[c + 6] * x + g[c + 7] * y + g[c + 8] * z + g[c + 17] * change) * m;
      const squared = q1 * q1 + q2 * q2;
      if (squared > limit * limit) {
        const scale = limit / Math.sqrt(squared);
        q1 *= scale;
        q2 *= scale;
      }
      g[c + 21] = normal;
      g[c + 22] = q1;
      g[c + 23] = q2;
      const c1 = q1 - p1;
      const c2 = q2 - p2;
      const fx = change * nx + c1 * g[c + 3] + c2 * g[c + 6];
      const fy = change * ny + c1 * g[c + 4] + c2 * g[c + 7];
      const fz = change * nz + c1 * g[c + 5] + c2 * g[c + 8];
      const ma = w[a + 12];
      w[a] -= ma * fx;
      w[a + 1] -= ma * fy;
      w[a + 2] -= ma * fz;
      const ax = ray * fz - raz * fy;
      const ay = raz * fx - rax * fz;
      const az = rax * fy - ray * fx;
      w[a + 3] -= w[a + 13] * ax + w[a + 14] * ay + w[a + 15] * az;
      w[a + 4] -= w[a + 14] * ax + w[a + 16] * ay + w[a + 17] * az;
      w[a + 5] -= w[a + 15] * ax + w[a + 17] * ay + w[a + 18] * az;
      const mb = w[b + 12];
      w[b] += mb * fx;
      w[b + 1] += mb * fy;
      w[b + 2] += mb * fz;
      const bx = rby * fz - rbz * fy;
      const by = rbz * fx - rbx * fz;
      const bz = rbx * fy - rby * fx;
      w[b + 3] += w[b + 13] * bx + w[b + 14] * by + w[b + 15] * bz;
      w[b + 4] += w[b + 14] * bx + w[b + 16] * by + w[b + 17] * bz;
      w[b + 5] += w[b + 15] * bx + w[b + 17] * by + w[b + 18] * bz;
    }
  }

  /**
   * Gaps of the contacts where bodies are now. A part of each overlap is taken back, contact by contact, by moving the bodies:
   * what they move for is no velocity. What else is open may close in the next small step; corrections of contacts that come
   * later are in the gaps of the step after it.
   *
   * @param share part of an overlap
   * @param allowed overlap that may stay, over h [m/s]
   * @param most most of an overlap that is taken back, over h [m/s]
   */
  separate(share: number, allowed: number, most: number): void {
    const { contacts: g, bodies: w, contactCount } = this;
    for (let k = 0; k < contactCount; k++) {
      const a = this.bodyA[k];
      const b = this.bodyB[k];
      const c = CONTACT * k;
      const rax = g[c + 9];
      const ray = g[c + 10];
      const raz = g[c + 11];
      const rbx = g[c + 12];
      const rby = g[c + 13];
      const rbz = g[c + 14];
      const dx = w[b + 6] - w[a + 6] + (w[b + 10] * rbz - w[b + 11] * rby) - (w[a + 10] * raz - w[a + 11] * ray);
      const dy = w[b + 7] - w[a + 7] + (w[b + 11] * rbx - w[b + 9] * rbz) - (w[a + 11] * rax - w[a + 9] * raz);
      const dz = w[b + 8] - w[a + 8] + (w[b + 9] * rby - w[b + 10] * rbx) - (w[a + 9] * ray - w[a + 10] * rax);
      const gap = g[c + 19] + g[c] * dx + g[c + 1] * dy + g[c + 2] * dz;
      g[c + 24] = gap > 0 ? gap : 0;
      if (gap >= -allowed) continue;
      const way = -share * (gap + allowed);
      const q = (way < most ? way : most) * g[c + 15];
      const fx = q * g[c];
      const fy = q * g[c + 1];
      const fz = q * g[c + 2];
      pushBody(w, a, 6, g, c + 9, -fx, -fy, -fz);
      pushBody(w, b, 6, g, c + 12, fx, fy, fz);
    }
  }

  /** u += M⁻¹ Jᵀ p of a contact */
  private push(k: number, p: number, p1: number, p2: number): void {
    if (p === 0 && p1 === 0 && p2 === 0) return;
    const { contacts: g, bodies: w } = this;
    const c = CONTACT * k;
    const fx = p * g[c] + p1 * g[c + 3] + p2 * g[c + 6];
    const fy = p * g[c + 1] + p1 * g[c + 4] + p2 * g[c + 7];
    const fz = p * g[c + 2] + p1 * g[c + 5] + p2 * g[c + 8];
    pushBody(w, this.bodyA[k], 0, g, c + 9, -fx, -fy, -fz);
    pushBody(w, this.bodyB[k], 0, g, c + 12, fx, fy, fz);
  }

  private find(system: IslandSystem, slot: number, count: number): number {
    return this.placeOf[slot] >= 0 ? this.placeOf[slot] : this.addBody(system, slot, count);
  }

  private addBody(system: IslandSystem, slot: number, count: number): number {
    const k = this.bodyCount++;
    const { scratch, state } = system.bodies;
    const w = this.bodies;
    const at = BODY * k;
    this.slots[k] = slot;
    this.placeOf[slot] = k;
    const isPushed = scratch.inverseMass[slot] > 0;
    for (let i = 0; i < TWIST_SIZE; i++) {
      const end = scratch.freeVelocity[TWIST_SIZE * slot + i];
      const start = isPushed ? state.velocity[TWIST_SIZE * slot + i] : end;
      w[at + i] = start;
      w[at + 6 + i] = 0;
      w[at + 19 + i] = (end - start) / count;
      w[at + 13 + i] = scratch.worldInverseInertia[6 * slot + i];
    }
    w[at + 12] = scratch.inverseMass[slot];
    return k;
  }

  private reserve(bodyCount: number, contactCount: number, capacity: number): void {
    for (let k = 0; k < this.bodyCount; k++) this.placeOf[this.slots[k]] = -1;
    if (this.slots.length < bodyCount) {
      this.slots = new Int32Array(2 * bodyCount);
      this.bodies = new Float64Array(BODY * 2 * bodyCount);
    }
    if (this.bodyA.length < contactCount) {
      this.contacts = new Float64Array(CONTACT * 2 * contactCount);
      this.bodyA = new Int32Array(2 * contactCount);
      this.bodyB = new Int32Array(2 * contactCount);
    }
    if (this.placeOf.length < capacity) this.placeOf = new Int32Array(capacity).fill(-1);
  }
}

/** u, or d with `part` 6, += M⁻¹ (f, r × f) */
function pushBody(
  w: Float64Array,
  at: number,
  part: number,
  g: Float64Array,
  arm: number,
  fx: number,
  fy: number,
  fz: number,
): void {
  const m = w[at + 12];
  const to = at + part;
  w[to] += m * fx;
  w[to + 1] += m * fy;
  w[to + 2] += m * fz;
  const x = g[arm + 1] * fz - g[arm + 2] * fy;
  const y = g[arm + 2] * fx - g[arm] * fz;
  const z = g[arm] * fy - g[arm + 1] * fx;
  w[to + 3] += w[at + 13] * x + w[at + 14] * y + w[at + 15] * z;
  w[to + 4] += w[at + 14] * x + w[at + 16] * y + w[at + 17] * z;
  w[to + 5] += w[at + 15] * x + w[at + 17] * y + w[at + 18] * z;
}

/** What an impulse along the normal does to the speed along tangent d: only through rotations, I⁻¹ (r × n) · (r × t). */
function crossMobility({ contacts }: IslandSystem, c: number, d: number): number {
  const { geometry: g, responseA, responseB } = contacts;
  const a = CONTACT_SIZE * c + 9;
  const b = a + 3;
  const t = CONTACT_SIZE * c + 3 * d;
  const x = g[t];
  const y = g[t + 1];
  const z = g[t + 2];
  const r = 9 * c;
  return (
    responseA[r] * (g[a + 1] * z - g[a + 2] * y) +
    responseA[r + 1] * (g[a + 2] * x - g[a] * z) +
    responseA[r + 2] * (g[a] * y - g[a + 1] * x) +
    (responseB[r] * (g[b + 1] * z - g[b + 2] * y) +
      responseB[r + 1] * (g[b + 2] * x - g[b] * z) +
      responseB[r + 2] * (g[b] * y - g[b + 1] * x))
  );
}
