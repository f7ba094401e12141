import { describe, expect, it } from "vitest";
import { yarnEnergy } from "../../bench/stress/elastic";
import { Random } from "../../bench/stress/random";
import { clothModel, fabrics, gridMesh, type FabricName } from "../../src/index";
import { softEnergy } from "./soft-energy";
import { inWorld } from "./worlds";

const GRAVITY = 9.81;
const FRAMES = 14;
const yarns = (Object.keys(fabrics) as FabricName[]).filter((name) => fabrics[name].table !== undefined);
/** Knits curl by themselves: they begin with elastic energy that is not counted. */
const CURL = 0.2;
/** Knits take up to 200 substeps. */
const seedsOf = (fabric: FabricName): number => (fabric === "honeycomb" || fabric === "stockinette" ? 1 : 4);

/** A sheet with two corners held or none falls on a ball. @returns largest energy, as a part of that at the start */
async function largestGain(random: Random, fabric: FabricName, size: number, timeStep: number): Promise<number> {
  const cells = random.whole(4, 10);
  const pins = random.pick([[], [0], [0, cells]]);
  let most = 0;
  await inWorld("cpu", {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [50, 1, 50] }, { position: [0, -1, 0] });
    world.addCollider({ type: "sphere", radius: 0.4 * size }, { position: [0, 0.5 * size, 0] });
    const center = [0, 1.3 * size, 0] as const;
    const mesh = gridMesh({ width: 2 * size, height: 2 * size, columns: cells, rows: cells, center });
    const body = world.addBody(clothModel({ ...mesh, fabric }), { pins });
    const before = (await softEnergy(body, GRAVITY)).potential;
    for (let frame = 0; frame < FRAMES; frame++) {
      world.step(timeStep);
      const { kinetic, potential } = await softEnergy(body, GRAVITY);
      most = Math.max(most, (kinetic + potential) / before);
    }
  });
  return most;
}

describe("yarn-level cloth with the default options", () => {
  it.each(yarns)("gains no energy, whatever its size: %s", async (fabric) => {
    for (let seed = 0; seed < seedsOf(fabric); seed++) {
      const random = new Random(`yarns ${fabric} ${seed}`);
      const size = random.decades(1e-3, 0.1);
      const timeStep = random.pick([1 / 30, 1 / 60]);
      const gain = await largestGain(random, fabric, size, timeStep);
      expect(gain, `${fabric} of ${size} m, seed ${seed}`).toBeLessThan(1.02 + CURL);
    }
  });
});

describe("knits that curl from flat with the default options", () => {
  it.each([
    { fabric: "stockinette", width: 0.012, timeStep: 1 / 60 },
    { fabric: "stockinette", width: 0.02, timeStep: 1 / 240 },
    { fabric: "honeycomb", width: 0.02, timeStep: 1 / 120 },
  ] as const)("have no more energy than they stored: $fabric of $width m, $timeStep s", async (run) => {
    const { fabric, width, timeStep } = run;
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const model = clothModel({ ...gridMesh({ width, height: width, columns: 4, rows: 4 }), fabric });
      const body = world.addBody(model, { airDensity: 0 });
      const stored = yarnEnergy(model, model.positions);
      let least = stored;
      for (let frame = 0; frame < 6; frame++) {
        world.step(timeStep);
        const { positions } = await body.readState();
        const energy = (await softEnergy(body, 0)).kinetic + yarnEnergy(model, positions);
        expect(energy).toBeLessThan(1.02 * stored);
        least = Math.min(least, energy);
      }
      expect(least).toBeLessThan(0.9 * stored);
    });
  });
});
