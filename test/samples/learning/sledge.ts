import { expect } from "vitest";
import type { Environment, Outcome } from "../../../samples/learning/environment";
import { Network } from "../../../samples/learning/policy";
import { evaluate } from "../../../samples/learning/rollout";
import { mulberry } from "../../../samples/random";

/** A mass that is pushed along a line, and earns most at rest at 0. */
export class Sledge {
  readonly observationSize = 2;
  readonly actionSize = 1;
  readonly stateSize = 2;
  readonly horizon = 20;
  x = 0;
  v = 0;

  reset(random: () => number): void {
    this.x = 2 * random() - 1;
    this.v = 0;
  }

  observe(out: Float64Array): void {
    out.set([this.x, this.v]);
  }

  pullObservation(observation: Float64Array, state: Float64Array): void {
    state.forEach((_, i) => (state[i] += observation[i]));
  }

  slide(push: number): Outcome {
    this.v += 0.3 * push;
    this.x += 0.3 * this.v;
    return { reward: -this.x * this.x - 0.05 * push * push, ended: Math.abs(this.x) > 3 };
  }
}

/**
 * Expects that training brings a sledge to rest nearly as well as the best linear rule, and gives the same policy each time.
 *
 * @param most largest slopes of the rules
 */
export function expectNearBestRule(sledge: Environment, train: () => Network, most: number): void {
  const returnOf = (actor: Network): number => {
    const returns = evaluate(sledge, actor, 50, mulberry(5));
    return returns.reduce((a, b) => a + b) / returns.length;
  };
  const trained = [train(), train()];
  expect(trained[1].data()).toEqual(trained[0].data());
  const linear = (x: number, v: number): number =>
    returnOf(new Network({ sizes: [2, 1], layers: [Float64Array.of(-x, -v, 0)] }));
  let best = -Infinity;
  for (let x = 0.5; x <= most; x += 0.25) for (let v = 0.5; v <= most; v += 0.25) best = Math.max(best, linear(x, v));
  const [idle, learned] = [linear(0, 0), returnOf(trained[0])];
  console.info(`mean return ${idle.toFixed(2)} idle, ${best.toFixed(2)} at best, ${learned.toFixed(2)} learned`);
  expect(learned - idle).toBeGreaterThan(0.97 * (best - idle));
}
