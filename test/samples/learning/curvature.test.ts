import { describe, expect, it } from "vitest";
import { findBetterDecisions, type LinearizedDecision } from "../../../samples/learning/backward-pass";
import { trainByCurvature, type CurvatureOptions } from "../../../samples/learning/curvature";
import { normal, type LinearizedEnvironment, type Outcome } from "../../../samples/learning/environment";
import { HalfCheetahEnvironment } from "../../../samples/learning/half-cheetah";
import type { Network } from "../../../samples/learning/policy";
import { evaluate } from "../../../samples/learning/rollout";
import { curvatureOptions } from "../../../samples/learning/tasks";
import { mulberry } from "../../../samples/random";
import { expectNearBestRule, Sledge } from "./sledge";

/** Its controls are tanh of its actions. */
class LinearizedSledge extends Sledge implements LinearizedEnvironment {
  readonly cost = { weights: [1, 0], targets: [0, 0], effort: 0.05 };

  readState(out: Float64Array): void {
    this.observe(out);
  }

  observationOf(state: Float64Array, out: Float64Array): void {
    out.set(state);
  }

  pushObservation(observation: Float64Array, state: Float64Array): void {
    state.set(observation);
  }

  act(action: ArrayLike<number>): Outcome {
    return this.slide(Math.tanh(action[0]));
  }

  actLinearized(controls: Float64Array, byState: Float64Array, byControl: Float64Array): Outcome {
    byState.set([1, 0.3, 0, 1]);
    byControl.set([0.09, 0.3]);
    return this.act([Math.atanh(controls[0])]);
  }
}

describe("better decisions", () => {
  const [count, discount] = [6, 0.9];
  const begin = [0.3, -0.2];
  const sledge = new LinearizedSledge();
  const mean = Float64Array.from({ length: count }, (_, k) => 0.1 * Math.sin(k));
  const slopes = Float64Array.of(-0.4, 0.7);

  /** Plays the sledge with these controls: its decisions, the state at the end, and the cost. */
  function play(controls: (k: number, x: number, v: number) => number): {
    decisions: LinearizedDecision[];
    end: Float64Array;
    cost: number;
  } {
    [sledge.x, sledge.v] = begin;
    let cost = 0;
    const decisions = Array.from({ length: count }, (_, k): LinearizedDecision => {
      const state = Float64Array.of(sledge.x, sledge.v);
      const control = Float64Array.of(controls(k, sledge.x, sledge.v));
      const [a, b] = [new Float64Array(4), new Float64Array(2)];
      cost += discount ** k * (state[0] ** 2 + 0.05 * control[0] ** 2);
      sledge.actLinearized(control, a, b);
      return { state, control, mean: Float64Array.of(mean[k]), slopes, a, b };
    });
    const end = Float64Array.of(sledge.x, sledge.v);
    return { decisions, end, cost: cost + discount ** count * end[0] ** 2 };
  }

  const played = play((k) => mean[k] + 0.05 * Math.cos(3 * k));

  it("are the best ones of a linear step with a quadratic cost", () => {
    const better = findBetterDecisions(played.decisions, played.end, sledge.cost, { discount, price: 0 });
    const { cost, decisions } = play((k, x, v) => {
      const { state } = played.decisions[k];
      const { control, gains } = better[k];
      return control[0] + gains[0] * (x - state[0]) + gains[1] * (v - state[1]);
    });
    expect(Math.max(...decisions.map(({ control }) => Math.abs(control[0])))).toBeLessThan(1);
    expect(cost).toBeLessThan(0.9 * played.cost);
    for (let k = 0; k < count; k++)
      for (const change of [-0.01, 0.01])
        expect(play((l) => decisions[l].control[0] + (l === k ? change : 0)).cost).toBeGreaterThan(cost);
  });

  it("are those of the policy if leaving it has a high price, and keep within the bounds", () => {
    const dear = findBetterDecisions(played.decisions, played.end, sledge.cost, { discount, price: 1e8 });
    dear.forEach(({ control, gains }, k) => {
      expect(control[0]).toBeCloseTo(mean[k], 6);
      gains.forEach((gain, i) => expect(gain).toBeCloseTo(slopes[i], 6));
    });
    const far = { ...sledge.cost, targets: [100, 0] };
    const free = findBetterDecisions(played.decisions, played.end, far, { discount, price: 0 });
    expect(free[0].control[0]).toBe(1);
    expect([...free[0].gains]).toEqual([0, 0]);
  });
});

