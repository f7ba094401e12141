import { addProduct, addTransposedProduct } from "../../../math/dense-products";
import { inverseMass } from "../../dynamics/mass-solve";
import type { StepLinearisation } from "./linearisation";
import type { StepParameterDerivatives } from "./parameters";
import type { StepJacobians } from "./step-jacobians";

/**
 * Full Jacobians from a linearization. Eliminating df_𝒞 leaves, with D = M⁻¹ (J_𝒞 + Eᵀ J_𝒰)ᵀ A⁺,
 *
 *   N = (1 - D J_𝒞) M⁻¹
 *   ∂q̇'/∂q = N P_q - D R_q,   ∂q̇'/∂q̇ = N (M + P_q̇) - D R_q̇,   ∂q̇'/∂τ = Δt N
 *   ∂q'/∂q = X + Δt ∂q̇'/∂q with X = 1, or 1 - D G through bounces;   ∂q'/∂(q̇, τ) = Δt ∂q̇'/∂(q̇, τ)
 *
 * Many contacts of few links are redundant, so A has low rank and A⁺ = U V is used as two thin factors: D x = W (V x)
 * with W = M⁻¹ (J_𝒞 + Eᵀ J_𝒰)ᵀ U.
 */
export class StepJacobianSolver {
  /** N */
  private readonly mobility: Float64Array;
  /** M + P_q̇ */
  private readonly weight: Float64Array;
  /** U, clamping rows × rank, and V, rank × clamping rows. */
  private left = new Float64Array(0);
  private right = new Float64Array(0);
  /** Wᵀ, rank × nv */
  private gain = new Float64Array(0);
  /** Rows of clamping contacts of some matrix, and V times these rows. */
  private picked = new Float64Array(0);
  private reduced = new Float64Array(0);

  constructor(private readonly linearisation: StepLinearisation) {
    const { nv } = linearisation.step.model;
    this.mobility = new Float64Array(nv * nv);
    this.weight = new Float64Array(nv * nv);
  }

  /** Call after `linearisation.compute`. */
  solve(out: StepJacobians, parameters: StepParameterDerivatives | undefined): void {
    const { linearisation, mobility, weight } = this;
    const { step, classes, byPosition, byVelocity } = linearisation;
    const { scratch, rows, response } = step;
    const { nv } = step.model;
    const dt = step.options.timeStep;
    const { count } = classes;
    const { velocityByPosition, velocityByVelocity, velocityByControl } = out;
    inverseMass(scratch, mobility);
    velocityByPosition.fill(0);
    velocityByVelocity.fill(0);
    if (count > 0) {
      this.fillGain();
      const { picked } = this;
      const m = rows.count;
      for (let p = 0; p < count; p++)
        for (let j = 0, r = classes.rows[p]; j < nv; j++) picked[p * nv + j] = response[j * m + r];
      this.subtractGain(picked, mobility, nv);
      this.subtractGain(linearisation.residualByPosition, velocityByPosition, nv);
      if (linearisation.bounces) this.subtractGain(linearisation.residualByVelocity, velocityByVelocity, nv);
    }
    addProduct(mobility, byPosition, velocityByPosition, nv, nv, nv, 1);
    for (let i = 0; i < nv * nv; i++) weight[i] = scratch.mass[i] + byVelocity[i];
    addProduct(mobility, weight, velocityByVelocity, nv, nv, nv, 1);
    for (let i = 0; i < nv * nv; i++) velocityByControl[i] = dt * mobility[i];
    if (parameters !== undefined && parameters.count > 0) {
      out.velocityByParameter.fill(0);
      addProduct(mobility, parameters.byParameter, out.velocityByParameter, nv, nv, parameters.count, 1);
      if (count > 0) this.subtractGain(parameters.residual, out.velocityByParameter, parameters.count);
    }
    const { kernel } = linearisation;
    if (kernel.active) {
      addTransposedProduct(kernel.push, kernel.byPosition, velocityByPosition, nv, count, nv, 1);
      if (parameters !== undefined && parameters.count > 0) {
        const { kernel: byParameter, count: width } = parameters;
        addTransposedProduct(kernel.push, byParameter, out.velocityByParameter, nv, count, width, 1);
      }
    }
    const { impact } = linearisation;
    addTransposedProduct(impact.shift, impact.time, velocityByPosition, nv, impact.count, nv, 1);
    this.fillPositions(out);
    linearisation.rotations.apply(out, parameters);
    const { changes } = step;
    changes.push(out.positionByPosition, out.velocityByPosition, nv);
    changes.push(out.positionByVelocity, out.velocityByVelocity, nv);
    changes.push(out.positionByControl, out.velocityByControl, nv);
    if (parameters !== undefined) changes.push(out.positionByParameter, out.velocityByParameter, parameters.count);
  }

  /** Computes U, V and Wᵀ. */
  private fillGain(): void {
    const { linearisation } = this;
    const { classes, push, step } = linearisation;
    const { nv } = step.model;
    const { count, factor } = classes;
    if (this.left.length < count * count) {
      this.left = new Float64Array(4 * count * count);
      this.right = new Float64Array(4 * count * count);
      this.gain = new Float64Array(2 * count * nv);
      this.picked = new Float64Array(2 * count * nv);
    }
    factor.thinInverse(this.left, this.right);
    this.gain.fill(0, 0, factor.rank * nv);
    addTransposedProduct(this.left, push, this.gain, factor.rank, count, nv, 1);
  }

  /** out -= D x for x with a row for each clamping row. */
  private subtractGain(x: Float64Array, out: Float64Array, columns: number): void {
    const { linearisation, right, gain } = this;
    const { nv } = linearisation.step.model;
    const { count, factor } = linearisation.classes;
    const { rank } = factor;
    if (this.reduced.length < rank * columns) this.reduced = new Float64Array(2 * rank * columns);
    const { reduced } = this;
    reduced.fill(0, 0, rank * columns);
    addProduct(right, x, reduced, rank, count, columns, 1);
    addTransposedProduct(gain, reduced, out, nv, rank, columns, -1);
  }

  private fillPositions(out: StepJacobians): void {
    const { linearisation } = this;
    const { step } = linearisation;
    const { nv } = step.model;
    const dt = step.options.timeStep;
    const { positionByPosition } = out;
    for (let i = 0; i < nv * nv; i++) {
      positionByPosition[i] = dt * out.velocityByPosition[i];
      out.positionByVelocity[i] = dt * out.velocityByVelocity[i];
      out.positionByControl[i] = dt * out.velocityByControl[i];
    }
    for (let i = 0; i < out.velocityByParameter.length; i++)
      out.positionByParameter[i] = dt * out.velocityByParameter[i];
    for (let k = 0; k < nv; k++) positionByPosition[k * nv + k] += 1;
    if (linearisation.bounces && step.options.bounceGradients === "time-of-collision")
      this.subtractGain(linearisation.bounceRows, positionByPosition, nv);
  }
}
