/**
 * Bending of sheets and ropes that are flat or straight at rest: quadratic in the positions (Bergou et al. 2006). An element of a
 * few particles has the curvature κ = Σ cᵢ xᵢ, weighted so that its energy is ½ |κ|². Its stiffness does not change,
 * and rotations leave the energy as it is.
 */
export interface BendingSet {
  readonly count: number;
  /** particles an element: 4 of a hinge between two triangles, 3 of a joint between two segments */
  readonly arity: number;
  /** arity an element */
  readonly indices: Uint32Array;
  /** c, arity an element [√(N/m)] */
  readonly weights: Float64Array;
}

const kappa = new Float64Array(3);

/** κ of element e at x. */
function curvature(set: BendingSet, e: number, x: Float64Array): void {
  const { arity, indices, weights } = set;
  kappa.fill(0);
  for (let a = e * arity; a < (e + 1) * arity; a++)
    for (let k = 0; k < 3; k++) kappa[k] += weights[a] * x[3 * indices[a] + k];
}

/** Energy of all elements [J]. */
export function bendingEnergy(set: BendingSet, x: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < set.count; e++) {
    curvature(set, e, x);
    sum += 0.5 * (kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2]);
  }
  return sum;
}

/** Adds the gradient of the energy to `out`, 3 a particle [N]: minus the force. */
export function addBendingStress(set: BendingSet, x: Float64Array, out: Float64Array): void {
  const { arity, indices, weights } = set;
  for (let e = 0; e < set.count; e++) {
    curvature(set, e, x);
    for (let a = e * arity; a < (e + 1) * arity; a++)
      for (let k = 0; k < 3; k++) out[3 * indices[a] + k] += weights[a] * kappa[k];
  }
}

/** A rope's bending stiffness [N m²] at the joints between its segments, which are straight at rest. */
export function ropeBending(positions: Float64Array, stiffness: number): BendingSet {
  const count = Math.max(0, positions.length / 3 - 2);
  const indices = new Uint32Array(3 * count);
  const weights = new Float64Array(3 * count);
  const length = (p: number): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const step = positions[3 * p + 3 + k] - positions[3 * p + k];
      sum += step * step;
    }
    return Math.sqrt(sum);
  };
  for (let e = 0; e < count; e++) {
    const [before, after] = [length(e), length(e + 1)];
    // ½ B κ² over half of both segments, κ the change of the tangent over that length
    const scale = Math.sqrt(stiffness / (0.5 * (before + after)));
    indices.set([e, e + 1, e + 2], 3 * e);
    weights.set([scale / before, -scale / before - scale / after, scale / after], 3 * e);
  }
  return { count, arity: 3, indices, weights };
}
