/**
 * Bending of sheets and ropes that are flat or straight at rest: quadratic in the positions (Bergou et al. 2006). An
 * element of a few particles has curvatures κ = Σ c x, weighted so that its energy is ½ Σ |κ|². Its stiffness is
 * constant, and rotations do not change the energy.
 *
 * As Σ c = 0, all elements together are equivalent to springs of zero length between particles, some of which push:
 *
 *     U = ½ Σ k_ab |x_a − x_b|²,   k_ab = − Σ c_a c_b
 *
 * Forces and stiffness are computed from the springs, of which there are fewer. The energy is computed from the
 * curvatures, because the springs would give it as a difference of large numbers.
 */
import { NO_VERTEX } from "../../../geometry/surface/incidence";

export interface BendingSet {
  readonly count: number;
  /** largest number of particles of an element */
  readonly arity: number;
  /** `arity` particles for each element, `NO_VERTEX` at unused places */
  readonly indices: Uint32Array;
  /** number of curvatures of an element: three for a triangle of a sheet, one for a joint between two segments */
  readonly columns: number;
  /** c, `columns` for each place [√(N/m)] */
  readonly weights: Float64Array;
}

export interface BendingSprings {
  readonly count: number;
  /** two particles each */
  readonly indices: Uint32Array;
  /** k [N/m] */
  readonly stiffness: Float64Array;
}

/** The springs of a set, in ascending order of their particles. */
export function bendingSprings({ arity, indices, columns, weights }: BendingSet): BendingSprings {
  const springs = new Map<number, number>();
  const end = 1 + indices.reduce((most, p) => (p === NO_VERTEX ? most : Math.max(most, p)), 0);
  for (let first = 0; first < indices.length; first += arity)
    for (let a = first; a < first + arity; a++)
      for (let b = first; b < a; b++) {
        const [p, q] = [indices[a], indices[b]];
        if (p === NO_VERTEX || q === NO_VERTEX) continue;
        let k = 0;
        for (let i = 0; i < columns; i++) k -= weights[columns * a + i] * weights[columns * b + i];
        if (k === 0) continue;
        const key = end * Math.max(p, q) + Math.min(p, q);
        springs.set(key, (springs.get(key) ?? 0) + k);
      }
  const keys = Float64Array.from(springs.keys()).sort();
  return {
    count: keys.length,
    indices: Uint32Array.from([...keys].flatMap((key) => [Math.floor(key / end), key % end])),
    stiffness: Float64Array.from(keys, (key) => springs.get(key)!),
  };
}

/** Energy of all elements [J]. */
export function bendingEnergy({ count, arity, indices, columns, weights }: BendingSet, x: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < count; e++)
    for (let i = 0; i < columns; i++) {
      let [kx, ky, kz] = [0, 0, 0];
      for (let a = e * arity; a < (e + 1) * arity; a++) {
        const p = 3 * indices[a];
        const c = weights[columns * a + i];
        if (c === 0) continue;
        kx += c * x[p];
        ky += c * x[p + 1];
        kz += c * x[p + 2];
      }
      sum += 0.5 * (kx * kx + ky * ky + kz * kz);
    }
  return sum;
}

/** Adds the gradient of the energy to `out`, 3 numbers a particle [N]: minus the force. */
export function addBendingStress(
  { count, indices, stiffness }: BendingSprings,
  x: Float64Array,
  out: Float64Array,
): void {
  for (let e = 0; e < count; e++) {
    const p = 3 * indices[2 * e];
    const q = 3 * indices[2 * e + 1];
    for (let k = 0; k < 3; k++) {
      const force = stiffness[e] * (x[p + k] - x[q + k]);
      out[p + k] += force;
      out[q + k] -= force;
    }
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
  return { count, arity: 3, indices, columns: 1, weights };
}
