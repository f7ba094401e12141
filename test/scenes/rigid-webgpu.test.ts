import { describe, expect, it } from "vitest";
import { runScene, type SceneResult } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { scenes } from "../../samples/scenes/index";
import { expectWithin } from "../figures";
import { sharedDevice } from "../world/worlds";

/** A run on the GPU lane, at a length for a software adapter. */
async function run(
  name: string,
  frames?: number,
  parameters?: Readonly<Record<string, ParameterValue>>,
): Promise<SceneResult> {
  const scene = scenes.find((candidate) => candidate.name === name)!;
  return runScene(scene, { parameters, frames, backend: "webgpu", device: await sharedDevice() });
}

describe("scenes of rigid bodies keep within their bounds on webgpu", () => {
  it.each([
    ["heavy-stack", 60],
    ["tower", 45],
    ["beam", 180],
    ["arch", 12],
  ])("%s, %i frames", async (name, frames) => {
    const { metrics, backend } = await run(name, frames);
    expect(backend).toBe("webgpu");
    const bounded = scenes.find((scene) => scene.name === name)!.metrics.filter(({ bound }) => bound !== undefined);
    expect(bounded.length).toBeGreaterThan(0);
    for (const { name: metric, bound } of bounded) expectWithin(`${name}, ${metric}`, metrics[metric], bound!);
    if ("standing" in metrics) expect(metrics.standing).toBe(1);
  });
});

describe("deformable bodies in one system with rigid ones, on webgpu", () => {
  it("material-extension: the neo-Hookean bar keeps its volume, and both come to rest", async () => {
    const { metrics } = await run("material-extension", undefined, { cells: 6 });
    expectWithin("material-extension, lossRatio", metrics.lossRatio, 1 / 3);
    expectWithin("material-extension, speed", metrics.speed, 1e-3);
    expect(metrics.linearLoss).toBeGreaterThan(0.2);
  });

  it("tomato: a soft ball is gripped by two jaws, lifted, and does not slip", async () => {
    const { metrics } = await run("tomato", 48, { resolution: 2 });
    expectWithin("tomato, slip", metrics.slip, 2e-3);
    expect(metrics.slip).toBeGreaterThan(0);
    expect(metrics.lift).toBeGreaterThan(0.04);
  });
});

describe("a box on a slope, on webgpu", () => {
  it.each([
    [10, 0, 0],
    [35, 37, 20],
  ])("sticks a thousandth above tan %d° and slides one below, falling towards %d°", async (angle, yaw, turn) => {
    const critical = Math.tan((angle * Math.PI) / 180);
    const sticking = (await run("stick-slip", 120, { angle, yaw, turn, friction: critical + 1e-3 })).metrics;
    expect(Math.abs(sticking.slideDistance)).toBeLessThan(1e-3);
    const sliding = (await run("stick-slip", 120, { angle, yaw, turn, friction: critical - 1e-3 })).metrics;
    expect(sliding.slideDistance).toBeGreaterThan(1e-3);
    const fast = (await run("stick-slip", 60, { angle, yaw, turn, friction: 0.5 * critical })).metrics;
    expect(fast.slideDistance / fast.expectedDistance).toBeCloseTo(1, 2);
  });
});
