/**
 * Effect of a later bounce on the velocity after it. Section 6 of paper 4 corrects positions only, as if there were no
 * acceleration. But a ball that falls from higher up also hits faster, and has had less time to slow down since. If an
 * impact is delayed by dt_c = -J dq / (J q̇), the flow before it acts longer and the flow after it shorter,
 *
 *   dq̇' = … + c dt_c,   c = d/dt [impact law along the flow before] - q̈⁺ = (∂q̇'/∂q) q̇ + (∂q̇'/∂q̇) q̈⁻ - q̈⁺
 *
 * (the saltation matrix of hybrid systems, Aizerman & Gantmacher 1958), with the free accelerations q̈⁻ before and q̈⁺
 * after. If several contacts bounce in one step, coordinate k uses the mean of their times, weighted by the shares in
 * which their impulses moved it.
 */
import { biasForces } from "../dynamics/inverse-dynamics";
import { updateInertias } from "../dynamics/kinematics";
import { solveMass } from "../dynamics/mass-matrix";
import { addPassiveForces } from "../dynamics/passive-forces";
import { RowClass } from "../lcp/problem";
import type { Stabiliser } from "../lcp/stabilise";
import type { ArticulatedScratch } from "../scratch";
import type { ContactStep } from "./contact-step";

/** The parts of a `StepLinearisation` that `ImpactShift` needs. */
export interface LinearisedStep {
  readonly classes: Stabiliser;
  readonly after: ArticulatedScratch;
  readonly byPosition: Float64Array;
  readonly byVelocity: Float64Array;
  readonly residualByPosition: Float64Array;
  readonly residualByVelocity: Float64Array;
  readonly push: Float64Array;
}

/** The correction ∂q̇'/∂q += Σ shiftᵢᵀ timeᵢ over the bounces of a step. */
export class ImpactShift {
  /** Number of bounces; 0 if there is nothing to correct. */
  count = 0;
  /** dt_c of each bounce by q, count × nv. */
  time = new Float64Array(0);
  /** Effect of each bounce's delay on q̇', count × nv. */
  shift = new Float64Array(0);
  private readonly before = new Float64Array(this.step.model.nv);
  private readonly after = new Float64Array(this.step.model.nv);
  private readonly change = new Float64Array(this.step.model.nv);
  private residual = new Float64Array(0);

  constructor(private readonly step: ContactStep) {}

  /**
   * Call after all other parts of the linearization are filled. Bounces of bodies that also rest on something else are
   * not corrected: their accelerations are not free.
   */
  compute(linearisation: LinearisedStep): void {
    this.count = 0;
    if (!this.listBounces(linearisation)) return;
    this.findAccelerations(linearisation);
    this.findChange(linearisation);
    this.share(linearisation);
  }

  /** Fills `time`; returns whether there are bounces and no other contacts. */
  private listBounces({ classes }: LinearisedStep): boolean {
    const { step } = this;
    const { rows, scratch } = step;
    const { nv } = step.model;
    if (this.residual.length < classes.count) {
      this.residual = new Float64Array(2 * classes.count);
      this.time = new Float64Array(2 * classes.count * nv);
      this.shift = new Float64Array(2 * classes.count * nv);
    }
    let count = 0;
    for (let p = 0; p < classes.count; p++) {
      const r = classes.rows[p];
      if (rows.normalRow[r] !== r) continue;
      if (rows.restitution[r] === 0) return false;
      const scale = -1 / step.along(r, scratch.qd);
      for (let k = 0; k < nv; k++) this.time[count * nv + k] = scale * rows.jacobian[r * nv + k];
      count++;
    }
    this.count = count;
    return count > 0;
  }

  /** Computes q̈⁻ from the velocity without contact, and q̈⁺ from forward dynamics with q̇'. */
  private findAccelerations({ after: kinematics }: LinearisedStep): void {
    const { step, before, after } = this;
    const { scratch, model } = step;
    for (let k = 0; k < before.length; k++) before[k] = (step.freeVelocity[k] - scratch.qd[k]) / step.options.timeStep;
    kinematics.gravity.set(scratch.gravity);
    updateInertias(kinematics);
    biasForces(kinematics, after);
    step.addActuation(after, -1);
    for (let k = 0; k < after.length; k++) after[k] = -after[k];
    addPassiveForces(model, scratch.q, step.rawQd, after);
    solveMass(scratch, after);
  }

  /** Computes c. */
  private findChange(linearisation: LinearisedStep): void {
    const { step, before, change, residual } = this;
    const { classes, push, byPosition, byVelocity, residualByPosition, residualByVelocity } = linearisation;
    const { scratch, rows } = step;
    const { nv } = step.model;
    for (let k = 0; k < nv; k++) {
      let sum = 0;
      for (let j = 0, at = k * nv; j < nv; j++)
        sum += byPosition[at + j] * scratch.qd[j] + byVelocity[at + j] * before[j];
      change[k] = sum;
    }
    solveMass(scratch, change);
    for (let k = 0; k < nv; k++) change[k] += before[k];
    for (let p = 0; p < classes.count; p++) {
      let sum = 0;
      for (let k = 0, at = p * nv, row = classes.rows[p] * nv; k < nv; k++)
        sum +=
          rows.jacobian[row + k] * change[k] +
          residualByPosition[at + k] * scratch.qd[k] +
          residualByVelocity[at + k] * before[k];
      residual[p] = sum;
    }
    classes.factor.solve(residual);
    for (let k = 0; k < nv; k++) {
      for (let p = 0; p < classes.count; p++) change[k] -= push[p * nv + k] * residual[p];
      change[k] -= this.after[k];
    }
  }

  /** Divides c among the contacts that moved each coordinate. */
  private share({ classes }: LinearisedStep): void {
    const { step, change, shift, count } = this;
    const { rows, lcp, response } = step;
    const { nv } = step.model;
    const m = rows.count;
    for (let k = 0; k < nv; k++) {
      let total = 0;
      for (let i = 0, p = 0; i < count; i++, p++) {
        while (rows.normalRow[classes.rows[p]] !== classes.rows[p]) p++;
        const normal = classes.rows[p];
        let moved = 0;
        for (let r = 0; r < m; r++) {
          const ofContact = rows.normalRow[r] === normal && lcp.classes[r] !== RowClass.Separating;
          if (ofContact) moved += response[k * m + r] * lcp.f[r];
        }
        shift[i * nv + k] = Math.abs(moved);
        total += Math.abs(moved);
      }
      for (let i = 0; i < count; i++) shift[i * nv + k] = total > 0 ? (shift[i * nv + k] / total) * change[k] : 0;
    }
  }
}
