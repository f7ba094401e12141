import { describe, expect, it } from "vitest";
import { boxTetrahedra, newtonSoftBodyModel } from "../../../src/index";
import type { DeformableBody } from "../../../src/world/body";
import type { World } from "../../../src/world/world";
import { expectWithin } from "../../figures";
import { createWorld } from "../worlds";
import { addFloor, ballAt, frameTime } from "./worlds";

type Build = (world: World) => { bodies: DeformableBody[]; beforeStep?: (frame: number) => void };

/** Runs the same world on either backend. @returns positions after each of `at` frames, all bodies in one list */
async function track(backend: "cpu" | "webgpu", build: Build, at: readonly number[]): Promise<number[][]> {
  const world = await createWorld(backend);
  world.rigid.substeps = 2;
  const { bodies, beforeStep } = build(world);
  const seen: number[][] = [];
  for (let frame = 1; frame <= at.at(-1)!; frame++) {
    beforeStep?.(frame);
    world.step(frameTime);
    expect(world.rigid.softLane).toBe(backend);
    await world.settled();
    if (!at.includes(frame)) continue;
    const states = await Promise.all(bodies.map((body) => body.readState()));
    seen.push(states.flatMap(({ positions }) => [...positions]));
  }
  world.dispose();
  return seen;
}

async function difference(build: Build, at: readonly number[]): Promise<number> {
  const [expected, seen] = [await track("cpu", build, at), await track("webgpu", build, at)];
  return Math.max(...expected.flatMap((values, k) => values.map((value, i) => Math.abs(value - seen[k]![i]!))));
}

const bar = (model: "corotational" | "stable-neo-hookean", z: number, damping = 0) =>
  newtonSoftBodyModel({
    ...boxTetrahedra({ size: [0.4, 0.1, 0.1], cells: [4, 1, 1], center: [0.2, 1, z] }),
    material: { youngsModulus: 2e5, poissonRatio: 0.4, density: 1000, model, damping },
    name: model,
  });

describe("deformable bodies of the Newton solver on the GPU", () => {
  it("hang and swing as on the CPU: bars of both materials", async () => {
    const worst = await difference(
      (world) => ({
        bodies: [bar("corotational", 0), bar("stable-neo-hookean", 0.5, 0.02)].map((model) => {
          const held = [...Array(model.particleCount).keys()].filter((p) => model.positions[3 * p]! < 1e-9);
          return world.addBody(model, { pins: held, damping: 0.1 });
        }),
      }),
      [1, 10, 30],
    );
    expectWithin("bars, webgpu against cpu [m]", worst, 1e-5);
  });

  it("fall, land and come to rest on a floor as on the CPU", async () => {
    const worst = await difference(
      (world) => {
        addFloor(world);
        return { bodies: [world.addBody(ballAt([0, 0.16, 0]))] };
      },
      [5, 20, 60],
    );
    expectWithin("ball on a floor, webgpu against cpu [m]", worst, 1e-4);
  });
});
