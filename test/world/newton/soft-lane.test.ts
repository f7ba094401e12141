import { describe, expect, it } from "vitest";
import { boxTetrahedra, fabrics, gridMesh, clothModel, ropeModel, solidModel } from "../../../src/index";
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
  return Math.max(...expected.flatMap((values, k) => values.map((value, i) => Math.abs(value - seen[k][i]))));
}

const bar = (model: "corotational" | "stable-neo-hookean", z: number, damping = 0) =>
  solidModel({
    solver: "newton",
    ...boxTetrahedra({ size: [0.4, 0.1, 0.1], cells: [4, 1, 1], center: [0.2, 1, z] }),
    elements: "linear",
    material: { youngsModulus: 2e5, poissonRatio: 0.4, density: 1000, model, damping },
    name: model,
  });

describe("deformable bodies of the Newton solver on the GPU", () => {
  it("hang and swing as on the CPU: bars of both materials", async () => {
    const worst = await difference(
      (world) => ({
        bodies: [bar("corotational", 0), bar("stable-neo-hookean", 0.5, 0.02)].map((model) => {
          const held = [...Array(model.particleCount).keys()].filter((p) => model.positions[3 * p] < 1e-9);
          return world.addBody(model, { pins: held, damping: 0.1 });
        }),
      }),
      [1, 12],
    );
    expectWithin("bars, webgpu against cpu [m]", worst, 1e-5);
  });

  it("hang on springs that move, and are held exactly afterwards", async () => {
    const model = bar("corotational", 0);
    const held = [...Array(model.particleCount).keys()].filter((p) => model.positions[3 * p] < 1e-9);
    const worst = await difference(
      (world) => {
        const body = world.addBody(model, { pins: held, pinCompliance: 1e-3, damping: 0.1 });
        const beforeStep = (frame: number): void => {
          const [x, y, z] = [0, 1, 2].map((c) => model.positions[3 * held[0] + c]);
          body.setPinTarget(held[0], x - 0.002 * frame, y, z);
          if (frame === 8) body.pin(held);
        };
        return { bodies: [body], beforeStep };
      },
      [1, 6, 12],
    );
    expectWithin("bar on springs, webgpu against cpu [m]", worst, 1e-5);
  });

  it("fall, land and come to rest on a floor as on the CPU", async () => {
    const worst = await difference(
      (world) => {
        addFloor(world);
        return { bodies: [world.addBody(ballAt([0, 0.16, 0]))] };
      },
      [5, 20, 30],
    );
    expectWithin("ball on a floor, webgpu against cpu [m]", worst, 1e-4);
  });

  it("are carried by a body that moves: cloth", async () => {
    const worst = await difference(
      (world) => {
        const carrier = world.addRigidBody({
          motion: "kinematic",
          shape: { type: "box", halfExtents: [0.3, 0.05, 0.3] },
          friction: 0.8,
        });
        const sheet = gridMesh({ width: 0.4, height: 0.4, columns: 3, rows: 3 });
        const lying = Float64Array.from(sheet.positions, (value, i) => (i % 3 === 1 ? 0.055 : value));
        const cloth = clothModel({ solver: "newton", ...sheet, positions: lying, fabric: fabrics.denim });
        return {
          bodies: [world.addBody(cloth)],
          beforeStep: (frame) => carrier.moveTo([0.002 * frame, 0, 0], [0, 0, 0, 1]),
        };
      },
      [1, 12],
    );
    expectWithin("cloth, webgpu against cpu [m]", worst, 1e-4);
  });

  it("drape: a rope", async () => {
    const points = Float64Array.from({ length: 15 }, (_, i) => (i % 3 === 0 ? 0.1 * Math.floor(i / 3) : i % 3));
    const rope = ropeModel({
      solver: "newton",
      positions: points,
      radius: 0.01,
      youngsModulus: 1e6,
      density: 900,
      bendingStiffness: 0.02,
    });
    const worst = await difference((world) => ({ bodies: [world.addBody(rope, { pins: [0] })] }), [1, 12]);
    expectWithin("rope, webgpu against cpu [m]", worst, 1e-4);
  });

  it("go to the CPU where something fits between their particles, and back", async () => {
    const world = await createWorld("webgpu");
    world.addBody(ballAt([0, 5, 0]));
    for (const radius of [0.01, 10]) {
      const shape = { type: "sphere", radius } as const;
      for (const add of [() => world.addCollider(shape), () => world.addRigidBody({ motion: "kinematic", shape })]) {
        const obstacle = add();
        world.step(frameTime);
        expect(world.rigid.softLane).toBe(radius < 1 ? "cpu" : "webgpu");
        obstacle.dispose();
      }
    }
    world.dispose();
  });

  it("go to the CPU when there is something that they could push, and back; states are written and kept", async () => {
    const world = await createWorld("webgpu");
    const first = world.addBody(ballAt([0, 5, 0]));
    for (let k = 0; k < 3; k++) world.step(frameTime);
    // Another body needs other tables. The body that kept falling keeps its state, although nobody has read it back.
    const second = world.addBody(ballAt([1, 5, 0]));
    for (let k = 0; k < 3; k++) world.step(frameTime);
    const fallen = (n: number): number => (-9.81 * frameTime * frameTime * n * (n + 1)) / 2;
    const dropOf = async (body: DeformableBody): Promise<number> =>
      (await body.readState()).positions[1] - body.model.positions[1];
    expect(await dropOf(first)).toBeCloseTo(fallen(6), 5);
    expect(await dropOf(second)).toBeCloseTo(fallen(3), 5);
    const box = world.addRigidBody({ shape: { type: "sphere", radius: 0.1 }, mass: 1, position: [0, 50, 0] });
    expect(world.rigid.softLane).toBe("cpu");
    world.step(frameTime);
    expect(await dropOf(first)).toBeCloseTo(fallen(7), 5);
    box.dispose();
    expect(world.rigid.softLane).toBe("webgpu");
    world.step(frameTime);
    expect(await dropOf(first)).toBeCloseTo(fallen(8), 5);
    second.writeState({ positions: second.model.positions });
    first.dispose();
    world.step(frameTime);
    expect(await dropOf(second)).toBeCloseTo(fallen(1), 6);
    expect((await world.frozenBodies()).size).toBe(0);
    // A state that leads to non-finite numbers.
    const far = second.model.positions.map((_, i) => (i % 2 === 0 ? 3e38 : -3e38));
    second.writeState({ positions: far, velocities: far });
    world.step(frameTime);
    await world.settled();
    world.step(frameTime);
    expect([...(await world.frozenBodies()).keys()]).toEqual([second]);
    world.dispose();
  });
});
