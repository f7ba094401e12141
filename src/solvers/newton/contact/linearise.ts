/**
 * The residual of an island at a Newton iterate, and the resulting linear problem (53).
 *
 * Velocities u satisfy the momentum balance (46) at every iterate, so g of (57) is zero and only the constraints (58)
 * remain, all in units of a velocity:
 *
 *     normal     φₙ(Cₙ(q⁺)/h, r p) = 0
 *     friction   Dᵀ u + W p = 0            W from (105) or (103), with the current pₙ
 *     joint row  g(u, p) = 0 within its bounds (rows.ts)
 */

import { CONTACT_SIZE } from "./contacts";
import type { IslandSystem } from "../island/island-system";
import { fischerBurmeister, fischerBurmeisterSlip, minimumMap, minimumMapSlip, type NormalRow } from "../../ncp";
import type { NewtonOptions } from "../options";

/** Slip below this part of r µ pₙ counts as zero. */
const CREEP = 0.5;

const row: NormalRow = { isActive: false, step: 0, compliance: 0, residual: 0, phi: 0 };

/** The linear problem at an iterate. Vectors have one number for each unknown of the island. */
export class Linearisation {
  /** J u */
  speed = new Float64Array(0);
  /** minus the residual of each active equation, as if inactive impulses did not change */
  rightSide = new Float64Array(0);
  /** Δp of inactive unknowns, 0 on others */
  forced = new Float64Array(0);
  /** residual of each equation [m/s] */
  private residuals = new Float64Array(0);
  /** whether some inactive impulse has to change */
  isForced = false;
  /** ‖residual‖₂ [m/s]: the merit function (8.1) */
  merit = 0;
  /** largest residual [m/s] */
  worst = 0;
  /** ε (8.4), as a part of the diagonal */
  epsilon = 0;

  reserve(size: number): void {
    if (this.speed.length >= size) return;
    this.speed = new Float64Array(2 * size);
    this.rightSide = new Float64Array(2 * size);
    this.forced = new Float64Array(2 * size);
    this.residuals = new Float64Array(2 * size);
  }

  /**
   * Evaluates the residual for velocities in the scratch and impulses p, and sets active unknowns and compliance of the
   * system.
   */
  evaluate(system: IslandSystem, p: Float64Array, h: number, options: NewtonOptions): void {
    this.reserve(system.size);
    system.measure(system.bodies.scratch.velocity, this.speed);
    this.isForced = false;
    const { residuals } = this;
    residuals.fill(0, 0, system.size);
    this.contacts(system, p, h, options);
    this.joints(system, p, h);
    let squared = 0;
    let worst = 0;
    for (let i = 0; i < system.size; i++) {
      const size = Math.abs(residuals[i]);
      squared += size * size;
      if (size > worst) worst = size;
    }
    this.merit = Math.sqrt(squared);
    this.worst = worst;
  }

