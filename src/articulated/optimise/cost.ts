import { checkFinite } from "../../checks";
import { PliantError } from "../../errors";
import { checkNames, type NamesOf } from "../../option-names";

/**
 * The cost of a trajectory: J = Σₖ ℓ(xₖ, uₖ) + ℓ_f(x_N) with x = (q, q̇).
 */
export interface TrajectoryCost {
  /**
   * The cost of one moment.
   *
   * @param k step, from 0; the state after the last step has k = `steps` and no control
   * @param x q, then q̇
   * @param u undefined at the end
   * @param out receives added derivatives, if given
   * @returns ℓ
   */
  evaluate(k: number, x: Float64Array, u: Float64Array | undefined, out: CostDerivatives | undefined): number;
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
 * A cost as plain data, so that it can be sent to a worker: Σᵢ wᵢ φ(zᵢ − targetᵢ) over some coordinates, velocities or
 * controls z.
 */
export interface CostTerm {
  readonly of: "position" | "velocity" | "control";
  /**
   * after the last step, or at every step (the sum is then multiplied by Δt, and approximates an integral over time)
   */
  readonly when: "final" | "running";
  /** indices of the coordinates or controls; default all */
  readonly indices?: readonly number[];
  /** default 0 */
  readonly target?: number | readonly number[];
  readonly weight: number | readonly number[];
  /**
   * φ(d): "square" d² (default); "signed-square" d |d|, which decreases without bound on one side: with a negative
   * weight, for the jump height of paper 4's worm; "smooth-distance" √(d² + s²) − s with `scale` s, which has a
   * constant pull at large distances.
   */
  readonly form?: "square" | "signed-square" | "smooth-distance";
  /** s of "smooth-distance", > 0; default 1 */
  readonly scale?: number;
}

const costTermNames = {
  of: true,
  when: true,
  indices: true,
  target: true,
  weight: true,
  form: true,
  scale: true,
} satisfies NamesOf<CostTerm>;

interface CompiledTerm {
  readonly final: boolean;
  readonly control: boolean;
  readonly index: number;
  readonly target: number;
  readonly weight: number;
  readonly form: NonNullable<CostTerm["form"]>;
  readonly scale: number;
}

/** A cost given as data. */
export class TermCost implements TrajectoryCost {
  private readonly terms: readonly CompiledTerm[];

  /**
   * @param terms terms that are summed up
   * @param nv number of coordinates
   * @param nu number of controls
   * @param timeStep Δt of one step [s]
   * @param steps steps of the trajectory
   * @throws PliantError for an index out of range, lists of different lengths, numbers that are not finite
   */
  constructor(
    terms: readonly CostTerm[],
    private readonly nv: number,
    private readonly nu: number,
    private readonly timeStep: number,
    private readonly steps: number,
  ) {
    if (terms.length === 0) throw new PliantError("invalid-argument", "cost", 0, "must have at least one term");
    this.terms = terms.flatMap((term, i) => this.compile(term, `cost[${i}]`));
  }

  evaluate(k: number, x: Float64Array, u: Float64Array | undefined, out: CostDerivatives | undefined): number {
    const final = k === this.steps;
    const [nx, { nu }] = [2 * this.nv, this];
    let sum = 0;
    for (const term of this.terms) {
      if (term.final !== final || (term.control && u === undefined)) continue;
      const weight = final ? term.weight : term.weight * this.timeStep;
      const d = (term.control ? u! : x)[term.index] - term.target;
      const [value, slope, curvature] = shape(term, d);
      sum += weight * value;
      if (out === undefined) continue;
      const [gradient, hessian, n] = term.control ? [out.u, out.uu, nu] : [out.x, out.xx, nx];
      gradient[term.index] += weight * slope;
      // Negative curvature would make the quadratic model unbounded, and is left out.
      hessian[term.index * (n + 1)] += Math.max(0, weight * curvature);
    }
    return sum;
  }

  private compile(term: CostTerm, name: string): CompiledTerm[] {
    checkNames(name, term, costTermNames);
    if (term.of === "control" && term.when === "final")
      throw new PliantError("invalid-argument", name, term.when, "controls have no cost after the last step");
    const count = term.of === "control" ? this.nu : this.nv;
    const indices = term.indices ?? Array.from({ length: count }, (_, i) => i);
    const numberAt = (given: number | readonly number[], i: number, what: string): number => {
      const value = typeof given === "number" ? given : given[i];
      if (typeof given !== "number" && given.length !== indices.length)
        throw new PliantError(
          "invalid-argument",
          `${name}.${what}`,
          given.length,
          `must hold ${indices.length} numbers`,
        );
      checkFinite(value, `${name}.${what}`);
      return value;
    };
    const scale = term.scale ?? 1;
    if (!(scale > 0)) throw new PliantError("invalid-argument", `${name}.scale`, scale, "must be positive");
    return indices.map((index, i) => {
      if (!(Number.isInteger(index) && index >= 0 && index < count))
        throw new PliantError("index-out-of-range", `${name}.indices`, index, `must be below ${count}`);
      return {
        final: term.when === "final",
        control: term.of === "control",
        index: term.of === "velocity" ? this.nv + index : index,
        target: numberAt(term.target ?? 0, i, "target"),
        weight: numberAt(term.weight, i, "weight"),
        form: term.form ?? "square",
        scale,
      };
    });
  }
}

/** φ, φ', φ'' at d. */
function shape({ form, scale }: CompiledTerm, d: number): readonly [number, number, number] {
  switch (form) {
    case "square":
      return [d * d, 2 * d, 2];
    case "signed-square":
      // The curvature would lead to the flat point in the middle; only the slope leads past it.
      return [d * Math.abs(d), 2 * Math.abs(d), 0];
    case "smooth-distance": {
      const root = Math.hypot(d, scale);
      return [root - scale, d / root, (scale * scale) / root ** 3];
    }
  }
}
