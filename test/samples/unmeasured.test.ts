import { describe, expect, it } from "vitest";
import { resolveParameters, numberOf } from "../../samples/parameters";
import type { SceneDefinition } from "../../samples/scene";
import { balloon } from "../../samples/scenes/balloon";
import { foldedCloth } from "../../samples/scenes/folded-cloth";
import { softBeam } from "../../samples/scenes/soft-beam";
import { World } from "../../src/index";

type Values = Parameters<typeof resolveParameters>[1];

/** Positions of all particles after a run with or without its running metrics. */
async function run(scene: SceneDefinition, chosen: Values, frames: number, isMeasured: boolean): Promise<Float64Array> {
  const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
  try {
    const values = resolveParameters(scene, chosen);
    const dt = numberOf(values, "frameTime");
    const instance = await scene.build(world, values);
    for (let frame = 1; frame <= frames; frame++) {
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
      await instance.steer?.();
      if (isMeasured) await instance.afterStep?.(frame);
    }
    const states = await Promise.all(world.bodies.map((body) => body.readPositions()));
    return Float64Array.from(states.flatMap((positions) => [...positions]));
  } finally {
    world.dispose();
  }
}

/** Scenes that examine their bodies and decide the next action by them. */
const steered: readonly [SceneDefinition, Values, number][] = [
  [foldedCloth, { resolution: 8, folds: 1 }, 40],
  [softBeam, { cells: 2, substeps: 4 }, 40],
  [balloon, { shape: "cushion", subdivisions: 1 }, 50],
];

describe("a scene that nobody measures", () => {
  it.each(steered)("$name moves as the measured one", async (scene, values, frames) => {
    const seen = await run(scene, values, frames, true);
    const unseen = await run(scene, values, frames, false);
    expect(unseen).toEqual(seen);
    expect(Math.max(...unseen)).toBeGreaterThan(Math.min(...unseen));
  });

  it("folds the cloth in half", async () => {
    const positions = await run(foldedCloth, { resolution: 8, folds: 1 }, 100, false);
    const x = positions.filter((_, i) => i % 3 === 0);
    expect(Math.max(...x) - Math.min(...x)).toBeLessThan(0.6);
  });
});
