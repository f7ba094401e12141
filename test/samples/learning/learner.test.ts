import { grad, numpy as np } from "@jax-js/jax";
import { beforeAll, describe, expect, it } from "vitest";
import { normal } from "../../../samples/learning/environment";
import {
  logProbabilityOf,
  lossOf,
  networkOf,
  prepareLearning,
  type Batch,
  type Learned,
} from "../../../samples/learning/learner";
import { Network } from "../../../samples/learning/policy";
import { mulberry } from "../../../samples/random";

beforeAll(prepareLearning);

/** Arrays of one problem as numbers in rows: the policy in f64 is the reference for the library, which calculates in f32. */
class Problem {
  readonly observations: Float32Array;
  readonly actions: Float32Array;
  readonly advantages: Float32Array;
  readonly layers: Float64Array[];
  readonly logSpread: Float64Array;

  constructor(
    readonly sizes: readonly number[],
    readonly rows: number,
    seed: number,
  ) {
    const random = mulberry(seed);
    const numbers = (length: number): Float32Array => Float32Array.from({ length }, () => 0.5 * normal(random));
    this.observations = numbers(rows * sizes[0]);
    this.actions = numbers(rows * sizes.at(-1)!);
    this.advantages = numbers(rows);
    this.layers = sizes.slice(1).map((width, k) => Float64Array.from(numbers((sizes[k] + 1) * width)));
    this.logSpread = Float64Array.from(numbers(sizes.at(-1)!));
  }

  /** log π for each row, by the formula of the density. */
  logProbabilities(): number[] {
    const network = new Network({ sizes: this.sizes, layers: this.layers });
    const [inputs, outputs] = [this.sizes[0], this.sizes.at(-1)!];
    return Array.from({ length: this.rows }, (_, row) => {
      network.input.set(this.observations.subarray(row * inputs, (row + 1) * inputs));
      const mean = network.run();
      let density = 1;
      for (let k = 0; k < outputs; k++) {
        const spread = Math.exp(this.logSpread[k]);
        const z = (this.actions[row * outputs + k] - mean[k]) / spread;
        density *= Math.exp((-z * z) / 2) / (spread * Math.sqrt(2 * Math.PI));
      }
      return Math.log(density);
    });
  }

  learned(): Learned {
    const actor = this.layers.flatMap((layer, k) => {
      const [from, to] = [this.sizes[k], this.sizes[k + 1]];
      const all = Float32Array.from(layer);
      return [np.array(all.slice(0, from * to)).reshape([from, to]), np.array(all.slice(from * to))];
    });
    const critic = [np.zeros([this.sizes[0], 1]), np.zeros([1])];
    return { actor, logSpread: np.array(Float32Array.from(this.logSpread)), critic };
  }

  batch(logProbabilities: ArrayLike<number>): Batch {
    return {
      observations: this.matrix(this.observations),
      actions: this.matrix(this.actions),
      logProbabilities: np.array(Float32Array.from(logProbabilities)),
      advantages: np.array(this.advantages.slice()),
      worths: np.zeros([this.rows]),
    };
  }

  matrix(values: Float32Array): np.Array {
    return np.array(values.slice()).reshape([this.rows, values.length / this.rows]);
  }

  /** Derivatives of a function of the policy by each weight, bias and spread, from central differences. */
  differences(value: () => number): number[] {
    const change = 1e-5;
    return [...this.layers, this.logSpread].flatMap((array) =>
      Array.from(array, (before, i) => {
        array[i] = before + change;
        const above = value();
        array[i] = before - change;
        const below = value();
        array[i] = before;
        return (above - below) / (2 * change);
      }),
    );
  }
}

/** All numbers of actor and spread, in the order of `differences`. */
function numbersOf({ actor, logSpread }: Learned): number[] {
  return [...actor, logSpread].flatMap((array) => [...array.dataSync()]);
}

function expectNear(found: readonly number[], wanted: readonly number[]): void {
  const scale = Math.max(...wanted.map(Math.abs));
  expect(scale).toBeGreaterThan(1e-3);
  expect(found.length).toBe(wanted.length);
  found.forEach((value, i) => expect(Math.abs(value - wanted[i])).toBeLessThan(2e-5 * scale));
}

describe.each([
  [[3, 4, 1], 5],
  [[5, 8, 8, 2], 16],
  [[1, 3], 7],
])("a policy of %j, for %i rows", (sizes, rows) => {
  const problem = new Problem(sizes, rows, rows);

  it("has the probabilities of its density, and their exact gradients", () => {
    const { actor, logSpread } = problem.learned();
    const means = networkOf(actor, problem.matrix(problem.observations));
    const found = logProbabilityOf(problem.matrix(problem.actions), means, logSpread).js() as number[];
    expectNear(found, problem.logProbabilities());
    const gradient = grad((learned: Learned) =>
      np.sum(
        logProbabilityOf(
          problem.matrix(problem.actions),
          networkOf(learned.actor, problem.matrix(problem.observations)),
          learned.logSpread,
        ),
      ),
    )(problem.learned()) as Learned;
    const sum = (): number => problem.logProbabilities().reduce((a, b) => a + b);
    expectNear(numbersOf(gradient), problem.differences(sum));
  });

  it.each([0.1, 0.3])("has the clipped loss of its ratios (ε = %d)", (clip) => {
    const random = mulberry(7);
    // Ratios on both sides of the bounds, and advantages of both signs.
    const before = problem.logProbabilities().map((value) => value + 0.4 * normal(random));
    const loss = (): number => {
      const terms = problem.logProbabilities().map((now, i) => {
        const [ratio, advantage] = [Math.exp(now - before[i]), problem.advantages[i]];
        return Math.min(ratio * advantage, Math.min(1 + clip, Math.max(1 - clip, ratio)) * advantage);
      });
      return -terms.reduce((a, b) => a + b) / terms.length;
    };
    expect(lossOf(problem.learned(), problem.batch(before), clip).js()).toBeCloseTo(loss(), 5);
    const gradient = grad((learned: Learned) => lossOf(learned, problem.batch(before), clip))(problem.learned());
    expectNear(numbersOf(gradient as Learned), problem.differences(loss));
  });
});
