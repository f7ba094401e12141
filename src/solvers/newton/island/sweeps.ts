/**
 * Projected Gauss-Seidel on the nonlinear problem itself (Jean and Moreau's contact-by-contact iteration): each contact
 * in turn takes the normal impulse that closes its gap, and the friction within its cone that stops it. It converges
 * slowly but surely, and serves as the safeguard of Newton's iteration (8.1), which may cycle if friction is close to
 * its limit.
 *
 * Joints are not swept one by one: rows without bounds, and limits that push at the start, are solved together after
 * each sweep over the other rows, by factors that follow the graph of joints. So joints hold exactly after every sweep,
 * in chains of any length.
 */

import { TWIST_SIZE } from "../motion/bodies";
import { CONTACT_SIZE } from "../contact/contacts";
import type { IslandSystem } from "./island-system";
import { SparseSolver } from "../linear/sparse";
import { applyRowImpulse, rowSpeed } from "../contact/rows";

export class Sweeps {
  /** s C/h + … of each joint row minus its J u, so that g = rest + J u + Γ p during the sweep */
  private rest = new Float64Array(0);
  private readonly joints = new SparseSolver();
  private rightSide = new Float64Array(0);
  private change = new Float64Array(0);
  /** largest change of a relative velocity at a contact in this sweep [m/s] */
  private largest = 0;

