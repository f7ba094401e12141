/**
 * Common parts of the Jacobians of a step and their products with vectors.
 *
 * The step solves M (q̇' - q̇) = Δt (τ + τ_passive - c) + Jᵀ f. With q̈* = (q̇' - q̇)/Δt this is inverse dynamics, so that
 *
 *   M dq̇' = M dq̇ + P_q dq + P_q̇ dq̇ + Δt dτ + Jᵀ df,
 *   P_q = -Δt (∂ID(q, q̇, q̈*)/∂q + K) + ∂(Jᵀ f)/∂q,     P_q̇ = -Δt (∂ID/∂q̇ + D)
 *
 * with the forces of dampers at the end of the step, so that M includes Δt D, and q̇' minus Δq̇ of rotations
 * (`RotationJoint`). This replaces (7)-(9) of paper 4, with the derivatives of M⁻¹, c and ∂(Jᵀf)/∂q in one recursion on
 * the tree. The clamping rows keep J_𝒞 q̇' + e J_𝒞 q̇ + … = 0 (12), and f_𝒰 = E f_𝒞. With R the derivative of (12)
 * for fixed q̇',
 *
 *   df_𝒞 = -A⁺ (J_𝒞 dq̇'|_{f held} + R),   A = J_𝒞 M⁻¹ (J_𝒞 + E ᵀJ_𝒰)ᵀ                       (16)
 *
 * which includes the derivative of A, because R is evaluated at the velocity after the step.
 */
import { InverseDynamicsDerivatives } from "../../derivatives/inverse-dynamics";
import { addWrenchDerivatives } from "../../derivatives/wrenches";
import { updateVelocities } from "../../dynamics/kinematics";
import { RowClass } from "../../lcp/problem";
import { Stabiliser, boundSign } from "../../lcp/stabilise";
import { ArticulatedScratch } from "../../scratch";
import { VARIATION } from "../../contact/variation";
import type { CompiledClosure } from "../../model";
import { addClosureDerivative, addClosureForces, addClosureWrench } from "../closure-rows";
import { ContactMotion, addContactWrenches, copyPositions } from "../contact-motion";
import type { ContactStep } from "../contact-step";
import { ImpactShift } from "../impact-shift";
import { KernelTerm } from "./kernel-term";
import { RowPart } from "../constraint-rows";
import { correctionRate, polynomialAt } from "../joint-rows";
import { RotationDerivatives } from "./rotation-derivatives";

/** Linearization of the last step of a `ContactStep`. */
export class StepLinearisation {
  readonly inverse = new InverseDynamicsDerivatives(this.step.model);
  readonly motion = new ContactMotion(this.step.model, this.step.round !== undefined);
  /** P_q and P_q̇, nv × nv, row-major. */
  readonly byPosition = new Float64Array(this.step.model.nv * this.step.model.nv);
  readonly byVelocity = new Float64Array(this.step.model.nv * this.step.model.nv);
  /** Positions of the step with the velocities q̇' after it. */
  readonly after = new ArticulatedScratch(this.step.model);
  /** Classes, factor of A, and rows 𝒞 that the derivatives use. */
  classes: Stabiliser;
  /** Factor for classes that differ from those of the solution. */
  private readonly otherClasses = new Stabiliser();
  /** R by q and by q̇ of every clamping row, count × nv. */
  residualByPosition = new Float64Array(0);
  residualByVelocity = new Float64Array(0);
  /** Whether any clamping row bounces. */
  bounces = false;
  /** (J_𝒞 + E ᵀJ_𝒰) M⁻¹ of the clamping rows, count × nv. */
  push = new Float64Array(0);
  /** Rows that replace J_𝒞 if a bounce carries dq, count × nv; see `fillBounces`. */
  bounceRows = new Float64Array(0);
  /** The term for an A without full rank. */
  readonly kernel = new KernelTerm(this.step);
  /** The contribution of rotations on the group. */
  readonly rotations = new RotationDerivatives(this.step);
  /** The effect of the times of bounces on the velocity after them. */
  readonly impact = new ImpactShift(this.step);
  private rowClasses: Int8Array = new Int8Array(0);
  /** The classes of the last `useClasses`. */
  private active: Int8Array = this.rowClasses;
  private readonly acceleration = new Float64Array(this.step.model.nv);
  private readonly wrenches = new Float64Array(6 * this.step.model.linkCount);

