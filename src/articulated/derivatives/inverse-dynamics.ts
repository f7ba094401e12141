/**
 * Derivatives of inverse dynamics τ(q, q̇, q̈) by recursion on the tree, O(n · depth).
 *
 * When coordinate q_j changes, all links behind it move with the twist S_j, for every joint (d/dt and ∂/∂q_j commute):
 *
 *     ∂v_i/∂q_j = Ṡ_j + S_j × v_i,     ∂a_i/∂q_j = Ψ_j + Ṡ_j × v_i + S_j × a_i,     Ψ_j = S̈_j + S_j × g
 *     ∂v_i/∂q̇_j = S_j,                 ∂a_i/∂q̇_j = 2 Ṡ_j + S_j × v_i
 *
 * Inserted into f_i = I_i a_i + v_i ×* I_i v_i, and summed over the links behind (superscript c; F the summed force),
 * this gives
 *
 *     ∂F_j/∂q_j = S_j ×* F_j + Iᶜ_j Ψ_j + Bᶜ_j Ṡ_j,     ∂F_j/∂q̇_j = 2 Iᶜ_j Ṡ_j + Bᶜ_j S_j
 *
 * with B m = I (m × v) + m ×* I v + v ×* I m. Hence τ_k = S_kᵀ F_k has the derivatives
 *
 *     k before or at j:  ∂τ_k/∂q_j = S_kᵀ ∂F_j/∂q_j,              ∂τ_k/∂q̇_j = S_kᵀ ∂F_j/∂q̇_j
 *     k after j:         ∂τ_k/∂q_j = S_kᵀ (Iᶜ_k Ψ_j + Bᶜ_k Ṡ_j),  ∂τ_k/∂q̇_j = S_kᵀ (2 Iᶜ_k Ṡ_j + Bᶜ_k S_j)
 *
 * (in the last line but one, ∂S_k/∂q_j = S_j × S_k cancels S_j ×* F_k). Most of B vanishes after expansion: for m = (α,
 * µ), v = (ω, u), inertia (m, h, I) and linear momentum P, B m = (K α, 2 α × P) with the 3 × 3 matrix
 *
 *     K = 2 (h·u) 1 − 2 u hᵀ − tr(I) ω× + 2 ω× I
 *
 * so that only twelve numbers for each link are summed along the tree, instead of thirty-six.
 */
import { inverseDynamics } from "../dynamics/inverse-dynamics";
import { updateCompositeInertias } from "../dynamics/mass-matrix";
import { WORLD, type ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addCrossForce, dot6, inertiaTimes } from "../spatial";
import { hasRotationVector, jointBlock } from "./joint-block";
import { motionAccelerations } from "./motion-acceleration";

/** Derivatives of inverse dynamics and their scratch, allocated once for a model. */
export class InverseDynamicsDerivatives {
  /** Ψ, 6 a degree of freedom. This and all fields below are valid after `compute`. */
  readonly psi = new Float64Array(6 * this.model.nv);
  /** ∂F/∂q of each degree of freedom, 6 each. */
  readonly forceByPosition = new Float64Array(6 * this.model.nv);
  /** Iᶜ S, 6 a degree of freedom. */
  readonly compositeMotion = new Float64Array(6 * this.model.nv);
  /** The three non-zero components of Bᶜᵀ S, 3 a degree of freedom. */
  readonly compositeRate = new Float64Array(3 * this.model.nv);
  /** Bᶜ of each link: K (9), P (3). */
  readonly velocityTerm = new Float64Array(12 * this.model.linkCount);
  /** τ of the last `compute`. */
  readonly tau = new Float64Array(this.model.nv);
  private readonly rotationVectorLinks = [...this.model.parent.keys()].filter((link) =>
    hasRotationVector(this.model, link),
  );
  private readonly block = new Float64Array(36);
  private readonly column = new Float64Array(6);

  constructor(private readonly model: ArticulatedModel) {}

  /**
   * Derivatives of τ = M(q) q̈ + c(q, q̇). Call after `updateKinematics`.
   *
   * @param qdd q̈, nv numbers; undefined: zero
   * @param byPosition ∂τ/∂q, nv × nv, row-major: entry (k, j) is ∂τ_k/∂q_j. Entries between branches are not written.
   * @param byVelocity ∂τ/∂q̇, in the same layout
   */
  compute(
    scratch: ArticulatedScratch,
    qdd: Float64Array | undefined,
    byPosition: Float64Array,
    byVelocity: Float64Array,
  ): void {
    inverseDynamics(scratch, qdd, this.tau);
    updateCompositeInertias(scratch);
    motionAccelerations(scratch, qdd, this.psi);
    this.sumVelocityTerms(scratch);
    for (let j = 0; j < scratch.model.nv; j++) this.chain(scratch, j, byPosition, byVelocity);
    for (const link of this.rotationVectorLinks) this.correctJoint(scratch, link, byPosition);
  }

