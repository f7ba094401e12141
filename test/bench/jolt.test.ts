import { describe, expect, it } from "vitest";
import { hangingCloth } from "../../bench/cloth/hanging-cloth";
import { rapierClothContestant } from "../../bench/cloth/rapier-cloth";
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

it("cloth that two corners hold hangs from them with every peer, with the fabric's stiffness as far as sweeps carry it", async () => {
  const values = resolveParameters(hangingCloth, { resolution: 8 });
  const few = { iterations: 8, bending: true };
  const contestants = [
    await joltContestant(hangingCloth, values, few),
    await joltContestant(hangingCloth, values, { ...few, longRange: true }),
    await joltContestant(hangingCloth, values, { ...few, iterations: 64 }),
    await rapierClothContestant(hangingCloth, values, 8),
  ];
  const measured: Record<string, number>[] = [];
  for (const contestant of contestants) {
    for (let frame = 0; frame < 120; frame++) await contestant.frame();
    measured.push(await contestant.measure());
    contestant.dispose();
  }
  for (const { rmsSpeed, sagPercent, maxStretchPercent, meanStretchPercent } of measured) {
    expect(rmsSpeed).toBeLessThan(0.1);
    expect(Math.abs(sagPercent)).toBeLessThan(8);
    expect(meanStretchPercent).toBeGreaterThan(0.01);
    expect(meanStretchPercent).toBeLessThan(maxStretchPercent / 4);
  }
  const [plain, attached, stiff] = measured.map(({ maxStretchPercent }) => maxStretchPercent);
  expect(attached).toBeLessThan(plain);
  expect(stiff).toBeLessThan(plain / 2);
});
