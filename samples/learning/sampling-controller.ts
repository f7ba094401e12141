import type { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { PliantError } from "../../src/errors";
import { normal } from "./environment";

export interface SamplingOptions {
  /** Cost of a state, and of the controls that led to it. */
  cost(q: Float64Array, qd: Float64Array, control: Float64Array): number;
  /** plans that are tried for each decision */
  readonly samples: number;
  /** steps of a plan */
  readonly steps: number;
  /** largest control [N or N m], and deviation of tried controls from the plan as a part of it */
  readonly limit: number;
  readonly spread: number;
  /** part of the deviation that carries over to the next step of a plan, 0 to 1 */
  readonly smoothness: number;
  /** decides how much better plans count more: 0 for the best one alone, in units of the spread of the costs */
  readonly temperature: number;
  /** coordinates that are driven */
  readonly driven: readonly number[];
  /** numbers in [0, 1) */
  random(): number;
}

/** Deviation of every other plan, as a part of that of the rest. */
const NEAR = 0.2;

/**
 * Model-predictive control by sampling (MPPI, Williams et al. 2017, algorithm 2): each decision simulates many plans of controls near the
 * last one, averages them with weights exp(−cost / λ), and follows the first step of the mean. It needs no derivative and no training.
 */
export class SamplingController {
  /** the plan: steps × driven coordinates */
  readonly plan: Float64Array;
  private readonly tried: Float64Array[];
  private readonly costs: Float64Array;
  private readonly q: Float64Array;
  private readonly qd: Float64Array;
  private readonly control: Float64Array;
  private readonly deviation: Float64Array;

  /** @param model with the time step of the plans; its own state is not used */
  constructor(
    private readonly model: ArticulatedSimulation,
    private readonly options: SamplingOptions,
  ) {
    const { samples, steps, driven } = options;
    this.plan = new Float64Array(steps * driven.length);
    this.tried = Array.from({ length: samples }, () => this.plan.slice());
    this.costs = new Float64Array(samples);
    this.q = new Float64Array(model.nv);
    this.qd = new Float64Array(model.nv);
    this.control = new Float64Array(model.nv);
    this.deviation = new Float64Array(driven.length);
  }

  /**
   * @param q state of the mechanism, and its velocities
   * @param elapsed time since the last decision [s]
   * @param out controls, nv numbers; those of driven coordinates are written
   */
  decide(q: Float64Array, qd: Float64Array, elapsed: number, out: Float64Array): void {
    const { plan, tried, costs, options } = this;
    this.shift(elapsed / this.model.timeStep);
    tried.forEach((trial, k) => {
      // The plan as it is, and plans far from it and near: swinging up takes the former, standing still the latter.
      this.vary(trial, k === 0 ? 0 : options.spread * options.limit * (k % 2 === 0 ? 1 : NEAR));
      costs[k] = this.costOf(trial, q, qd);
    });
    const least = costs.reduce((a, b) => Math.min(a, b), Infinity);
    if (least < Infinity) this.average(least);
    options.driven.forEach((coordinate, j) => (out[coordinate] = plan[j]));
  }

  /** Makes the plan the weighted mean of those tried. */
  private average(least: number): void {
    const { plan, tried, costs, options } = this;
    let [excess, finite] = [0, 0];
    for (const cost of costs) if (cost < Infinity) [excess, finite] = [excess + cost - least, finite + 1];
    const scale = Math.max(1e-12, (options.temperature * excess) / finite);
    plan.fill(0);
    let total = 0;
    tried.forEach((trial, k) => {
      const weight = Math.exp((least - costs[k]) / scale);
      if (!(weight > 0)) return;
      total += weight;
      for (let i = 0; i < plan.length; i++) plan[i] += weight * trial[i];
    });
    for (let i = 0; i < plan.length; i++) plan[i] /= total;
  }

  /** Moves the plan on by a part of a step, linearly between its steps. */
  private shift(steps: number): void {
    const { plan } = this;
    const width = this.options.driven.length;
    const rows = plan.length / width;
    const before = plan.slice();
    for (let row = 0; row < rows; row++) {
      const at = Math.min(rows - 1, row + steps);
      const low = Math.floor(at);
      const high = Math.min(rows - 1, low + 1);
      for (let j = 0; j < width; j++) {
        const value = before[low * width + j];
        plan[row * width + j] = value + (at - low) * (before[high * width + j] - value);
      }
    }
  }

  /** A plan near the present one, within the limits. */
  private vary(trial: Float64Array, spread: number): void {
    const { plan, deviation } = this;
    const { limit, smoothness, random } = this.options;
    const { length: width } = deviation;
    const fresh = Math.sqrt(1 - smoothness ** 2);
    for (let j = 0; j < width; j++) deviation[j] = spread * normal(random);
    for (let i = 0; i < plan.length; i++) {
      const j = i % width;
      if (i >= width) deviation[j] = smoothness * deviation[j] + fresh * spread * normal(random);
      trial[i] = Math.min(limit, Math.max(-limit, plan[i] + deviation[j]));
    }
  }

  private costOf(trial: Float64Array, fromQ: Float64Array, fromQd: Float64Array): number {
    const { q, qd, control, model } = this;
    const { driven, cost } = this.options;
    q.set(fromQ);
    qd.set(fromQd);
    let total = 0;
    try {
      for (let i = 0; i < trial.length; i += driven.length) {
        for (let j = 0; j < driven.length; j++) control[driven[j]] = trial[i + j];
        model.advance(q, qd, control, q, qd);
        total += cost(q, qd, control);
      }
    } catch (error) {
      // A plan that leads nowhere is merely a bad plan.
      if (error instanceof PliantError) return Infinity;
      throw error;
    }
    return total;
  }
}
