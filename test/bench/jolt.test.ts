import { describe, expect, it } from "vitest";
import { joltSolidContestant } from "../../bench/gpbd/jolt-solid";
import { joltContestant } from "../../bench/jolt";
import { resolveParameters } from "../../samples/parameters";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { softCube } from "../../samples/scenes/soft-cube";

describe("Jolt's cloth in the scene with cloth on a sphere", () => {
  it("falls freely at first, and then drapes: it neither stretches out, nor sinks in, nor slides off", async () => {
    const values = resolveParameters(clothOnSphere, { resolution: 16 });
    for (const bending of [false, true]) {
      const jolt = await joltContestant(clothOnSphere, values, { iterations: 24, bending });
      await jolt.frame();
      const { rmsSpeed } = await jolt.measure();
      expect(rmsSpeed).toBeCloseTo(9.81 / 60, 2);
      for (let frame = 1; frame < 300; frame++) await jolt.frame();
      const rest = await jolt.measure();
      expect(rest.rmsSpeed).toBeLessThan(0.05);
      expect(rest.maxPenetration).toBeLessThan(1e-3);
      expect(rest.maxStretchPercent).toBeGreaterThan(0.1);
      expect(rest.maxStretchPercent).toBeLessThan(8);
      jolt.dispose();
    }
  });
});

it("Jolt's springs carry the soft cube, a little softer than the material", async () => {
  const jolt = await joltSolidContestant(softCube, resolveParameters(softCube, { cells: 5 }), 20);
  await jolt.frame();
  const { rmsSpeed } = await jolt.measure();
  expect(rmsSpeed).toBeGreaterThan(0.01);
  for (let frame = 1; frame < 120; frame++) await jolt.frame();
  const rest = await jolt.measure();
  expect(rest.rmsSpeed).toBeLessThan(0.01);
  expect(rest.heightLossPercent).toBeGreaterThan(1.5);
  expect(rest.heightLossPercent).toBeLessThan(3.5);
  jolt.dispose();
});
