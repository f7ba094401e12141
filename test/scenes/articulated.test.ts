import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";

/** Sizes that take seconds; `npm run scene` reaches the others. */
const settings: Readonly<Record<string, Readonly<Record<string, ParameterValue>>>> = {
  cartpole: { iterations: 60 },
  "half-cheetah": { iterations: 40 },
  catapult: { iterations: 25 },
  jumpworm: { iterations: 10 },
};

describe("metrics of the articulated scenes within their bounds", () => {
  for (const scene of scenes.filter(({ articulated }) => articulated === true))
    it(scene.name, { timeout: 120_000 }, async () => {
      const { metrics } = await runScene(scene, { parameters: settings[scene.name], backend: "cpu" });
      console.info(scene.name, JSON.stringify(metrics));
      expect(Object.keys(metrics).sort()).toEqual(scene.metrics.map(({ name }) => name).sort());
      const bounded = scene.metrics.filter(({ bound }) => bound !== undefined);
      expect(bounded.length).toBeGreaterThan(0);
      for (const { name, bound } of bounded) expect(metrics[name], name).toBeLessThanOrEqual(bound!);
    });
});

describe("a scene with an optimisation", () => {
  const cartpole = scenes.find(({ name }) => name === "cartpole")!;

  it("by the other method, and with other parameters", { timeout: 120_000 }, async () => {
    const catapult = scenes.find(({ name }) => name === "catapult")!;
    const parameters = { optimiser: "lbfgs", targetX: 1.8, targetY: 2 };
    const { metrics } = await runScene(catapult, { parameters, frames: 2, backend: "cpu" });
    expect(metrics.costRatio).toBeLessThan(0.05);
  });

  it("fails where its problem makes no sense", async () => {
    const parameters = { steps: 500, hold: 7 };
    await expect(runScene(cartpole, { parameters, frames: 2, backend: "cpu" })).rejects.toThrow(/hold.*divisor/);
  });
});
