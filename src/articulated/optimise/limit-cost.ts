import type { ArticulatedModel } from "../model";
import type { TrajectoryCost } from "./cost/cost";
import type { CostDerivatives } from "./cost/moments";

/** A cost to which those of coordinates beyond their limits can be added: w (way beyond / size)² for each coordinate and moment. */
export class LimitCost implements TrajectoryCost {
  /** w */
  weight = 0;
  /** Coordinates with limits. */
  private readonly dofs: Int32Array;
  /** Half the range of each coordinate; the way from its start to the limit if there is one alone [rad or m]. */
  private readonly sizes: Float64Array;

  constructor(
    private readonly cost: TrajectoryCost,
    private readonly model: ArticulatedModel,
  ) {
    const { lower, upper, initialPosition: start } = model;
    this.sizes = lower.map((low, k) => {
      const half = (upper[k] - low) / 2;
      return Number.isFinite(half) ? half : Math.min(Math.abs(start[k] - low), Math.abs(upper[k] - start[k]));
    });
    const all = Array.from(this.sizes, (size, k) => (size > 0 && Number.isFinite(size) ? k : -1));
    this.dofs = Int32Array.from(all.filter((k) => k >= 0));
  }

  get isNeeded(): boolean {
    return this.dofs.length > 0;
  }

  evaluate(k: number, x: Float64Array, u: Float64Array | undefined, out: CostDerivatives | undefined): number {
    let sum = this.cost.evaluate(k, x, u, out);
    if (this.weight === 0) return sum;
    const nx = x.length;
    for (const i of this.dofs) {
      const beyond = this.beyond(i, x[i]);
      if (beyond === 0) continue;
      const w = this.weight / this.sizes[i] ** 2;
      sum += w * beyond ** 2;
      if (out === undefined) continue;
      out.x[i] += 2 * w * beyond;
      out.xx[i * (nx + 1)] += 2 * w;
    }
    return sum;
  }

  /** Largest way of a coordinate beyond a limit, as a part of its size, in states of nx numbers each. */
  worst(x: Float64Array, nx: number): number {
    let worst = 0;
    for (let at = 0; at < x.length; at += nx)
      for (const i of this.dofs) worst = Math.max(worst, Math.abs(this.beyond(i, x[at + i])) / this.sizes[i]);
    return worst;
  }

  /** Way beyond the upper limit, less that below the lower one. */
  private beyond(i: number, q: number): number {
    const { lower, upper } = this.model;
    return Math.max(0, q - upper[i]) - Math.max(0, lower[i] - q);
  }
}
