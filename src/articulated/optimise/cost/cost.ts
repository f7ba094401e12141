import { invalid } from "../../../errors";
import { LinkTerms, type LinkTerm } from "./link-terms";
import type { CostDerivatives, CostSetting } from "./moments";
import { compileStateTerm, shapeOf, type CompiledStateTerm, type StateTerm } from "./state-term";

/** The cost of a trajectory: J = Σₖ ℓ(xₖ, uₖ) + ℓ_f(x_N) with x = (q, q̇). */
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
 * A cost as plain data, so that it can be sent to a worker: a sum of terms of coordinates, velocities and controls, and of points and
 * directions of links.
 */
export type CostTerm = StateTerm | LinkTerm;

/** A cost given as data. */
export class TermCost implements TrajectoryCost {
  private readonly terms: readonly CompiledStateTerm[];
  private readonly links: LinkTerms | undefined;

  /**
   * @param terms terms that are summed up
   * @throws PliantError for an index out of range, unknown links, lists of different lengths, numbers that are not finite
   */
  constructor(
    terms: readonly CostTerm[],
    private readonly setting: CostSetting,
  ) {
    if (terms.length === 0) throw invalid("cost", 0, "must have at least one term");
    this.terms = terms.flatMap((term, i) => (isLinkTerm(term) ? [] : compileStateTerm(term, `cost[${i}]`, setting)));
    if (terms.some(isLinkTerm)) this.links = new LinkTerms(terms, setting);
  }

  evaluate(k: number, x: Float64Array, u: Float64Array | undefined, out: CostDerivatives | undefined): number {
    const { nv, nu } = this.setting;
    const nx = 2 * nv;
    let sum = this.links?.evaluate(k, x, out) ?? 0;
    for (const term of this.terms) {
      const weight = term.factors[k];
      if (weight === 0 || (term.control && u === undefined)) continue;
      const d = (term.control ? u! : x)[term.index] - term.target;
      const [value, slope, curvature] = shapeOf(term, d);
      const w = weight * term.weight;
      sum += w * value;
      if (out === undefined) continue;
      const [gradient, hessian, n] = term.control ? [out.u, out.uu, nu] : [out.x, out.xx, nx];
      gradient[term.index] += w * slope;
      // Negative curvature would make the quadratic model unbounded, and is left out.
      hessian[term.index * (n + 1)] += Math.max(0, w * curvature);
    }
    return sum;
  }
}

function isLinkTerm(term: CostTerm): term is LinkTerm {
  return "link" in term;
}
