import { arityOf } from "./elements/elements";
import { solidKindOf } from "./elements/solids/solid-kind";
import type { EnergyTerm } from "./model";
import { shapeGradients } from "./strains/green-tet";

/** κ = stiffness h² + viscosity h: the largest of a term's elements. */
export interface TermStiffness {
  /** [1/s²] */
  readonly stiffness: number;
  /** [1/s] */
  readonly viscosity: number;
}

/**
 * An upper bound of κ of solids, V (λ tr M + 2µ ‖M‖) with the elasticities λ + 2µ and λ of the density at rest, the volume V of an element,
 * and M = Σ v gₐ gₐᵀ/m: v elements share the mass m of a vertex, and gₐ are the material gradients of the shape functions.
 *
 * @param masses of the particles [kg]
 * @param offsets of the term's incidence
 */
export function termStiffness(term: EnergyTerm, masses: ArrayLike<number>, offsets: Uint32Array): TermStiffness {
  const kind = solidKindOf(term);
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
