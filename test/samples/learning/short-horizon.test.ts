import { describe, expect, it } from "vitest";
import { normal, type DifferentiableEnvironment, type Outcome } from "../../../samples/learning/environment";
import { HalfCheetahEnvironment } from "../../../samples/learning/half-cheetah";
import { Network } from "../../../samples/learning/policy";
import { trainByGradients, type ShortHorizonOptions } from "../../../samples/learning/short-horizon";
import { mulberry } from "../../../samples/random";
import { expectNearBestRule, Sledge } from "./sledge";

/** Derivatives of a function by some numbers, from central differences. */
function differences(values: Float64Array, value: () => number): number[] {
  const change = 1e-6;
  return Array.from(values, (before, i) => {
    values[i] = before + change;
    const above = value();
    values[i] = before - change;
    const below = value();
    values[i] = before;
    return (above - below) / (2 * change);
  });
}

function expectNear(found: ArrayLike<number>, wanted: readonly number[]): void {
  const scale = Math.max(...wanted.map(Math.abs));
  expect(scale).toBeGreaterThan(1e-3);
  wanted.forEach((value, i) => expect(Math.abs(found[i] - value)).toBeLessThan(1e-6 * scale));
}

it("a network has the gradients of its outputs by input, weights and biases", () => {
  const random = mulberry(3);
  const sizes = [3, 5, 4, 2];
  const layers = sizes
    .slice(1)
    .map((to, k) => Float64Array.from({ length: (sizes[k] + 1) * to }, () => normal(random)));
  const network = new Network({ sizes, layers });
  const input = Float64Array.from({ length: 3 }, () => normal(random));
  const weights = [0.7, -1.3];
  const value = (): number => {
    network.input.set(input);
    return network.run().reduce((sum, y, i) => sum + weights[i] * y, 0);
  };
  value();
  const gradient = network.layers.map(({ length }) => new Float64Array(length));
  const byInput = Float64Array.from(network.pull(weights, gradient));
  expectNear(byInput, differences(input, value));
  network.layers.forEach((layer, k) => expectNear(gradient[k], differences(layer, value)));
});

it.each([1, 5, 12])("a half-cheetah on the ground has the gradient of its rewards over %d decisions", (decisions) => {
  const random = mulberry(decisions);
  const environment = new HalfCheetahEnvironment();
  const { q, qd, nv } = environment.simulation;
  const action = Float64Array.from({ length: environment.actionSize }, () => normal(random));
  environment.reset(random);
  const isFlying = (): boolean => environment.simulation.contacts.count === 0;
  for (let k = 0; k < 30 || isFlying(); k++) environment.act(action.map(() => 0.5 * normal(random)));
  const start = Float64Array.of(...q, ...qd);
  const goal = Float64Array.from({ length: environment.observationSize }, () => normal(random));
  const seen = new Float64Array(environment.observationSize);
  const value = (): number => {
    q.set(start.subarray(0, nv));
    qd.set(start.subarray(nv));
    let sum = 0;
    for (let k = 0; k < decisions; k++) sum += environment.act(action).reward;
    environment.observe(seen);
    return sum + seen.reduce((total, number, i) => total + goal[i] * number, 0);
  };
  environment.record();
  value();
  const state = new Float64Array(environment.stateSize);
  const [byAction, part] = [new Float64Array(action.length), new Float64Array(action.length)];
  environment.pullObservation(goal, state);
  for (let k = 0; k < decisions; k++) {
    environment.pull(1, state, part);
    part.forEach((number, j) => (byAction[j] += number));
  }
  expectNear(byAction, differences(action, value));
  expectNear(state, differences(start, value));
});

class RecordedSledge extends Sledge implements DifferentiableEnvironment {
  private tape: [x: number, v: number, push: number][] = [];

  act([push]: ArrayLike<number> & Iterable<number>): Outcome {
    this.tape.push([this.x, this.v, push]);
    return this.slide(push);
  }

  record(): void {
    this.tape = [];
  }

  pull(reward: number, state: Float64Array, action: Float64Array): void {
    const [x, v, push] = this.tape.pop()!;
    const after = x + 0.3 * (v + 0.3 * push);
    const byX = state[0] - 2 * after * reward;
    const byV = state[1] + 0.3 * byX;
    action[0] = 0.3 * byV - 0.1 * push * reward;
    state.set([byX, byV]);
  }
}

describe("the short-horizon actor-critic", () => {
  const options: ShortHorizonOptions = {
    environments: 8,
    window: 5,
    rate: 0.02,
    criticRate: 0.01,
    passes: 4,
    batch: 20,
    discount: 0.9,
    trace: 0.9,
    reach: 0.8,
    hidden: [8],
    spread: 0.1,
    follow: 0.3,
    decisions: 6000,
  };
  it("brings a sledge to rest nearly as well as the best linear rule, the same from the same seed", () => {
    const make = (): RecordedSledge => new RecordedSledge();
    const train = (): Network => trainByGradients(make, options, mulberry(1), () => false);
    expectNearBestRule(make(), train, 4);
  });

  it("ends when it is told to, and gives policies that later windows do not change", () => {
    const seen: Network[] = [];
    trainByGradients(
      () => new RecordedSledge(),
      options,
      mulberry(1),
      ({ decisions, actor }) => {
        seen.push(actor);
        return decisions === 80;
      },
    );
    expect(seen.length).toBe(2);
    expect(seen[0].data()).not.toEqual(seen[1].data());
  });
});
