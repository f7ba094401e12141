import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { ArticulationAggregate, ClothAggregate, PliantError, SoftBodyAggregate } from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene | undefined;
afterEach(() => t?.dispose());

function box(name: string, y: number, mass: number): PhysicsAggregate {
  const mesh = CreateBox(name, { size: name === "floor" ? 4 : 0.2 }, t!.scene);
  mesh.position.y = y;
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass, restitution: 0 }, t!.scene);
}

describe("rigid bodies of a plugin", () => {
  it("are solved on the GPU where that is asked for, obey calls there, and come back while there is cloth", async () => {
    t = await testScene({ backend: "webgpu", gpu: await lentGpu(), rigidLane: "webgpu" });
    const { world } = t.plugin;
    const run = async (frames: number): Promise<void> => {
      for (let frame = 0; frame < frames; frame++) {
        t!.run(1);
        await world.settled();
      }
    };
    box("floor", -2, 0);
    const stack = [0.1, 0.32, 0.54].map((y) => box("box", y, 1));
    expect(world.rigidLane).toBe("webgpu");
    t.run(1);
    // the step is in progress there
    expect(t.plugin.rigid.gpuLane!.lag).toBeGreaterThan(0);
    await run(40);
    stack.forEach(({ transformNode }, i) =>
      expect(Math.abs(transformNode.position.y - 0.1 - 0.2 * i)).toBeLessThan(3e-3),
    );
    // a push of the top one, and a jump of the lowest
    stack[2].body.setLinearVelocity(new Vector3(0, 2, 0));
    await run(6);
    expect(stack[2].transformNode.position.y).toBeGreaterThan(0.6);
    stack[0].transformNode.position.set(1, 0.1, 0);
    stack[0].body.disablePreStep = false;
    await run(2);
    expect(stack[0].transformNode.position.x).toBeCloseTo(1, 2);
    await run(60);
    expect(stack[0].transformNode.position.x).toBeCloseTo(1, 2);
    expect(stack[1].transformNode.position.y).toBeLessThan(0.11);
    const cloth = new ClothAggregate(makeSheet(t.scene, 0.5, 4, 2), {}, t.scene);
    await run(2);
    expect(world.rigidLane).toBe("cpu");
    expect(stack[1].transformNode.position.y).toBeGreaterThan(0.09);
    cloth.dispose();
    await run(2);
    expect(world.rigidLane).toBe("webgpu");
  });

  it("are solved on the CPU while there is a mechanism, which feels them", async () => {
    t = await testScene({ backend: "webgpu", gpu: await lentGpu(), rigidLane: "webgpu" });
    const { world } = t.plugin;
    const table = new ArticulationAggregate(
      {
        name: "table",
        links: [
          {
            name: "plate",
            mass: 3,
            inertia: [1, 1, 1, 0, 0, 0],
            joint: { type: "prismatic", name: "lift", axis: [0, 1, 0], stiffness: 400, damping: 60 },
            shapes: [{ shape: { type: "box", halfExtents: [1, 0.1, 1] } }],
          },
        ],
      },
      {},
      t.scene,
    );
    table.setPosition("lift", -0.1);
    box("box", 0.11, 1);
    const cube = CreateBox("cube", { size: 0.2 }, t.scene);
    cube.position.set(0.4, 0.12, 0);
    const material = { youngsModulus: 1e5, density: 125, resolution: 2 };
    const soft = new SoftBodyAggregate(cube, { solver: "newton", ...material }, t.scene);
    t.run(120);
    expect([world.rigidLane, soft.body.lane]).toEqual(["cpu", "cpu"]);
    // Hooke: a plate of 3 kg, a box and a soft cube of 1 kg
    expect(Math.abs(table.getPosition("lift")[0] + 50 / 400)).toBeLessThan(0.03 * (20 / 400));
    table.dispose();
    t.run(1);
    expect([world.rigidLane, soft.body.lane]).toEqual(["webgpu", "webgpu"]);
  });

  it("take a quality, and refuse what there is not", async () => {
    t = await testScene({ rigidQuality: "precise" });
    expect([t.plugin.world.rigid.quality, t.plugin.world.rigidLane]).toEqual(["precise", "cpu"]);
    await expect(testScene({ rigidQuality: "best" as "precise" })).rejects.toThrow(/rigidQuality/);
    await expect(testScene({ backend: "cpu", rigidLane: "webgpu" })).rejects.toThrow(/rigidLane/);
    const refused = async (options: object): Promise<unknown> => testScene(options).catch((error: unknown) => error);
    for (const [options, message] of [
      [{ rigidLane: "gpu" }, /rigidLane.*webgpu.*"gpu"/],
      [{ rigidQuality: 2 }, /rigidQuality.*balanced.*2/],
      [{ rigidLan: "cpu" }, /rigidLan\b.*rigidLane/],
      [{ rigidquality: "fast" }, /rigidquality.*rigidQuality/],
    ] as const) {
      const error = await refused(options);
      expect(error).toBeInstanceOf(PliantError);
      expect(error).toMatchObject({ code: "invalid-argument" });
      expect((error as PliantError).message).toMatch(message);
    }
  });
});
