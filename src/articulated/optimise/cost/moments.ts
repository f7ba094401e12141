import { invalid } from "../../../errors";
import type { ArticulatedModel } from "../../model";

/** The trajectory that a cost is of. */
export interface CostSetting {
  /** number of coordinates, and of controls */
  readonly nv: number;
  readonly nu: number;
  /** Δt of one step [s], and steps of the trajectory */
  readonly timeStep: number;
  readonly steps: number;
  /** steps for which controls are held; `timeStep` and `steps` are of these intervals. Default 1. */
  readonly hold?: number;
  /** for terms of links */
  readonly model?: ArticulatedModel | undefined;
}

/**
 * Gradients and Hessians, row-major, which a cost adds to: ℓ_x (nx), ℓ_u (nu), ℓ_xx (nx × nx), ℓ_uu (nu × nu), ℓ_ux (nu
 * × nx). Hessians should be positive semidefinite; leave out negative curvature.
 */
export interface CostDerivatives {
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly xx: Float64Array;
  readonly uu: Float64Array;
  readonly ux: Float64Array;
}

/**
 * Moments of a trajectory at which a term counts: after the last step; at every step (the sum is then multiplied by Δt, and
 * approximates an integral over time); or after the numbers of steps in a list (0 is the start, `steps` the end).
 */
export type CostMoments = "final" | "running" | readonly number[];

/**
 * Factor of a term's weight at each moment: 0, 1, or Δt.
 *
 * @returns steps + 1 numbers
 * @throws PliantError for a number that is not one of a moment
 */
export function momentFactors(
  when: CostMoments,
  name: string,
  { steps, timeStep, hold = 1 }: CostSetting,
): Float64Array {
  const factors = new Float64Array(steps + 1);
  if (when === "final") factors[steps] = 1;
  else if (when === "running") factors.fill(timeStep, 0, steps);
  else if (Array.isArray(when))
    for (const step of when as readonly number[]) {
      const at = step / hold;
      if (!(Number.isInteger(at) && at >= 0 && at <= steps)) {
        const rule = `must hold ${hold === 1 ? "integers" : `multiples of ${hold}`} from 0 to ${steps * hold}`;
        throw invalid(`${name}.when`, step, rule);
      }
      factors[at] = 1;
    }
  else throw invalid(`${name}.when`, when, 'must be "final", "running" or numbers of steps');
  return factors;
}
