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
 * Glossary: κ above, h = Δt, V volume, w = Δt²/m, gₐ material gradients of the shape functions, M = Σ v wₐ gₐ gₐᵀ.
 */
import { elementKindOf } from "./elements/defined-element";
import { arityOf } from "./elements/elements";
import type { EnergyTerm } from "./model";
import { shapeGradients } from "./strains/green-tet";

/** What an iteration adds: `share` of what the sweep finds and `momentum` times what the last one added. */
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
  const reach = (0.85 + 0.45 * Math.log(iterations)) / iterations;
  const a = Math.min(1, Math.max(1 / (1 + stiffness), reach * reach));
  const rho = (1 - a) / (1 + a);
  let omega = 1;
  for (let k = 1; k <= iteration; k++) omega = k === 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * omega);
  out.share = (2 * omega) / (1 + a);
  out.momentum = omega - 1;
}

/** κ = stiffness h² + viscosity h: the largest of a term's elements. */
export interface TermStiffness {
  /** [1/s²] */
  readonly stiffness: number;
  /** [1/s] */
  readonly viscosity: number;
}

/**
 * An upper bound of κ of solids, V (λ tr M + 2µ ‖M‖) with the elasticities λ + 2µ and λ of the density at rest.
 *
 * @param masses of the particles [kg]
 * @param offsets of the term's incidence
 */
export function termStiffness(term: EnergyTerm, masses: ArrayLike<number>, offsets: Uint32Array): TermStiffness {
  const kind = elementKindOf(term);
  const k = kind.density.dimension;
  const hessian = new Float64Array(k * k);
  kind.density.hessian(new Float64Array(k), term.material, hessian);
  const lambda = Math.max(0, hessian[1]);
  const shear = Math.max(0, hessian[0] - lambda);
  const arity = arityOf(term);
  const rest = term.rest.length / term.elementCount;
  const g = new Float64Array(3 * arity);
  const m = new Float64Array(9);
  let stiffness = 0;
  for (let e = 0; e < term.elementCount; e++) {
    m.fill(0);
    shapeGradients(term.rest, rest * e, arity, g);
    for (let a = 0; a < arity; a++) {
      const p = term.indices[arity * e + a];
      if (!(masses[p] > 0)) continue;
      const w = (offsets[p + 1] - offsets[p]) / masses[p];
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) m[3 * i + j] += w * g[3 * a + i] * g[3 * a + j];
    }
    let norm = 0;
    for (let i = 0; i < 3; i++)
      norm = Math.max(norm, Math.abs(m[3 * i]) + Math.abs(m[3 * i + 1]) + Math.abs(m[3 * i + 2]));
    const volume = term.rest[rest * e + 3 * arity - 3];
    stiffness = Math.max(stiffness, volume * (lambda * (m[0] + m[4] + m[8]) + shear * norm));
  }
  const damping = kind.dampingAt < 0 ? 0 : term.material[kind.dampingAt];
  return { stiffness, viscosity: damping * stiffness };
}