describe("learning by curvature", () => {
  const options: CurvatureOptions = {
    environments: 2,
    window: 10,
    discount: 0.95,
    price: 0.1,
    memory: 200,
    steps: 40,
    batch: 16,
    rate: 0.01,
    spread: 0.1,
    near: 0.2,
    hidden: [8],
    decisions: 600,
  };
  it("brings a sledge to rest nearly as well as the best linear rule, the same from the same seed", () => {
    const make = (): LinearizedSledge => new LinearizedSledge();
    const train = (): Network => trainByCurvature(make, options, mulberry(1), () => false);
    expectNearBestRule(make(), train, 6);
  });

  it("knows the step of a half-cheetah on the ground, its reward and its derivatives", () => {
    const random = mulberry(4);
    const [environment, twin] = [new HalfCheetahEnvironment(), new HalfCheetahEnvironment()];
    const { stateSize: n, actionSize: m } = environment;
    environment.reset(random);
    const isFlying = (): boolean => environment.simulation.contacts.count === 0;
    for (let k = 0; k < 30 || isFlying(); k++) environment.act(Array.from({ length: m }, () => 0.5 * normal(random)));
    const action = Float64Array.from({ length: m }, () => 0.5 * normal(random));
    const begin = new Float64Array(n);
    environment.readState(begin);
    const after = (change: number, of: number): Float64Array => {
      const start = begin.slice();
      const controls = action.map(Math.tanh);
      if (of < n) start[of] += change;
      else controls[of - n] += change;
      twin.simulation.q.set(start.subarray(0, n / 2));
      twin.simulation.qd.set(start.subarray(n / 2));
      const outcome = twin.act(controls.map(Math.atanh));
      const out = new Float64Array(n + 1);
      twin.readState(out.subarray(0, n));
      out[n] = outcome.reward;
      return out;
    };
    const wanted = after(0, 0);
    const [a, b] = [new Float64Array(n * n), new Float64Array(n * m)];
    const { reward } = environment.actLinearized(action.map(Math.tanh), a, b);
    const end = new Float64Array(n);
    environment.readState(end);
    end.forEach((value, i) => expect(value).toBeCloseTo(wanted[i], 10));
    expect(reward).toBeCloseTo(wanted[n], 8);
    for (let of = 0; of < n + m; of++) {
      const [above, below] = [after(1e-6, of), after(-1e-6, of)];
      for (let i = 0; i < n; i++) {
        const difference = (above[i] - below[i]) / 2e-6;
        const found = of < n ? a[i * n + of] : b[i * m + of - n];
        expect(Math.abs(found - difference)).toBeLessThan(1e-5 * (1 + Math.abs(difference)));
      }
    }
  });

  it.each([1, 2, 3])("runs after 4,200 decisions as far as by PPO after 42,000, from seed %d", (seed) => {
    const environment = new HalfCheetahEnvironment();
    const seen: string[] = [];
    let [best, next] = [-Infinity, 500];
    trainByCurvature(
      () => new HalfCheetahEnvironment(),
      curvatureOptions,
      mulberry(seed),
      ({ decisions, actor }) => {
        if (decisions < next) return false;
        next += 500;
        const returns = evaluate(environment, actor, 5, mulberry(777));
        best = Math.max(best, returns.reduce((a, b) => a + b) / returns.length);
        seen.push(`${decisions}: ${best.toFixed(0)}`);
        return best >= 300 || next > 4200;
      },
    );
    console.info(`best mean return after decisions, ${seen.join(", ")}`);
    expect(best).toBeGreaterThanOrEqual(300);
  });
});
