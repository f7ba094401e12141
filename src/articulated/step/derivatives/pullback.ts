import { solveMass } from "../../dynamics/mass-matrix";
import { RowClass } from "../../lcp/problem";
import type { StepLinearisation } from "./linearisation";
import type { StepParameterDerivatives } from "./parameters";

/** Gradient of a loss by the inputs of a step: nv numbers each, and one for each parameter. */
export interface StepGradient {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly control: Float64Array;
  readonly parameter: Float64Array;
}

/** Arrays for the gradient of a mechanism with nv coordinates and a number of parameters. */
export function makeStepGradient(nv: number, parameters = 0): StepGradient {
  return {
    position: new Float64Array(nv),
    velocity: new Float64Array(nv),
    control: new Float64Array(nv),
    parameter: new Float64Array(parameters),
  };
}

/**
 * Vector-Jacobian product of a step: maps the gradient of a loss by (q', q̇') to that by (q, q̇, τ, p), without forming
 * a Jacobian. With λ the gradient by q̇' (Δt times that by q' included), in the terms of `StepLinearisation`:
 *
 *   ρ = -A⁺ᵀ (J_𝒞 + Eᵀ J_𝒰) M⁻¹ λ,   z = M⁻¹ (λ + J_𝒞ᵀ ρ)
 *   ∂ℓ/∂q = P_qᵀ z + R_qᵀ ρ + Xᵀ ∂ℓ/∂q',   ∂ℓ/∂q̇ = λ + J_𝒞ᵀ ρ + P_q̇ᵀ z + R_q̇ᵀ ρ,   ∂ℓ/∂τ = Δt z
 */
export class StepPullback {
  /** λ and ∂ℓ/∂q', with changes of rotation vectors undone. */
  private readonly byVelocity = new Float64Array(this.linearisation.step.model.nv);
  private readonly byPosition = new Float64Array(this.linearisation.step.model.nv);
  /** ∂ℓ/∂q' for the map through bounces, and the direct gradient by q̇. They are special only for rotations. */
  private readonly byBounce = new Float64Array(this.linearisation.step.model.nv);
  private readonly direct = new Float64Array(this.linearisation.step.model.nv);
  /** ∂ℓ/∂(q', q̇') before the map through rotations on the group. */
  private readonly outer = new Float64Array(2 * this.linearisation.step.model.nv);
  private readonly z = new Float64Array(this.linearisation.step.model.nv);
  private rho = new Float64Array(0);
  private other = new Float64Array(0);
  /** (1 - A⁺A) K M⁻¹ λ */
  private kernelGradient = new Float64Array(0);
  private strategy: Int8Array = new Int8Array(0);
  private readonly alternative: StepGradient;

  constructor(
    private readonly linearisation: StepLinearisation,
    parameters: number,
  ) {
    const { nv } = linearisation.step.model;
    this.alternative = makeStepGradient(nv, parameters);
  }

  /**
   * Call after `linearisation.compute`.
   *
   * @param position ∂ℓ/∂q', nv numbers; may be an array of `out`
   * @param velocity ∂ℓ/∂q̇', nv numbers; may be an array of `out`
   * @param escapeSaddles whether to try also the contact strategy that the loss suggests (paper 4, 4.4)
   * @returns whether that strategy was used
   */
  apply(
    position: Float64Array,
    velocity: Float64Array,
    out: StepGradient,
    parameters: StepParameterDerivatives | undefined,
    escapeSaddles: boolean,
  ): boolean {
    const { linearisation } = this;
    const { step } = linearisation;
    this.undoChanges(position, velocity);
    parameters?.compute(linearisation);
    this.pull(out, parameters);
    if (!escapeSaddles || step.rows.count === 0 || !this.chooseStrategy()) return false;
    linearisation.useClasses(this.strategy);
    parameters?.compute(linearisation);
    this.pull(this.alternative, parameters);
    const better = this.isLarger(this.alternative, out);
    linearisation.useClasses(linearisation.solutionClasses());
    if (!better) return false;
    out.position.set(this.alternative.position);
    out.velocity.set(this.alternative.velocity);
    out.control.set(this.alternative.control);
    out.parameter.set(this.alternative.parameter);
    return true;
  }