  constructor(readonly step: ContactStep) {
    this.classes = this.otherClasses;
  }

  /** Fills P_q and P_q̇, then calls `useClasses` for the classes of the solution. */
  compute(): void {
    const { step, acceleration, byPosition, byVelocity } = this;
    const { model, scratch, rows } = step;
    const { nv } = model;
    const dt = step.options.timeStep;
    step.factorMass();
    for (let k = 0; k < nv; k++) acceleration[k] = (step.rawQd[k] - scratch.qd[k] - step.shift[k]) / dt;
    byPosition.fill(0);
    byVelocity.fill(0);
    this.inverse.compute(scratch, acceleration, byPosition, byVelocity);
    for (let i = 0; i < nv * nv; i++) {
      byPosition[i] *= -dt;
      byVelocity[i] *= -dt;
    }
    for (let k = 0; k < nv; k++) {
      byPosition[k * nv + k] -= dt * model.stiffness[k];
      byVelocity[k * nv + k] -= dt * model.damping[k];
    }
    step.actuators?.addCouplings(scratch.q, step.rawQd, dt, byPosition);
    step.compensation?.addDerivatives(dt, byPosition);
    this.rotations.compute();
    this.rotations.addShift(byPosition, byVelocity);
    this.bounces = false;
    this.kernel.active = false;
    this.impact.count = 0;
    if (rows.count > 0 || step.hasWrenches) this.addForceDerivatives();
    if (rows.count === 0) {
      this.classes = this.otherClasses;
      this.classes.count = 0;
      return;
    }
    this.useClasses(this.solutionClasses());
  }

  /** Adds ∂(Jᵀ f)/∂q, also for external forces, and all other contact terms that do not depend on the classes. */
  private addForceDerivatives(): void {
    const { step, motion, wrenches, after, byPosition } = this;
    const { scratch, rows, lcp } = step;
    const { contacts } = step.detector;
    motion.compute(scratch, contacts);
    for (let i = 0; i < wrenches.length; i++) wrenches[i] = step.options.timeStep * step.wrenches[i];
    addContactWrenches(contacts, rows, lcp.f, wrenches);
    this.eachClosure((closure, row, r) => addClosureWrench(scratch, closure, row, lcp.f[r], wrenches));
    addWrenchDerivatives(scratch, wrenches, byPosition);
    motion.addForceDerivative(scratch, contacts, rows, lcp.f, byPosition);
    this.addCouplingForces();
    this.eachClosure((closure, row, r) => addClosureForces(scratch, closure, row, lcp.f[r], byPosition));
    copyPositions(scratch, after);
    updateVelocities(after, step.rawQd);
  }

  /** Classes of the solution, with tied rows treated as the options require. */
  solutionClasses(): Int8Array {
    const { step } = this;
    const { lcp, rows } = step;
    this.reserve();
    for (let r = 0; r < rows.count; r++) {
      const tied = lcp.classes[r] === RowClass.Tied;
      const asClamping = step.options.tiedContacts === "clamping";
      this.rowClasses[r] = !tied ? lcp.classes[r] : asClamping ? RowClass.Clamping : RowClass.Separating;
    }
    return this.rowClasses;
  }

