import { describe, expect, it } from "vitest";
import { runScene } from "../../samples/run-scene";
import { pair } from "../../samples/scenes/pair";

type Pair = readonly [lower: string, upper: string];

const strike = async ([lower, upper]: Pair) => {
  const parameters = { trial: "impact", lower, upper };
  return (await runScene(pair, { parameters, frames: 30, backend: "cpu" })).metrics;
};

// All other pairs of `npm run --silent scene -- pair --set trial=impact` pass, too, except for those of docs/limits.md.
describe("what strikes something in free space keeps momentum, and gets no energy of nothing", () => {
  it.each<Pair>([
    ["box", "mechanism"],
    ["hull", "rope"],
    ["mesh", "cloth"],
    ["cloth", "sheet"],
    ["sheet", "local-global-solid"],
    ["rope", "balloon"],
    ["gpbd-solid", "newton-solid"],
    ["newton-solid", "newton-solid"],
    ["local-global-solid", "newton-solid"],
  ])("%s, struck by %s", async (...both) => {
    const metrics = await strike(both);
    expect(metrics.momentumError).toBeLessThan(1e-6);
    expect(metrics.angularError).toBeLessThan(1e-3);
    if (!both.includes("balloon")) expect(metrics.energyRatio).toBeLessThan(1);
    expect(metrics.maxPenetration).toBeLessThan(1e-3);
    expect(metrics.crossings).toBe(0);
  });
});