  /**
   * Improves impulses p and the velocities in the scratch, which satisfy (46) before and after.
   *
   * @returns largest change of a velocity by the last sweep [m/s]
   */
  run(system: IslandSystem, p: Float64Array, h: number, count: number): number {
    const { bodies, rows, firstContact, contactCount, firstRow, rowCount } = system;
    const u = bodies.scratch.velocity;
    if (this.rest.length < rowCount) this.rest = new Float64Array(2 * rowCount);
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      const share = rows.share[r];
      this.rest[k] = (share * rows.value[r]) / h - share * rowSpeed(rows, r, u) - rows.target[r];
    }
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      const isHeld = rows.isBilateral(r) || (rows.isLimit(r) && p[3 * contactCount + k] > 0);
      system.active[3 * contactCount + k] = isHeld ? 1 : 0;
    }
    const isFactored = rowCount > 0 && this.factorJoints(system, 0);
    let worst = 0;
    for (let sweep = 0; sweep < count; sweep++) {
      worst = 0;
      this.largest = 0;
      for (let k = 0; k < rowCount; k++) {
        const r = firstRow + k;
        const i = 3 * contactCount + k;
        const mobility = rows.diagonal[r] + rows.compliance[r];
        if (!(mobility > 0) || (isFactored && system.active[i] === 1)) continue;
        const free = p[i] - (this.rest[k] + rowSpeed(rows, r, u) + rows.compliance[r] * p[i]) / mobility;
        const next = free < rows.lower[r] ? rows.lower[r] : free > rows.upper[r] ? rows.upper[r] : free;
        const change = next - p[i];
        if (change === 0) continue;
        p[i] = next;
        applyRowImpulse(rows, r, change, u);
        worst = Math.max(worst, Math.abs(change) * mobility);
      }
      for (let n = 0; n < contactCount; n++) {
        // Alternate directions, so that a push passes through a stack both ways.
        const k = sweep % 2 === 0 ? n : contactCount - 1 - n;
        this.contact(system, firstContact + k, p, 3 * k);
      }
      worst = Math.max(worst, this.largest);
      // If nothing but joints has changed since they were solved together, they are solved.
      if (isFactored && !this.solveJoints(system, p) && worst === 0 && sweep > 0) break;
    }
    return worst;
  }

  /**
   * Computes the displacement of least kinetic energy that closes a part of the joints' errors, as a twist of each body
   * in `scratch.response`.
   *
   * @param least Γ of their rows, as a part of their mobility
   * @returns false if there is none
   */
  drawTogether(system: IslandSystem, part: number, least: number): boolean {
    const { rows, contactCount, firstRow, rowCount } = system;
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      const isOpen = rows.isRigid(r) && (rows.isBilateral(r) || rows.value[r] < 0);
      system.active[3 * contactCount + k] = isOpen ? 1 : 0;
    }
    if (!this.factorJoints(system, least)) return false;
    this.rightSide.fill(0, 0, system.size);
    for (let k = 0; k < rowCount; k++)
      if (system.active[3 * contactCount + k] === 1)
        this.rightSide[3 * contactCount + k] = -part * rows.value[firstRow + k];
    this.joints.solveFactored(system, this.rightSide, this.change);
    return true;
  }

  /** Factors the matrix of the active rows of joints. */
  private factorJoints(system: IslandSystem, least: number): boolean {
    const { rows, contactCount, firstRow, rowCount, active, compliance } = system;
    active.fill(0, 0, 3 * contactCount);
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      if (!(rows.diagonal[r] > 0)) active[3 * contactCount + k] = 0;
      compliance[3 * contactCount + k] = Math.max(rows.compliance[r], least * rows.diagonal[r]);
    }
    if (this.rightSide.length < system.size) {
      this.rightSide = new Float64Array(2 * system.size);
      this.change = new Float64Array(2 * system.size);
    }
    return this.joints.factor(system);
  }

  /**
   * Solves for the impulses of the chosen rows together: g = 0 for the current velocities.
   *
   * @returns whether limits among them would pull, and let go
   */
  private solveJoints(system: IslandSystem, p: Float64Array): boolean {
    const { rows, bodies, contactCount, firstRow, rowCount, active, compliance } = system;
    const { velocity: u } = bodies.scratch;
    const { rightSide, change } = this;
    rightSide.fill(0, 0, system.size);
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      if (active[i] === 1) rightSide[i] = -(this.rest[k] + rowSpeed(rows, firstRow + k, u) + compliance[i] * p[i]);
    }
    this.joints.solveFactored(system, rightSide, change);
    for (let i = 3 * contactCount; i < system.size; i++) p[i] += change[i];
    this.moveBodies(system);
    let isOpened = false;
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      // A limit never pulls.
      if (!(p[i] < rows.lower[firstRow + k])) continue;
      applyRowImpulse(rows, firstRow + k, rows.lower[firstRow + k] - p[i], u);
      p[i] = rows.lower[firstRow + k];
      isOpened = true;
    }
    return isOpened;
  }

  private moveBodies(system: IslandSystem): void {
    const { velocity: u, response } = system.bodies.scratch;
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const at = TWIST_SIZE * system.bodyList[k];
      for (let i = at; i < at + TWIST_SIZE; i++) u[i] += response[i];
    }
  }

  /**
   * Updates one contact: its normal impulse, then its friction. Velocities of the two bodies are read once and written
   * once, so the inner loop of large piles stays in registers.
   */
  private contact(system: IslandSystem, c: number, p: Float64Array, i: number): void {
    const { contacts, bodies } = system;
    const { geometry: g, responseA, responseB, diagonal } = contacts;
    const { velocity: u, inverseMass } = bodies.scratch;
    const slotA = contacts.bodyA[c];
    const slotB = contacts.bodyB[c];
    const a = TWIST_SIZE * slotA;
    const b = TWIST_SIZE * slotB;
    const at = CONTACT_SIZE * c;
    const r = 9 * c;
    const d = 3 * c;
    const rax = g[at + 9];
    const ray = g[at + 10];
    const raz = g[at + 11];
    const rbx = g[at + 12];
    const rby = g[at + 13];
    const rbz = g[at + 14];
    let wax = u[a + 3];
    let way = u[a + 4];
    let waz = u[a + 5];
    let wbx = u[b + 3];
    let wby = u[b + 4];
    let wbz = u[b + 5];
    // relative velocity at the contact
    let x = u[b] - u[a] + (wby * rbz - wbz * rby) - (way * raz - waz * ray);
    let y = u[b + 1] - u[a + 1] + (wbz * rbx - wbx * rbz) - (waz * rax - wax * raz);
    let z = u[b + 2] - u[a + 2] + (wbx * rby - wby * rbx) - (wax * ray - way * rax);
    const speed = g[at] * x + g[at + 1] * y + g[at + 2] * z;
    const normal = Math.max(0, p[i] - (contacts.bias[c] + speed) / diagonal[d]);
    const limit = contacts.friction[c] * normal;
    const change = normal - p[i];
    // The contact is open before and after: nothing to do.
    if (change === 0 && limit === 0 && p[i + 1] === 0 && p[i + 2] === 0) return;
    p[i] = normal;
    const mass = inverseMass[slotA] + inverseMass[slotB];
    if (change !== 0) {
      wax -= change * responseA[r];
      way -= change * responseA[r + 1];
      waz -= change * responseA[r + 2];
      wbx += change * responseB[r];
      wby += change * responseB[r + 1];
      wbz += change * responseB[r + 2];
      const linear = change * mass;
      x = u[b] - u[a] + linear * g[at] + (wby * rbz - wbz * rby) - (way * raz - waz * ray);
      y = u[b + 1] - u[a + 1] + linear * g[at + 1] + (wbz * rbx - wbx * rbz) - (waz * rax - wax * raz);
      z = u[b + 2] - u[a + 2] + linear * g[at + 2] + (wbx * rby - wby * rbx) - (wax * ray - way * rax);
    }
    const mobility = Math.max(diagonal[d + 1], diagonal[d + 2]);
    let p1 = p[i + 1] - (g[at + 3] * x + g[at + 4] * y + g[at + 5] * z) / mobility;
    let p2 = p[i + 2] - (g[at + 6] * x + g[at + 7] * y + g[at + 8] * z) / mobility;
    const squared = p1 * p1 + p2 * p2;
    if (squared > limit * limit) {
      const scale = limit / Math.sqrt(squared);
      p1 *= scale;
      p2 *= scale;
    }
    const c1 = p1 - p[i + 1];
    const c2 = p2 - p[i + 2];
    p[i + 1] = p1;
    p[i + 2] = p2;
    const fx = change * g[at] + c1 * g[at + 3] + c2 * g[at + 6];
    const fy = change * g[at + 1] + c1 * g[at + 4] + c2 * g[at + 7];
    const fz = change * g[at + 2] + c1 * g[at + 5] + c2 * g[at + 8];
    const ma = inverseMass[slotA];
    const mb = inverseMass[slotB];
    u[a] -= ma * fx;
    u[a + 1] -= ma * fy;
    u[a + 2] -= ma * fz;
    u[a + 3] = wax - c1 * responseA[r + 3] - c2 * responseA[r + 6];
    u[a + 4] = way - c1 * responseA[r + 4] - c2 * responseA[r + 7];
    u[a + 5] = waz - c1 * responseA[r + 5] - c2 * responseA[r + 8];
    u[b] += mb * fx;
    u[b + 1] += mb * fy;
    u[b + 2] += mb * fz;
    u[b + 3] = wbx + c1 * responseB[r + 3] + c2 * responseB[r + 6];
    u[b + 4] = wby + c1 * responseB[r + 4] + c2 * responseB[r + 7];
    u[b + 5] = wbz + c1 * responseB[r + 5] + c2 * responseB[r + 8];
    const most = Math.max(Math.abs(change) * diagonal[d], Math.abs(c1) * mobility, Math.abs(c2) * mobility);
    this.largest = Math.max(this.largest, most);
  }
}