  private pull(out: StepGradient, parameters: StepParameterDerivatives | undefined): void {
    const { linearisation, byVelocity: lambda, byPosition: direct, z } = this;
    const { step, classes, kernel } = linearisation;
    const { nv } = step.model;
    const dt = step.options.timeStep;
    const { count } = classes;
    this.reserve(count);
    const { rho } = this;
    this.throughForces(lambda, rho);
    for (let k = 0; k < nv; k++) z[k] = lambda[k];
    for (let p = 0; p < count; p++) {
      rho[p] = -rho[p];
      for (let k = 0, at = classes.rows[p] * nv; k < nv; k++) z[k] += rho[p] * step.rows.jacobian[at + k];
    }
    for (let k = 0; k < nv; k++) {
      out.velocity[k] = z[k] + this.direct[k];
      out.position[k] = direct[k];
    }
    solveMass(step.scratch, z);
    const { byPosition, byVelocity, residualByPosition, residualByVelocity } = linearisation;
    for (let k = 0; k < nv; k++) {
      const value = z[k];
      out.control[k] = dt * value;
      for (let j = 0, at = k * nv; j < nv; j++) {
        out.position[j] += value * byPosition[at + j];
        out.velocity[j] += value * byVelocity[at + j];
      }
    }
    for (let p = 0; p < count; p++)
      for (let j = 0, at = p * nv; j < nv; j++) {
        out.position[j] += rho[p] * residualByPosition[at + j];
        out.velocity[j] += rho[p] * residualByVelocity[at + j];
      }
    this.throughKernel(out.position);
    this.throughImpacts(out.position);
    if (linearisation.bounces && step.options.bounceGradients === "time-of-collision") {
      const { other } = this;
      this.throughForces(this.byBounce, other);
      for (let p = 0; p < count; p++)
        for (let j = 0, at = p * nv; j < nv; j++) out.position[j] -= other[p] * linearisation.bounceRows[at + j];
    }
    if (parameters === undefined) return;
    for (let i = 0; i < parameters.count; i++) {
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += z[k] * parameters.byParameter[k * parameters.count + i];
      for (let p = 0; p < count; p++) sum += rho[p] * parameters.residual[p * parameters.count + i];
      for (let p = 0; p < count && kernel.active; p++)
        sum += this.kernelGradient[p] * parameters.kernel[p * parameters.count + i];
      for (let k = 0; k < nv; k++) {
        const at = k * parameters.count + i;
        sum += this.outer[k] * parameters.directPosition[at] + this.outer[nv + k] * parameters.directVelocity[at];
      }
      out.parameter[i] = sum;
    }
  }

  /** Adds Σ timeᵢ (shiftᵢ · λ). */
  private throughImpacts(position: Float64Array): void {
    const { impact } = this.linearisation;
    const { byVelocity: lambda } = this;
    const nv = lambda.length;
    for (let i = 0; i < impact.count; i++) {
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += impact.shift[i * nv + k] * lambda[k];
      for (let j = 0; j < nv; j++) position[j] += sum * impact.time[i * nv + j];
    }
  }

  /** Adds Hᵀ (1 - A⁺A) K M⁻¹ λ. */
  private throughKernel(position: Float64Array): void {
    const { kernel, classes, step } = this.linearisation;
    if (!kernel.active) return;
    const { nv } = step.model;
    const { byVelocity: lambda, kernelGradient } = this;
    for (let p = 0; p < classes.count; p++) {
      let sum = 0;
      for (let k = 0; k < nv; k++) sum += kernel.push[p * nv + k] * lambda[k];
      for (let j = 0; j < nv; j++) position[j] += sum * kernel.byPosition[p * nv + j];
      kernelGradient[p] = sum;
    }
  }