  /** Computes K and P of the links, summed towards the roots. */
  private sumVelocityTerms({ model, inertia, velocity }: ArticulatedScratch): void {
    const { velocityTerm: B } = this;
    for (let i = 0; i < model.linkCount; i++) {
      const at = 12 * i;
      const m = inertia[10 * i];
      const h0 = inertia[10 * i + 1];
      const h1 = inertia[10 * i + 2];
      const h2 = inertia[10 * i + 3];
      const xx = inertia[10 * i + 4];
      const yy = inertia[10 * i + 5];
      const zz = inertia[10 * i + 6];
      const xy = inertia[10 * i + 7];
      const xz = inertia[10 * i + 8];
      const yz = inertia[10 * i + 9];
      const w0 = velocity[6 * i];
      const w1 = velocity[6 * i + 1];
      const w2 = velocity[6 * i + 2];
      const u0 = velocity[6 * i + 3];
      const u1 = velocity[6 * i + 4];
      const u2 = velocity[6 * i + 5];
      const trace = xx + yy + zz;
      B[at] = 2 * (h1 * u1 + h2 * u2 + w1 * xz - w2 * xy);
      B[at + 1] = 2 * (w1 * yz - w2 * yy - u0 * h1) + trace * w2;
      B[at + 2] = 2 * (w1 * zz - w2 * yz - u0 * h2) - trace * w1;
      B[at + 3] = 2 * (w2 * xx - w0 * xz - u1 * h0) - trace * w2;
      B[at + 4] = 2 * (h0 * u0 + h2 * u2 + w2 * xy - w0 * yz);
      B[at + 5] = 2 * (w2 * xz - w0 * zz - u1 * h2) + trace * w0;
      B[at + 6] = 2 * (w0 * xy - w1 * xx - u2 * h0) + trace * w1;
      B[at + 7] = 2 * (w0 * yy - w1 * xy - u2 * h1) - trace * w0;
      B[at + 8] = 2 * (h0 * u0 + h1 * u1 + w0 * yz - w1 * xz);
      B[at + 9] = m * u0 - h1 * w2 + h2 * w1;
      B[at + 10] = m * u1 - h2 * w0 + h0 * w2;
      B[at + 11] = m * u2 - h0 * w1 + h1 * w0;
    }
    for (let i = model.linkCount - 1; i >= 0; i--) {
      const above = model.parent[i];
      if (above !== WORLD) for (let c = 0; c < 12; c++) B[12 * above + c] += B[12 * i + c];
    }
  }

