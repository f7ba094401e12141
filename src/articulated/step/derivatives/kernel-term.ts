/**
 * The last term of (18) of paper 4. If A does not have full rank, f_𝒞 = -A⁺ b is the shortest of many solutions, and
 * the shortest solution changes with A,
 *
 *   df_𝒞 = … + (1 - A⁺ A) dAᵀ y,   y = A⁺ᵀ f_𝒞.
 *
 * Without friction at its bound this has no effect, since forces in the kernel of A push nothing. With friction at its
 * bound, forces of 𝒰 follow the normal forces and may push in directions outside J_𝒞. With g = M⁻¹ J_𝒞ᵀ y and K =
 * J_𝒞 + Eᵀ J_𝒰 (so that Aᵀ = K M⁻¹ J_𝒞ᵀ),
 *
 *   dAᵀ y = dK g + K M⁻¹ (d(J_𝒞ᵀ y) - dM g).
 */
import { InverseDynamicsDerivatives } from "../../derivatives/inverse-dynamics";
import { addWrenchDerivatives } from "../../derivatives/wrenches";
import { updateInertias, updateVelocities } from "../../dynamics/kinematics";
import { boundSign, type Stabiliser } from "../../lcp/stabilise";
import { ArticulatedScratch } from "../../scratch";
import { addContactWrenches, copyPositions, type ContactMotion } from "../contact-motion";
import type { ContactStep } from "../contact-step";

/** Entries of the kernel's push below this part of the largest push are rounding. */
const NOTHING = 1e-9;

/** The term for one choice of classes: ∂q̇' += pushᵀ H. */
export class KernelTerm {
  /** Whether the term is not zero. */
  active = false;
  /** (1 - A⁺ A) K M⁻¹, clamping rows × nv. */
  push = new Float64Array(0);
  /** H = ∂Aᵀ/∂q y, clamping rows × nv. */
  byPosition = new Float64Array(0);
  /** y as a force on every row; then g, kinematics with the velocities g, and kinematics at rest without weight. */
  forces = new Float64Array(0);
  readonly g = new Float64Array(this.step.model.nv);
  readonly moving = new ArticulatedScratch(this.step.model);
  readonly rest = new ArticulatedScratch(this.step.model);
  readonly inverse: InverseDynamicsDerivatives;
  private readonly zero = new Float64Array(this.step.model.nv);
  private readonly wrenches = new Float64Array(6 * this.step.model.linkCount);
  private readonly matrix = new Float64Array(this.step.model.nv * this.step.model.nv);
  private readonly mass = new Float64Array(this.step.model.nv * this.step.model.nv);
  private readonly unused = new Float64Array(this.step.model.nv * this.step.model.nv);
  private y = new Float64Array(0);

  constructor(private readonly step: ContactStep) {
    const { model } = step;
    this.rest.gravity.fill(0);
    this.inverse = new InverseDynamicsDerivatives(model);
  }

  /**
   * @param push K M⁻¹, clamping rows × nv
   * @param rowClasses class of each row
   */
  compute(motion: ContactMotion, classes: Stabiliser, push: Float64Array, rowClasses: Int8Array): void {
    this.active = false;
    if (classes.factor.rank === classes.count || !this.anySlides(rowClasses)) return;
    if (!this.projectPush(classes, push)) return;
    this.active = true;
    this.findForces(classes);
    const { step, moving, rest, byPosition, forces, wrenches, matrix } = this;
    const { scratch, rows } = step;
    const { contacts } = step.detector;
    const { nv } = step.model;
    copyPositions(scratch, moving);
    updateVelocities(moving, this.g);
    copyPositions(scratch, rest);
    updateVelocities(rest, this.zero);
    updateInertias(rest);

    // d(J_𝒞ᵀ y) - dM g
    matrix.fill(0);
    wrenches.fill(0);
    addContactWrenches(contacts, rows, forces, wrenches);
    addWrenchDerivatives(rest, wrenches, matrix);
    motion.addForceDerivative(scratch, contacts, rows, forces, matrix);
    this.mass.fill(0);
    this.inverse.compute(rest, this.g, this.mass, this.unused);
    for (let i = 0; i < nv * nv; i++) matrix[i] -= this.mass[i];

    byPosition.fill(0, 0, classes.count * nv);
    for (let r = 0; r < rows.count; r++) {
      const p = this.placeOf(classes, r, rowClasses);
      if (p >= 0) motion.addRowDerivative(moving, contacts, rows, r, this.weight(r, rowClasses), byPosition, p * nv);
    }
    for (let p = 0; p < classes.count; p++)
      for (let k = 0; k < nv; k++) {
        const factor = push[p * nv + k];
        if (factor !== 0) for (let j = 0; j < nv; j++) byPosition[p * nv + j] += factor * matrix[k * nv + j];
      }
  }

  /** Whether any friction is at its bound; otherwise K = J_𝒞, and (1 - A⁺ A) J_𝒞 vanishes. */
  private anySlides(rowClasses: Int8Array): boolean {
    const { rows, lcp } = this.step;
    for (let r = 0; r < rows.count; r++) if (lcp.findex[r] >= 0 && boundSign(rowClasses[r]) !== 0) return true;
    return false;
  }

  /** Clamping row whose row of K includes row r, -1 for none. */
  placeOf(classes: Stabiliser, r: number, rowClasses: Int8Array): number {
    if (classes.places[r] >= 0) return classes.places[r];
    const normal = this.step.lcp.findex[r];
    return normal < 0 || boundSign(rowClasses[r]) === 0 ? -1 : classes.places[normal];
  }

  /** 1 for clamping rows, the entry of E for rows at a bound. */
  weight(r: number, rowClasses: Int8Array): number {
    const sign = boundSign(rowClasses[r]);
    return sign === 0 || this.step.lcp.findex[r] < 0 ? 1 : sign * this.step.lcp.hi[r];
  }

  /** Fills `push`; returns whether a part of it remains after the projection. */
  private projectPush(classes: Stabiliser, push: Float64Array): boolean {
    const { count } = classes;
    const { nv } = this.step.model;
    if (this.push.length < count * nv) {
      this.push = new Float64Array(2 * count * nv);
      this.byPosition = new Float64Array(2 * count * nv);
    }
    if (this.y.length < count) this.y = new Float64Array(2 * count);
    const { y } = this;
    let size = 0;
    let left = 0;
    for (let k = 0; k < nv; k++) {
      for (let p = 0; p < count; p++) {
        y[p] = push[p * nv + k];
        size = Math.max(size, Math.abs(y[p]));
      }
      classes.factor.projectOnKernel(y);
      for (let p = 0; p < count; p++) {
        this.push[p * nv + k] = y[p];
        left = Math.max(left, Math.abs(y[p]));
      }
    }
    return left > NOTHING * size;
  }

  /** Computes y and g. */
  private findForces(classes: Stabiliser): void {
    const { step, y, g } = this;
    const { rows, lcp, response } = step;
    const m = rows.count;
    if (this.forces.length < m) this.forces = new Float64Array(2 * m);
    this.forces.fill(0);
    g.fill(0);
    for (let p = 0; p < classes.count; p++) y[p] = lcp.f[classes.rows[p]];
    classes.factor.solveTransposed(y);
    for (let p = 0; p < classes.count; p++) {
      const r = classes.rows[p];
      this.forces[r] = y[p];
      for (let k = 0; k < g.length; k++) g[k] += response[k * m + r] * y[p];
    }
  }
}
