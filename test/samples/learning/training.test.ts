import { beforeAll, describe, expect, it } from "vitest";
import { CartpoleEnvironment } from "../../../samples/learning/cartpole";
import type { Environment } from "../../../samples/learning/environment";
import { prepareLearning } from "../../../samples/learning/learner";
import { Network } from "../../../samples/learning/policy";
import { trainByPpo, type PpoOptions } from "../../../samples/learning/ppo";
import { evaluate } from "../../../samples/learning/rollout";
import { cartpoleOptions } from "../../../samples/learning/tasks";
import { mulberry } from "../../../samples/random";

beforeAll(prepareLearning);

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

/** Earns most where each number of the action is a linear function of the observation. */
class Echo implements Environment {
  readonly observationSize = 2;
  readonly actionSize = 2;
  readonly horizon = 8;
  private random = mulberry(0);
  private readonly shown = new Float64Array(2);

  reset(random: () => number): void {
    this.random = random;
    this.draw();
  }

  observe(out: Float64Array): void {
    out.set(this.shown);
  }

  act([a, b]: ArrayLike<number> & Iterable<number>): { reward: number; ended: boolean } {
    const reward = -((a - this.shown[1]) ** 2) - (b + 0.5 * this.shown[0]) ** 2;
    this.draw();
    return { reward, ended: false };
  }

  private draw(): void {
    for (let k = 0; k < 2; k++) this.shown[k] = 2 * this.random() - 1;
  }
}

describe("PPO", () => {
  const options: PpoOptions = {
    environments: 8,
    steps: 32,
    passes: 6,
    batch: 64,
    rate: 0.01,
    discount: 0.5,
    trace: 0.9,
    clip: 0.2,
    hidden: [8],
    spread: 0.3,
    decisions: 2500,
  };

  it("learns actions of two numbers, the same from the same seed", () => {
    const trained = [0, 1].map(() =>
      trainByPpo(
        () => new Echo(),
        options,
        mulberry(1),
        () => false,
      ),
    );
    const [first, again] = trained.map((actor) => JSON.stringify(actor.data()));
    expect(again).toBe(first);
    const untrained = new Network({ sizes: [2, 2], layers: [new Float64Array(6)] });
    const before = mean(evaluate(new Echo(), untrained, 50, mulberry(5)));
    const after = mean(evaluate(new Echo(), trained[0], 50, mulberry(5)));
    console.info(`mean return ${before.toFixed(2)} before, ${after.toFixed(2)} after`);
    expect(after).toBeGreaterThan(0.1 * before);
  });

  it("learns by steps whose lengths follow the divergence, from a rate that is too small", () => {
    const [plain, led] = [undefined, 0.05].map((divergence) => {
      const all = { ...options, rate: 3e-4, decisions: 5000, divergence };
      const actor = trainByPpo(
        () => new Echo(),
        all,
        mulberry(1),
        () => false,
      );
      return -mean(evaluate(new Echo(), actor, 50, mulberry(5)));
    });
    console.info(`losses: ${plain.toFixed(2)} by plain steps, ${led.toFixed(2)} by led ones`);
    expect(led).toBeLessThan(0.4 * plain);
  });

  it("leaves the actor alone while the critic alone learns", () => {
    const actors: string[] = [];
    trainByPpo(
      () => new Echo(),
      { ...options, watch: 500 },
      mulberry(1),
      ({ actor }) => actors.push(JSON.stringify(actor.data())) === 4,
    );
    expect(actors[1]).toBe(actors[0]);
    expect(actors[2]).not.toBe(actors[1]);
  });

  it("keeps the pole of a cart up twice as long before 40,000 decisions", () => {
    const returns: number[] = [];
    trainByPpo(
      () => new CartpoleEnvironment("balance"),
      cartpoleOptions.balance,
      mulberry(2),
      ({ decisions, meanReturn }) => {
        returns.push(meanReturn);
        return meanReturn > 2 * returns[0] || decisions > 40_000;
      },
    );
    console.info(`mean returns ${returns.map((value) => value.toFixed(0)).join(" ")}`);
    expect(returns.at(-1)).toBeGreaterThan(2 * returns[0]);
  });
});
