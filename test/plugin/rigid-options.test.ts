import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
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
    t = await testScene({ backend: "webgpu", gpu: (await loadWebGpu()).gpu, rigidLane: "webgpu" });
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

  it("take a quality, and refuse what there is not", async () => {
    t = await testScene({ rigidQuality: "precise" });
    expect([t.plugin.world.rigid.quality, t.plugin.world.rigidLane]).toEqual(["precise", "cpu"]);
    await expect(testScene({ rigidQuality: "best" as "precise" })).rejects.toThrow(/rigidQuality/);
    await expect(testScene({ backend: "cpu", rigidLane: "webgpu" })).rejects.toThrow(/rigidLane/);
  });
});