  /** out = A⁺ᵀ (J_𝒞 + Eᵀ J_𝒰) M⁻¹ x */
  private throughForces(x: Float64Array, out: Float64Array): void {
    const { classes, push, step } = this.linearisation;
    const { nv } = step.model;
    for (let p = 0; p < classes.count; p++) {
      let sum = 0;
      for (let k = 0, at = p * nv; k < nv; k++) sum += push[at + k] * x[k];
      out[p] = sum;
    }
    if (classes.count > 0) classes.factor.solveTransposed(out);
  }

  /** Sets λ and ∂ℓ/∂q' with the changes of rotation vectors undone. */
  private undoChanges(position: Float64Array, velocity: Float64Array): void {
    const { byPosition: q, byVelocity: v } = this;
    const { step } = this.linearisation;
    q.set(position);
    v.set(velocity);
    step.changes.pull(q, v);
    this.outer.set(q);
    this.outer.set(v, q.length);
    this.byBounce.set(q);
    this.direct.fill(0);
    for (let k = 0; k < v.length; k++) v[k] += step.options.timeStep * q[k];
    this.linearisation.rotations.pullBack(this.outer, q, v, this.byBounce, this.direct);
  }

  /**
   * The loss-driven strategy of 4.4: with ∂ℓ/∂f = J M⁻¹ λ, contacts with ∂ℓ/∂f < 0, whose separation reduces the loss,
   * count as separating, and contacts with ∂ℓ/∂f > 0 as clamping. Returns whether the classes differ from the solution.
   */
  private chooseStrategy(): boolean {
    const { linearisation, byVelocity: lambda } = this;
    const { step } = linearisation;
    const { rows, response } = step;
    const { nv } = step.model;
    const m = rows.count;
    const solution = linearisation.solutionClasses();
    if (this.strategy.length < m) this.strategy = new Int8Array(2 * m);
    let differs = false;
    for (let r = 0; r < m; r++) {
      const normal = rows.normalRow[r];
      if (normal !== r) {
        const released = this.strategy[normal] !== RowClass.Clamping;
        const joined = !released && solution[normal] !== RowClass.Clamping;
        this.strategy[r] = released ? RowClass.Separating : joined ? RowClass.Clamping : solution[r];
        continue;
      }
      if (!rows.isOneSided(r)) {
        this.strategy[r] = solution[r];
        continue;
      }
      let gradient = 0;
      for (let k = 0; k < nv; k++) gradient += response[k * m + r] * lambda[k];
      const asked = gradient < 0 ? RowClass.Separating : RowClass.Clamping;
      this.strategy[r] = gradient === 0 ? solution[r] : asked;
      differs ||= this.strategy[r] !== solution[r];
    }
    return differs;
  }

  /**
   * Whether one gradient is more informative for the optimizer than another. Paper 4 compares |∂ℓ/∂q̇|² + |∂ℓ/∂τ|². But
   * only controls can be chosen: a strategy that reaches the actuators has priority over one that does not, and
   * velocities decide if neither does. (Otherwise a ball on a driven platform would always be cut off from it.)
   */
  private isLarger(a: StepGradient, b: StepGradient): boolean {
    const { effortLimit } = this.linearisation.step.model;
    let control = 0;
    let size = 0;
    let velocity = 0;
    for (let k = 0; k < effortLimit.length; k++) {
      velocity += a.velocity[k] ** 2 - b.velocity[k] ** 2;
      if (effortLimit[k] === 0) continue;
      control += a.control[k] ** 2 - b.control[k] ** 2;
      size += a.control[k] ** 2 + b.control[k] ** 2;
    }
    return Math.abs(control) > 1e-12 * size ? control > 0 : velocity > 0;
  }

  private reserve(count: number): void {
    if (this.rho.length >= count) return;
    this.rho = new Float64Array(2 * count);
    this.other = new Float64Array(2 * count);
    this.kernelGradient = new Float64Array(2 * count);
  }
}
