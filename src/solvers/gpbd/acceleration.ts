/**
 * Chebyshev semi-iteration (Golub and Varga; Wang 2015 for position-based methods) on the displacements dᵢ of solids that are swept
 * all at once: an iteration adds to dᵢ
 *
 *     Δᵢ = ω γ Δ̂ᵢ + (ω − 1) Δᵢ⁻         γ = 2/(1 + a),  ρ = (1 − a)/(1 + a),  ω₁ = 1, ω₂ = 2/(2 − ρ²), ωₖ₊₁ = 4/(4 − ρ² ωₖ)
 *
 * with what the sweep finds, Δ̂ᵢ (over-relaxed by γ), and what the last iteration added, Δᵢ⁻. As it works on dᵢ, x = x̃ + Σ dᵢ holds.
 *
 * The spectrum that this needs is known without looking for it. In Σ over elements of stress, a step of Jacobi has the matrix
 * I − P⁻¹(C + S W Sᵀ), C the elements' compliance and P = C + their own S W Sᵀ with the masses split among the v elements of a vertex.
 * By Cauchy and Schwarz S W Sᵀ ≤ P − C, so the eigenvalues of P⁻¹(C + S W Sᵀ) are at most 1, and at least those of P⁻¹C,
 * 1/(1 + κ) with the largest stiffness κ of an element beside its split masses. Between a ≥ 1/(1 + κ) and 1 the polynomial is as
 * small as can be; below a it is between 0 and 1: no mode grows, whatever a is.
 *
 * With few iterations all of [1/(1 + κ), 1] is more than can be had: a ≥ (c/n)² damps what n iterations can reach. On
 * Gauss-Seidel neither this nor over-relaxation gains anything (bench, suite solids): it is left as it is.
 *
 * Glossary: κ above, of `term-stiffness.ts`, h = Δt.
 */

import { log } from "../../math/exponentials";

/** An iteration adds `share` of the sweep's displacement and `momentum` times the displacement that the last one added. */
export interface AccelerationWeights {
  share: number;
  momentum: number;
}

/**
 * @param iteration from 0
 * @param stiffness κ of the term at this time step
 */
export function accelerationWeights(
  iteration: number,
  iterations: number,
  stiffness: number,
  out: AccelerationWeights,
): void {
  const reach = (0.85 + 0.45 * log(iterations)) / iterations;
  const a = Math.min(1, Math.max(1 / (1 + stiffness), reach * reach));
  const rho = (1 - a) / (1 + a);
  let omega = 1;
  for (let k = 1; k <= iteration; k++) omega = k === 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * omega);
  out.share = (2 * omega) / (1 + a);
  out.momentum = omega - 1;
}
