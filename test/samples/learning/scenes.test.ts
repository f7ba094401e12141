import { describe, expect, it } from "vitest";
import { sampledCartpole } from "../../../samples/scenes/sampled-cartpole";
import { learnedCheetah } from "../../../samples/scenes/learned-cheetah";
import { learnedCartpole } from "../../../samples/scenes/learned-cartpole";
import { defaultValues } from "../../../samples/parameters";
import type { ParameterValues, SceneDefinition, SceneInstance } from "../../../samples/scene";
import { World } from "../../../src/index";

const DT = 1 / 60;

async function built(scene: SceneDefinition, values: ParameterValues): Promise<SceneInstance> {
  const world = await World.create({ backend: "cpu" });
  return scene.build(world, { ...defaultValues(scene), ...values });
}

function run(instance: SceneInstance, frames: number, from = 0): void {
  for (let frame = from; frame < from + frames; frame++) instance.beforeStep!(frame * DT, DT);
}

describe("the learned cart-pole", () => {
  it.each([0.005, 0.01, 0.025])("swings up and catches pushes from new starts, in steps of %d s", async (timeStep) => {
    const bounds = new Map(learnedCartpole.metrics.map(({ name, bound }) => [name, bound]));
    const starts = timeStep < 0.01 ? 8 : 24;
    let [pushes, slowest, slowestCatch, left] = [0, 0, 0, 0];
    for (let seed = 1000; seed < 1000 + starts; seed++) {
      const instance = await built(learnedCartpole, { seed, timeStep });
      run(instance, learnedCartpole.frames);
      const metrics = await instance.measure();
      pushes += metrics.pushed;
      slowest = Math.max(slowest, metrics.swingUp);
      slowestCatch = Math.max(slowestCatch, metrics.slowestCatch);
      if (metrics.farthest > bounds.get("farthest")!) left++;
    }
    console.info(
      `${starts} starts, ${left} left the rail, ${pushes} pushes, swing-up ${slowest.toFixed(1)} s, catch ${slowestCatch.toFixed(1)} s`,
    );
    expect(slowest).toBeLessThan(bounds.get("swingUp")!);
    expect(slowestCatch).toBeLessThan(bounds.get("slowestCatch")!);
    expect(pushes).toBeGreaterThan(2 * starts);
    // Nothing stops a cart at the end of the rail; training only ended its episode.
    expect(left).toBeLessThanOrEqual(starts / 10);
  });

  it("gives way to a pull at the tip, and stands again after it", async () => {
    const instance = await built(learnedCartpole, { pushes: false });
    run(instance, 720);
    const [handle] = instance.handles!;
    const before = handle.position[0];
    handle.target = [before + 0.5, handle.position[1], 0];
    run(instance, 30, 720);
    expect(handle.position[0]).toBeGreaterThan(before + 0.05);
    handle.target = undefined;
    run(instance, 600, 750);
    expect(handle.position[1]).toBeGreaterThan(0.99);
  });
});

it.each([0.005, 0.01])("the learned half-cheetah runs from new starts, in steps of %d s", async (timeStep) => {
  for (let seed = 1000; seed < 1004; seed++) {
    const instance = await built(learnedCheetah, { seed, timeStep });
    run(instance, learnedCheetah.frames);
    const metrics = await instance.measure();
    for (const { name, bound = Infinity } of learnedCheetah.metrics) expect(metrics[name], name).toBeLessThan(bound);
    expect(metrics.hundred).toBeGreaterThan(5);
  }
});

describe("the sampled cart-pole", () => {
  it("follows a goal that changes while it runs", async () => {
    const values: Record<string, number | boolean> = {
      ...(defaultValues(sampledCartpole) as Record<string, number | boolean>),
      pushes: false,
      samples: 24,
      seed: 4,
    };
    const world = await World.create({ backend: "cpu" });
    const instance = await sampledCartpole.build(world, values);
    run(instance, 270);
    values.goal = 1.5;
    run(instance, 210, 270);
    expect(instance.handles![0].position[0]).toBeGreaterThan(0.9);
    expect(instance.handles![0].position[1]).toBeGreaterThan(0.95);
  });
});
