import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { Scene } from "@babylonjs/core/scene";
import HavokPhysics from "@babylonjs/havok";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, DeformableScene, PliantError } from "../../plugin/index";
import { makeSheet } from "./fixtures";

const wasm = createRequire(import.meta.url)
  .resolve("@babylonjs/havok")
  .replace(/lib\/.*$/, "lib/esm/HavokPhysics.wasm");

let engine: NullEngine;
let scene: Scene;
let havok: HavokPlugin;

beforeEach(async () => {
  engine = new NullEngine();
  scene = new Scene(engine);
  new FreeCamera("camera", new Vector3(0, 1, -5), scene);
  havok = new HavokPlugin(true, await HavokPhysics({ wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer }));
  scene.enablePhysics(new Vector3(0, -9.81, 0), havok);
});

afterEach(() => engine.dispose());

const run = (frames: number, each?: () => void): void => {
  for (let frame = 0; frame < frames; frame++) {
    (scene.getPhysicsEngine() as PhysicsEngine)._step(1 / 60);
    each?.();
  }
};

/** Numbers of the vertices at the edge of a sheet of n × n segments. */
const edge = (n: number): number[] =>
  Array.from({ length: (n + 1) ** 2 }, (_, v) => v).filter((v) => {
    const [i, j] = [v % (n + 1), Math.floor(v / (n + 1))];
    return i === 0 || j === 0 || i === n || j === n;
  });

describe("a scene with Havok", () => {
  it.each([0.05, 2])("catches a body of %f kg in cloth, and gives it no energy", async (mass) => {
    const deformables = await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const sheet = makeSheet(scene, 1, 12, 1);
    new ClothAggregate(sheet, { fabric: "rubber-sheet", pins: edge(12), substeps: 12 }, scene);
    const ball = CreateSphere("ball", { diameter: 0.2 }, scene);
    ball.position.set(0, 1.4, 0);
    new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass, restitution: 0 }, scene);
    let bounced = false;
    run(120, () => {
      expect(ball.position.y).toBeGreaterThan(0.7);
      expect(ball.position.y).toBeLessThan(1.4);
      bounced ||= (ball.physicsBody?.getLinearVelocity().y ?? 0) > 0.2;
    });
    expect(bounced).toBe(true);
    deformables.dispose();
    // without cloth it falls
    run(60);
    expect(ball.position.y).toBeLessThan(0);
  });

  it("drapes cloth over static and moving bodies, and notices when they go", async () => {
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    const box = CreateBox("box", { size: 0.4 }, scene);
    const aggregate = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 0 }, scene);
    const sheet = makeSheet(scene, 0.6, 10, 0.3);
    const cloth = new ClothAggregate(sheet, {}, scene);
    const middle = async (): Promise<number> => (await cloth.readPositions())[3 * 60 + 1];
    run(90);
    expect(Math.abs((await middle()) - 0.2 - 0.005)).toBeLessThan(0.005);
    aggregate.dispose();
    run(30);
    expect(await middle()).toBeLessThan(0);
  });

  it("leaves Havok's own scene as it is where nothing touches cloth", async () => {
    const fall = (): number => {
      const ball = CreateSphere("ball", { diameter: 0.2 }, scene);
      ball.position.y = 3;
      const aggregate = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
      run(30);
      const { y } = ball.position;
      aggregate.dispose();
      ball.dispose();
      return y;
    };
    const alone = fall();
    await DeformableScene.CreateAsync(scene, { rigid: havok, backend: "cpu" });
    expect(fall()).toBe(alone);
  });

  it("is refused for a plugin that the scene does not have, and twice", async () => {
    const create = (rigid: HavokPlugin): Promise<unknown> =>
      DeformableScene.CreateAsync(scene, { rigid, backend: "cpu" });
    await expect(create({ name: "other" } as HavokPlugin)).rejects.toThrow(PliantError);
    await create(havok);
    await expect(create(havok)).rejects.toThrow(/exists for this scene already/);
  });
});