  /** Factors A and fills R and the rest for a choice of classes, one a row. */
  useClasses(rowClasses: Int8Array): void {
    const { step, motion, after } = this;
    const { rows, scratch, options } = step;
    const { nv } = step.model;
    const { contacts } = step.detector;
    this.reserve();
    this.active = rowClasses;
    this.factorize(rowClasses);
    const { classes } = this;
    const { count } = classes;
    this.residualByPosition.fill(0, 0, count * nv);
    this.residualByVelocity.fill(0, 0, count * nv);
    this.bounces = false;
    for (let p = 0; p < count; p++) {
      const r = classes.rows[p];
      motion.addRowDerivative(after, contacts, rows, r, 1, this.residualByPosition, p * nv);
      const e = rows.restitution[r];
      if (e > 0) {
        this.bounces = true;
        motion.addRowDerivative(scratch, contacts, rows, r, e, this.residualByPosition, p * nv);
        for (let k = 0; k < nv; k++) this.residualByVelocity[p * nv + k] = e * rows.jacobian[r * nv + k];
      }
      this.addCoupling(p, r);
      const correction = rows.isOneSided(r) && rows.normalRow[r] === r ? step.correctionOf(r) : 0;
      if (correction > 0) this.addCorrection(p, r, correction);
    }
    this.fillPush();
    this.kernel.compute(motion, classes, this.push, rowClasses);
    this.impact.count = 0;
    if (!this.bounces || options.bounceGradients === "discrete") return;
    this.fillBounces();
    this.impact.compute(this);
  }

  /** Factors A for these classes; the step already has the factor for those of its solution. Soft contacts have another A. */
  private factorize(rowClasses: Int8Array): void {
    const { lcp, rows, solver, softness } = this.step;
    let same = softness === 0;
    for (let r = 0; r < rows.count; r++) {
      const tied = lcp.classes[r] === RowClass.Tied && rowClasses[r] === RowClass.Separating;
      same &&= tied || lcp.classes[r] === rowClasses[r];
    }
    this.classes = same ? solver.stabiliser : this.otherClasses;
    if (same) return;
    this.scaleNormals(1 + softness);
    this.otherClasses.factorize(lcp, rowClasses);
    this.scaleNormals(1 / (1 + softness));
  }

  /** Scales the diagonal of A for normals of contacts. */
  private scaleNormals(factor: number): void {
    const { lcp, rows } = this.step;
    if (factor === 1) return;
    for (let r = 0; r < rows.count; r++) if (rows.part[r] === RowPart.Normal) lcp.a[r * (lcp.n + 1)] *= factor;
  }

  private eachClosure(visit: (closure: CompiledClosure, row: number, r: number) => void): void {
    const { rows, model } = this.step;
    for (let r = 0; r < rows.count; r++)
      if (rows.part[r] === RowPart.Closure) visit(model.closures[Math.floor(rows.dof[r] / 6)], rows.dof[r] % 6, r);
  }

  /** ∂(Jᵀ f)/∂q of couplings that are not linear. */
  private addCouplingForces(): void {
    const { step, byPosition } = this;
    const { rows, scratch, model, lcp } = step;
    for (let r = 0; r < rows.count; r++) {
      if (rows.part[r] !== RowPart.Coupling) continue;
      const coupling = model.couplings[rows.dof[r]];
      if (coupling.driver < 0) continue;
      byPosition[coupling.driver * (model.nv + 1)] -= polynomialAt(coupling, scratch.q)[2] * lcp.f[r];
    }
  }

  /** The derivative of J q̇' and of the correction for a coupling or a loop; that of turns without their error. */
  private addCoupling(p: number, r: number): void {
    const { step, residualByPosition } = this;
    const { rows, scratch, model, rawQd, options } = step;
    const part = rows.part[r];
    if (part !== RowPart.Coupling && part !== RowPart.Closure) return;
    const { nv } = model;
    const of = rows.dof[r];
    const correction = correctionRate(options.timeStep);
    for (let k = 0; k < nv; k++) residualByPosition[p * nv + k] += correction * rows.jacobian[r * nv + k];
    if (part === RowPart.Closure) {
      addClosureDerivative(this.after, model.closures[Math.floor(of / 6)], of % 6, residualByPosition, p * nv);
      return;
    }
    const coupling = model.couplings[of];
    if (coupling.driver < 0) return;
    const curvature = polynomialAt(coupling, scratch.q)[2];
    residualByPosition[p * nv + coupling.driver] -= curvature * rawQd[coupling.driver];
  }

