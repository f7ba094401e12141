/**
 * Derivatives of forward dynamics q̈ = M⁻¹ (τ + τ_passive − c). From τ_id(q, q̇, q̈(q, q̇, τ)) = τ + τ_passive:
 *
 *     ∂q̈/∂q = −M⁻¹ (∂τ_id/∂q + K),     ∂q̈/∂q̇ = −M⁻¹ (∂τ_id/∂q̇ + D),     ∂q̈/∂τ = M⁻¹
 *
 * with the joints' stiffnesses K and dampings D. No derivative of M⁻¹ is formed.
 */
import { addPassiveForces } from "../dynamics/passive-forces";
import { biasForces } from "../dynamics/inverse-dynamics";
import { factorMassMatrix, massMatrix, solveMass } from "../dynamics/mass-matrix";
import { solveMassBlocks } from "../dynamics/mass-solve";
import type { ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { InverseDynamicsDerivatives } from "./inverse-dynamics";

/** Derivatives of forward dynamics and their scratch, allocated once for a model. */
export class ForwardDynamicsDerivatives {
  readonly inverse: InverseDynamicsDerivatives;
  /** q̈ of the last `compute`. */
  readonly qdd: Float64Array;
  /** ∂q̈/∂q, ∂q̈/∂q̇, ∂q̈/∂τ, each nv × nv, row-major: entry (k, j) is ∂q̈_k/∂x_j. */
  readonly byPosition: Float64Array;
  readonly byVelocity: Float64Array;
  readonly byForce: Float64Array;
  private readonly stacked: Float64Array;

  constructor(model: ArticulatedModel) {
    const { nv } = model;
    this.inverse = new InverseDynamicsDerivatives(model);
    this.qdd = new Float64Array(nv);
    this.byPosition = new Float64Array(nv * nv);
    this.byVelocity = new Float64Array(nv * nv);
    this.byForce = new Float64Array(nv * nv);
    this.stacked = new Float64Array(3 * nv * nv);
  }

  /**
   * Computes q̈ and its derivatives. Call after `updateKinematics`. It also fills `scratch.mass` and its factor.
   *
   * @param tau forces of the actuators, nv numbers; springs and dampers are added here
   * @param dt [s]; as in `massMatrix`: uses forces of dampers at the end of a step, and M + Δt D instead of M
   */
  compute(scratch: ArticulatedScratch, tau: ArrayLike<number>, dt = 0): void {
    const { model } = scratch;
    const { nv } = model;
    const { qdd, stacked, inverse } = this;
    massMatrix(scratch, dt);
    factorMassMatrix(scratch);
    biasForces(scratch, qdd);
    for (let k = 0; k < nv; k++) qdd[k] = tau[k] - qdd[k];
    addPassiveForces(model, scratch.q, scratch.qd, qdd);
    solveMass(scratch, qdd);

    const { byPosition, byVelocity, byForce } = this;
    byPosition.fill(0);
    byVelocity.fill(0);
    inverse.compute(scratch, qdd, byPosition, byVelocity);
    const width = 3 * nv;
    for (let k = 0; k < nv; k++) {
      const row = k * width;
      for (let j = 0; j < nv; j++) {
        stacked[row + j] = -byPosition[k * nv + j];
        stacked[row + nv + j] = -byVelocity[k * nv + j];
        stacked[row + 2 * nv + j] = 0;
      }
      stacked[row + k] -= model.stiffness[k];
      stacked[row + nv + k] -= model.damping[k];
      stacked[row + 2 * nv + k] = 1;
    }
    solveMassBlocks(scratch, stacked, 3);
    for (let k = 0; k < nv; k++) {
      const row = k * width;
      for (let j = 0; j < nv; j++) {
        byPosition[k * nv + j] = stacked[row + j];
        byVelocity[k * nv + j] = stacked[row + nv + j];
        byForce[k * nv + j] = stacked[row + 2 * nv + j];
      }
    }
  }
}
