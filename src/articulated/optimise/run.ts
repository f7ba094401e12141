import { Breather, type RunControl } from "../../tasks/run-control";
import type { Ilqr } from "./ilqr";

/** Progress of an optimization. The arrays are copies. */
export interface TrajectoryProgress {
  readonly iteration: number;
  readonly cost: number;
  /** (steps / hold + 1) × nv, fewer while a beginning of the trajectory is optimized */
  readonly positions: Float64Array;
}

/** `converged`, stopped at `goal`, out of `iterations`, or `canceled`; the result is the best so far in any case */
export type TrajectoryStatus = "converged" | "goal" | "iterations" | "canceled";

/** Options of a run, see `TrajectoryOptions`. */
export interface RunOptions extends RunControl<TrajectoryProgress> {
  readonly escapeSaddles?: boolean;
  readonly tolerance?: number;
  readonly goal?: number;
}

/** Steps of `Run.escape` in units of the controls' scale. */
const SHORTEST_ESCAPE = 2 ** -10;
const LONGEST_ESCAPE = 2 ** 16;
const ESCAPE_FACTOR = 1.5;
/** Part of the cost that a step of `Run.escape` must save. */
const WORTHWHILE = 1e-3;

/** State that both methods share while they run. */
export class Run {
  /** Cost of the first guess, then after each iteration. */
  readonly costs: number[];
  /** Cost now. */
  cost: number;
  readonly breather = new Breather(this.options.signal);
  private readonly tolerance: number = this.options.tolerance ?? 1e-7;
  /** Length of the whole trajectory. */
  private readonly steps: number = this.ilqr.steps;

  constructor(
    private readonly ilqr: Ilqr,
    private readonly nv: number,
    initialCost: number,
    private readonly options: RunOptions,
  ) {
    this.costs = [initialCost];
    this.cost = initialCost;
    this.report();
  }

  get iterations(): number {
    return this.costs.length - 1;
  }

  /** Goes on with another cost of the present controls. */
  measure(cost: number): void {
    this.cost = cost;
    if (this.iterations > 0) this.costs[this.iterations] = cost;
  }

  /** Notes an accepted iteration; returns the status if it was the last one. */
  accepted(cost: number): TrajectoryStatus | undefined {
    const before = this.cost;
    this.costs.push(cost);
    this.cost = cost;
    this.report();
    const { goal } = this.options;
    if (goal !== undefined && cost <= goal && this.ilqr.steps === this.steps) return "goal";
    return this.isSmall(before - cost, before) ? "converged" : undefined;
  }

  /** Whether a change of the cost is none worth an iteration. */
  isSmall(change: number, cost: number): boolean {
    return change <= this.tolerance * Math.abs(cost);
  }

  /** Computes ∂J/∂u by the cheapest available method, with pauses. */
  async gradient(out: Float64Array, escapeSaddles = false): Promise<void> {
    const { ilqr } = this;
    if (!ilqr.canPullBack) {
      await this.linearise();
      ilqr.gradient(out);
      return;
    }
    for (let k = ilqr.steps; k >= 0; k--) {
      ilqr.expandCost(k);
      ilqr.pullBack(k, out, escapeSaddles);
      await this.breathe();
    }
  }

  /**
   * Continues from a point at which the true gradient vanishes: along the complementarity-aware gradient, in ever
   * longer steps until the cost falls.
   *
   * @param scale scale of each control
   * @returns the status if that was the last iteration, undefined to continue, false if no step lowers the cost
   */
  async escape(scale: Float64Array): Promise<TrajectoryStatus | undefined | false> {
    const { ilqr } = this;
    if (this.options.escapeSaddles === false || !ilqr.canPullBack) return false;
    const nu = scale.length;
    const gradient = new Float64Array(ilqr.u.length);
    await this.gradient(gradient, true);
    const steepest = gradient.reduce((most, g, i) => Math.max(most, Math.abs(g * scale[i % nu])), 0);
    if (!(steepest > 0)) return false;
    ilqr.feedback.fill(0);
    for (let length = SHORTEST_ESCAPE; length <= LONGEST_ESCAPE; length *= ESCAPE_FACTOR) {
      if (this.breather.canceled) return "canceled";
      for (let i = 0; i < gradient.length; i++)
        ilqr.feedforward[i] = ((-length * gradient[i]) / steepest) * scale[i % nu] ** 2;
      const cost = ilqr.forward(1);
      await this.breathe();
      if (!(cost < this.cost - WORTHWHILE * Math.abs(this.cost))) continue;
      ilqr.accept();
      return this.accepted(cost) === "goal" ? "goal" : undefined;
    }
    return false;
  }

  /** Computes derivatives of all steps, with pauses. */
  async linearise(): Promise<void> {
    for (let k = 0; k <= this.ilqr.steps; k++) {
      this.ilqr.linearise(k);
      await this.breathe();
    }
  }

  /** Pauses if it is time. */
  async breathe(): Promise<void> {
    await this.breather.breathe();
  }

  states(): { positions: Float64Array; velocities: Float64Array } {
    const { ilqr, nv } = this;
    const positions = new Float64Array((ilqr.steps + 1) * nv);
    const velocities = new Float64Array((ilqr.steps + 1) * nv);
    for (let k = 0; k <= ilqr.steps; k++) {
      positions.set(ilqr.x.subarray(2 * nv * k, 2 * nv * k + nv), nv * k);
      velocities.set(ilqr.x.subarray(2 * nv * k + nv, 2 * nv * (k + 1)), nv * k);
    }
    return { positions, velocities };
  }

  private report(): void {
    const { onProgress } = this.options;
    onProgress?.({ iteration: this.iterations, cost: this.cost, positions: this.states().positions });
  }
}
