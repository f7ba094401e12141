import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let gpu: GPU;
let t: TestScene;

beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
});
afterEach(() => t?.dispose());

const webgpu = (): Promise<TestScene> => testScene({ backend: "webgpu", gpu });

/** Lets readbacks arrive. */
async function settle(): Promise<void> {
  await t.plugin.world.settled();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a device of its own, in Node", () => {
  it("gives the same cloth as the CPU, and shows it", async () => {
    const results: Float32Array[] = [];
    for (const make of [webgpu, () => testScene()]) {
      t = await make();
      const ball = CreateSphere("ball", { diameter: 0.6 }, t.scene);
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0, friction: 0.5 }, t.scene);
      const sheet = makeSheet(t.scene, 1, 8, 0.35);
      // In buckling cloth rounding errors grow by e every sixtieth of a second: thick air keeps two runs comparable.
      // A GPU has no threads, and takes more substeps instead.
      const cloth = new ClothAggregate(sheet, { fabric: "denim", damping: 20, tethers: false }, t.scene);
      t.run(20);
      results.push(await cloth.readPositions());
      if (t.plugin.world.backend === "webgpu") {
        await settle();
        t.run(1);
        await settle();
        t.run(1);
        const shown = sheet.getVerticesData(VertexBuffer.PositionKind)!;
        expect(shown[1] + 0.35).toBeLessThan(0.3);
        expect(sheet.getBoundingInfo().boundingBox.minimumWorld.y).toBeLessThan(0.3);
      }
      t.dispose();
    }
    results[0].forEach((value, i) => expect(Math.abs(value - results[1][i])).toBeLessThan(2e-3));
  });

  it("holds vertices where they are when they are pinned in flight", async () => {
    t = await webgpu();
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    t.run(10);
    const node = new TransformNode("hand", t.scene);
    await Promise.all([cloth.pin([0]), cloth.attach([4], node)]);
    const before = await cloth.readPositions();
    expect(before[1]).toBeLessThan(0.98);
    t.run(10);
    node.position.set(0, 0.1, 0);
    t.run(1);
    const after = await cloth.readPositions();
    expect(after[1]).toBeCloseTo(before[1], 5);
    expect(after[3 * 4 + 1]).toBeCloseTo(before[3 * 4 + 1] + 0.1, 5);
    expect(after[3 * 24 + 1]).toBeLessThan(before[3 * 24 + 1] - 0.02);
  });

  it("forgets what it was asked for when the cloth goes first", async () => {
    t = await webgpu();
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    t.run(2);
    const pinned = cloth.pin([0]);
    cloth.dispose();
    await expect(pinned).resolves.toBeUndefined();
  });

  it("is replaced when it is lost; the cloth goes on", async () => {
    t = await webgpu();
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { airDensity: 0 }, t.scene);
    t.run(10);
    await t.plugin.world.snapshot();
    const [, before] = await cloth.readPositions();
    const restored = new Promise<void>((resolve) => t.plugin.world.onDeviceRestored.add(() => resolve()));
    t.plugin.world.device!.destroy();
    await restored;
    t.run(10);
    const [, after] = await cloth.readPositions();
    expect(after).toBeLessThan(before - 0.1);
    expect(cloth.isDisposed).toBe(false);
    cloth.setWind(new Vector3(1, 0, 0));
    t.run(1);
  });
});