  private contacts(system: IslandSystem, p: Float64Array, h: number, options: NewtonOptions): void {
    const { contacts, active, compliance, firstContact, contactCount } = system;
    const { speed, rightSide, forced, residuals } = this;
    const isMinimum = options.ncp === "minimum-map";
    const effective = options.preconditioner === "effective-mass";
    // r for a comparison of both sides as they are, [m] with [N], or after scaling by h²
    const plain = options.preconditioner === "identity" ? 1 / (h * h) : 1;
    const plainSlip = options.preconditioner === "identity" ? 1 / h : 1;
    const { epsilon } = this;
    for (let k = 0; k < contactCount; k++) {
      const i = 3 * k;
      const c = firstContact + k;
      const d = 3 * c;
      const a = contacts.bias[c] + speed[i];
      const r = effective ? contacts.diagonal[d] : plain;
      if (isMinimum) minimumMap(a, p[i], r, row);
      else fischerBurmeister(a, p[i], r, row);
      residuals[i] = row.phi;
      if (row.isActive) {
        active[i] = 1;
        compliance[i] = row.compliance + epsilon * contacts.diagonal[d];
        rightSide[i] = -row.residual;
        forced[i] = 0;
      } else {
        forced[i] = row.step;
        this.force(system, i);
      }

      const limit = contacts.friction[c] * p[i];
      if (!(limit > 0)) {
        // A contact without normal impulse has no friction: the set I of (3.5).
        for (let j = 1; j < 3; j++) {
          residuals[i + j] = contacts.diagonal[d + j] * p[i + j];
          forced[i + j] = -p[i + j];
          this.force(system, i + j);
        }
        continue;
      }
      const v = Math.sqrt(speed[i + 1] * speed[i + 1] + speed[i + 2] * speed[i + 2]);
      const f = Math.sqrt(p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2]);
      const rf = effective ? Math.max(contacts.diagonal[d + 1], contacts.diagonal[d + 2]) : plainSlip;
      const slip = isMinimum ? minimumMapSlip(v, f, limit, rf) : fischerBurmeisterSlip(v, f, limit, rf);
      if (options.safeguard && v > rf * (limit - f) && v < CREEP * rf * limit) {
        this.holdAtCone(system, c, i, rf, p);
        continue;
      }
      for (let j = 1; j < 3; j++) {
        const residual = speed[i + j] + slip * p[i + j];
        residuals[i + j] = residual;
        active[i + j] = 1;
        compliance[i + j] = slip + epsilon * contacts.diagonal[d + j];
        rightSide[i + j] = -residual;
        forced[i + j] = 0;
      }
    }
  }

  /**
   * Handles a contact that hardly moves and has more friction than its cone allows. W would require v + W p = 0; if
   * other contacts of the same bodies hold v at zero, that would mean no friction at all. So the friction moves to the
   * edge of the cone in the direction of p − v/r, and stays there in this iteration.
   */
  private holdAtCone(system: IslandSystem, c: number, i: number, r: number, p: Float64Array): void {
    const limit = system.contacts.friction[c] * p[i];
    const y1 = p[i + 1] - this.speed[i + 1] / r;
    const y2 = p[i + 2] - this.speed[i + 2] / r;
    const scale = limit / Math.sqrt(y1 * y1 + y2 * y2);
    this.forced[i + 1] = scale * y1 - p[i + 1];
    this.forced[i + 2] = scale * y2 - p[i + 2];
    for (let j = 1; j < 3; j++) {
      this.residuals[i + j] = r * this.forced[i + j];
      this.force(system, i + j);
    }
  }

  private joints(system: IslandSystem, p: Float64Array, h: number): void {
    const { rows, active, compliance, firstRow, rowCount } = system;
    const { speed, rightSide, forced, residuals } = this;
    let i = 3 * system.contactCount;
    for (let k = 0; k < rowCount; k++, i++) {
      const r = firstRow + k;
      const share = rows.share[r];
      const g = (share * rows.value[r]) / h + (1 - share) * speed[i] - rows.target[r] + rows.compliance[r] * p[i];
      const mobility = rows.diagonal[r] + rows.compliance[r];
      if (!(mobility > 0)) {
        forced[i] = -p[i];
        this.force(system, i);
        continue;
      }
      const free = p[i] - g / mobility;
      const bound = free < rows.lower[r] ? rows.lower[r] : free > rows.upper[r] ? rows.upper[r] : free;
      if (bound !== free) {
        forced[i] = bound - p[i];
        residuals[i] = mobility * forced[i];
        this.force(system, i);
        continue;
      }
      residuals[i] = g;
      active[i] = 1;
      compliance[i] = rows.compliance[r] + this.epsilon * rows.diagonal[r];
      rightSide[i] = -g;
      forced[i] = 0;
    }
  }

  /** Makes an unknown inactive, whose step is known. */
  private force(system: IslandSystem, i: number): void {
    system.active[i] = 0;
    system.compliance[i] = 0;
    this.rightSide[i] = 0;
    if (this.forced[i] !== 0) this.isForced = true;
  }
}

/**
 * Makes impulses admissible after the last iterate: normals do not pull, friction stays within its cone, joint rows within
 * their bounds.
 *
 * @returns whether anything was changed
 */
export function project(system: IslandSystem, p: Float64Array): boolean {
  const { contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
  let isChanged = false;
  for (let k = 0; k < contactCount; k++) {
    const i = 3 * k;
    if (p[i] < 0) {
      p[i] = 0;
      isChanged = true;
    }
    const limit = contacts.friction[firstContact + k] * p[i];
    const squared = p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2];
    if (squared <= limit * limit) continue;
    const scale = limit / Math.sqrt(squared);
    p[i + 1] *= scale;
    p[i + 2] *= scale;
    isChanged = true;
  }
  let i = 3 * contactCount;
  for (let r = firstRow; r < firstRow + rowCount; r++, i++) {
    const bound = p[i] < rows.lower[r] ? rows.lower[r] : p[i] > rows.upper[r] ? rows.upper[r] : p[i];
    if (bound === p[i]) continue;
    p[i] = bound;
    isChanged = true;
  }
  return isChanged;
}

/** The basis of contacts is CONTACT_SIZE numbers; impulses in world axes keep their meaning from step to step. */
export function worldFriction(geometry: Float64Array, c: number, p1: number, p2: number, axis: number): number {
  return geometry[CONTACT_SIZE * c + 3 + axis] * p1 + geometry[CONTACT_SIZE * c + 6 + axis] * p2;
}
