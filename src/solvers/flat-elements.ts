/**
 * Tetrahedra that are pressed flat. A blow or a load beyond Young's modulus presses matter flat and through itself: ARAP and corotational
 * elasticity hold against that with a finite stress; StVK with none where it is flat, and its mirror image is at rest, too; a stable
 * neo-Hookean solid with no Poisson's ratio comes to rest in a point. So the solvers that minimize energies hold against principal stretches
 * below `FLAT_STRETCH`, whatever the law. Inertia says how hard: what is not stopped in a time step has gone through.
 */
import * as constants from "../generated/constants";

export const { FLAT_STRETCH } = constants;

/** Tetrahedra by their vertices and shape gradients. */
export interface GradientElements {
  readonly arity: number;
  readonly indices: ArrayLike<number>;
  /** arity × 3 an element [1/m] */
  readonly gradients: ArrayLike<number>;
  /** an element [m³] */
  readonly volumes: ArrayLike<number>;
}

/**
 * What an element's vertices, with its shares of their masses, hold against a stretch of its mean axis: I = 3/Σ |gₐ|²/mₐ [kg m²]. An axis v
 * has 1/Σ (gₐ·v)²/mₐ, and a third of the trace is their mean. The sum of I GᵀG over all elements is at most twice M.
 */
export function elementInertias(elements: GradientElements, masses: ArrayLike<number>): Float64Array {
  const { arity, indices, gradients, volumes } = elements;
  const around = new Float64Array(masses.length);
  for (let i = 0; i < arity * volumes.length; i++) around[indices[i]] += volumes[Math.floor(i / arity)];
  return Float64Array.from({ length: volumes.length }, (_, e) => {
    let sum = 0;
    for (let a = arity * e; a < arity * (e + 1); a++) {
      const [x, y, z] = [gradients[3 * a], gradients[3 * a + 1], gradients[3 * a + 2]];
      sum += ((x * x + y * y + z * z) * around[indices[a]]) / (masses[indices[a]] * volumes[e]);
    }
    return 3 / sum;
  });
}
