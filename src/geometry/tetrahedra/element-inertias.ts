import type { StrainElements } from "./strain-elements";

/**
 * The inertia of an element against a stretch along its mean axis, from its vertices with its shares of their masses: I
 * = 3/Σ |gₐ|²/mₐ [kg m²]. An axis v has 1/Σ (gₐ·v)²/mₐ, and a third of the trace is their mean. The sum of I GᵀG over
 * all elements is at most twice M.
 */
export function elementInertias(elements: Readonly<StrainElements>, masses: ArrayLike<number>): Float64Array {
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