  /** -β/Δt dδ */
  private addCorrection(p: number, r: number, correction: number): void {
    const { motion, step, residualByPosition } = this;
    const { nv } = step.model;
    const c = step.rows.contact[r];
    if (c < 0) {
      const k = step.rows.dof[r];
      residualByPosition[p * nv + k] += step.rows.part[r] === RowPart.LowerLimit ? correction : -correction;
      return;
    }
    for (let at = motion.start[c]; at < motion.start[c + 1]; at++)
      residualByPosition[p * nv + motion.dof[at]] -= correction * motion.change[VARIATION * at + 6];
  }

  /** Fills rows of (J_𝒞 + E ᵀJ_𝒰) M⁻¹, from M⁻¹ Jᵀ of the step. */
  private fillPush(): void {
    const { step, classes, push, active } = this;
    const { rows, response, lcp } = step;
    const { nv } = step.model;
    const m = rows.count;
    for (let p = 0; p < classes.count; p++) {
      const r = classes.rows[p];
      for (let k = 0; k < nv; k++) push[p * nv + k] = response[k * m + r];
    }
    for (let u = 0; u < m; u++) {
      const sign = boundSign(active[u]);
      if (sign === 0 || lcp.findex[u] < 0) continue;
      const p = classes.places[lcp.findex[u]];
      if (p < 0) continue;
      const scale = sign * lcp.hi[u];
      for (let k = 0; k < nv; k++) push[p * nv + k] += scale * response[k * m + u];
    }
  }

  /**
   * Section 6 of paper 4 requires of X = ∂q'/∂q that the distance d of a bounce satisfies ∂d'/∂d = -e, and leaves X
   * undetermined beyond that. The impact itself determines it: a contact that is hit later by dt_c = -J dq / (J q̇)
   * receives its impulse later, so
   *
   *   dq' = dq + (q̇ - q̇⁺) dt_c,   q̇ - q̇⁺ = M⁻¹ (J_𝒞 + E ᵀJ_𝒰)ᵀ A⁺ G q̇,
   *
   * with G = (1 + e) J for a bouncing normal. One impact law covers all bouncing normals of a time step: X = 1 - M⁻¹
   * (J_𝒞 + Eᵀ J_𝒰)ᵀ A⁺ G. Then J X = -e J for each of them, even if several bounce at once, and balls of equal mass
   * exchange their positions as they exchange their velocities. Friction that sticks in a bounce stops v_t = J_t q̇ at
   * that time: its row of G is (v_t / v_n) J_n.
   */
  private fillBounces(): void {
    const { step, classes, bounceRows } = this;
    const { rows, scratch } = step;
    const { nv } = step.model;
    bounceRows.fill(0, 0, classes.count * nv);
    for (let p = 0; p < classes.count; p++) {
      const r = classes.rows[p];
      const normal = rows.normalRow[r];
      const e = rows.restitution[normal];
      if (e === 0) continue;
      const scale = normal === r ? 1 + e : step.along(r, scratch.qd) / step.along(normal, scratch.qd);
      for (let k = 0; k < nv; k++) bounceRows[p * nv + k] = scale * rows.jacobian[normal * nv + k];
    }
  }

  /** `KernelTerm.placeOf`, and below `KernelTerm.weight`, for the current classes. */
  kernelPlace(r: number): number {
    return this.kernel.placeOf(this.classes, r, this.active);
  }

  kernelWeight(r: number): number {
    return this.kernel.weight(r, this.active);
  }

  private reserve(): void {
    const m = this.step.rows.count;
    const { nv } = this.step.model;
    if (this.rowClasses.length >= m) return;
    const room = 2 * m;
    this.rowClasses = new Int8Array(room);
    this.residualByPosition = new Float64Array(room * nv);
    this.residualByVelocity = new Float64Array(room * nv);
    this.push = new Float64Array(room * nv);
    this.bounceRows = new Float64Array(room * nv);
  }
}