  /** Handles all pairs of degree of freedom j with itself and its ancestors, in both roles. */
  private chain(scratch: ArticulatedScratch, j: number, byPosition: Float64Array, byVelocity: Float64Array): void {
    const { model, motion, motionRate, composite, force } = scratch;
    const { psi, forceByPosition, compositeMotion, compositeRate, velocityTerm: B, column } = this;
    const { nv, supportStart, support } = model;
    const link = model.dofLink[j];
    const at = 6 * j;
    const b = 12 * link;
    const P0 = B[b + 9];
    const P1 = B[b + 10];
    const P2 = B[b + 11];
    const s0 = motion[at];
    const s1 = motion[at + 1];
    const s2 = motion[at + 2];
    const r0 = motionRate[at];
    const r1 = motionRate[at + 1];
    const r2 = motionRate[at + 2];

    // G = ∂F/∂q_j
    inertiaTimes(composite, 10 * link, psi, at, forceByPosition, at);
    addCrossForce(motion, at, force, 6 * link, forceByPosition, at);
    const G0 = (forceByPosition[at] += B[b] * r0 + B[b + 1] * r1 + B[b + 2] * r2);
    const G1 = (forceByPosition[at + 1] += B[b + 3] * r0 + B[b + 4] * r1 + B[b + 5] * r2);
    const G2 = (forceByPosition[at + 2] += B[b + 6] * r0 + B[b + 7] * r1 + B[b + 8] * r2);
    const G3 = (forceByPosition[at + 3] += 2 * (r1 * P2 - r2 * P1));
    const G4 = (forceByPosition[at + 4] += 2 * (r2 * P0 - r0 * P2));
    const G5 = (forceByPosition[at + 5] += 2 * (r0 * P1 - r1 * P0));
    // D = ∂F/∂q̇_j
    inertiaTimes(composite, 10 * link, motionRate, at, column, 0);
    const D0 = 2 * column[0] + B[b] * s0 + B[b + 1] * s1 + B[b + 2] * s2;
    const D1 = 2 * column[1] + B[b + 3] * s0 + B[b + 4] * s1 + B[b + 5] * s2;
    const D2 = 2 * column[2] + B[b + 6] * s0 + B[b + 7] * s1 + B[b + 8] * s2;
    const D3 = 2 * (column[3] + s1 * P2 - s2 * P1);
    const D4 = 2 * (column[4] + s2 * P0 - s0 * P2);
    const D5 = 2 * (column[5] + s0 * P1 - s1 * P0);
    // H = Iᶜ S_j and N = Bᶜᵀ S_j
    inertiaTimes(composite, 10 * link, motion, at, compositeMotion, at);
    const H0 = compositeMotion[at];
    const H1 = compositeMotion[at + 1];
    const H2 = compositeMotion[at + 2];
    const H3 = compositeMotion[at + 3];
    const H4 = compositeMotion[at + 4];
    const H5 = compositeMotion[at + 5];
    const l0 = motion[at + 3];
    const l1 = motion[at + 4];
    const l2 = motion[at + 5];
    const N0 = B[b] * s0 + B[b + 3] * s1 + B[b + 6] * s2 + 2 * (P1 * l2 - P2 * l1);
    const N1 = B[b + 1] * s0 + B[b + 4] * s1 + B[b + 7] * s2 + 2 * (P2 * l0 - P0 * l2);
    const N2 = B[b + 2] * s0 + B[b + 5] * s1 + B[b + 8] * s2 + 2 * (P0 * l1 - P1 * l0);
    compositeRate[3 * j] = N0;
    compositeRate[3 * j + 1] = N1;
    compositeRate[3 * j + 2] = N2;

    const row = j * nv;
    byPosition[row + j] = s0 * G0 + s1 * G1 + s2 * G2 + l0 * G3 + l1 * G4 + l2 * G5;
    byVelocity[row + j] = s0 * D0 + s1 * D1 + s2 * D2 + l0 * D3 + l1 * D4 + l2 * D5;
    const end = supportStart[j + 1];
    for (let next = supportStart[j]; next < end; next++) {
      const k = support[next];
      const o = 6 * k;
      const S0 = motion[o];
      const S1 = motion[o + 1];
      const S2 = motion[o + 2];
      const S3 = motion[o + 3];
      const S4 = motion[o + 4];
      const S5 = motion[o + 5];
      byPosition[k * nv + j] = S0 * G0 + S1 * G1 + S2 * G2 + S3 * G3 + S4 * G4 + S5 * G5;
      byVelocity[k * nv + j] = S0 * D0 + S1 * D1 + S2 * D2 + S3 * D3 + S4 * D4 + S5 * D5;
      const R0 = motionRate[o];
      const R1 = motionRate[o + 1];
      const R2 = motionRate[o + 2];
      byPosition[row + k] =
        H0 * psi[o] +
        H1 * psi[o + 1] +
        H2 * psi[o + 2] +
        H3 * psi[o + 3] +
        H4 * psi[o + 4] +
        H5 * psi[o + 5] +
        N0 * R0 +
        N1 * R1 +
        N2 * R2;
      byVelocity[row + k] =
        2 * (H0 * R0 + H1 * R1 + H2 * R2 + H3 * motionRate[o + 3] + H4 * motionRate[o + 4] + H5 * motionRate[o + 5]) +
        N0 * S0 +
        N1 * S1 +
        N2 * S2;
    }
  }

  /** Corrects entries within a joint with a rotation vector: ∂τ_k/∂q_j = S_kᵀ ∂F/∂q_j + Fᵀ ∂S_k/∂q_j for all pairs. */
  private correctJoint(scratch: ArticulatedScratch, link: number, byPosition: Float64Array): void {
    const { model, motion, force } = scratch;
    const { block, forceByPosition } = this;
    const first = model.linkDof[link];
    const n = model.linkDofCount[link];
    jointBlock(scratch, link, force, 6 * link, block);
    for (let k = 0; k < n; k++)
      for (let j = 0; j < n; j++)
        byPosition[(first + k) * model.nv + first + j] =
          dot6(motion, 6 * (first + k), forceByPosition, 6 * (first + j)) + block[k * n + j];
  }
}
