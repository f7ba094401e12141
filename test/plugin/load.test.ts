import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { Scene } from "@babylonjs/core/scene";
import { expect, it } from "vitest";
import { CharacterController, ClothAggregate, ClothPlugin, PliantPlugin } from "../../plugin/index";
import { PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import { expectRejected } from "../refusal";

const FRAME = 1 / 60;

// In sequence: code that one of them loads is present for the next.
it("steps cloth at once, waits for what a dynamic body needs, and goes on by itself", async () => {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu", load: "needed" });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  let steps = 0;
  plugin.onAfterStepObservable.add(() => steps++);
  const step = (): void => scene._advancePhysicsEngineStep(1000 * FRAME);

  const ground = MeshBuilder.CreateBox("ground", { size: 1 }, scene);
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);
  const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
  sheet.position.y = 2;
  const cloth = new ClothAggregate(sheet, { fabric: "silk" }, scene);
  step();
  expect(steps).toBe(1);

  const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
  ball.position.set(3, 5, 0);
  new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
  const before = plugin.world.time;
  step();
  expect([plugin.world.time, ball.position.y]).toEqual([before, 5]);
  await expect.poll(() => (step(), plugin.world.time), { interval: 5, timeout: 20_000 }).toBeGreaterThan(before);
  for (let k = 0; k < 10; k++) step();
  expect(ball.position.y).toBeLessThan(5);

  const at = [...(await cloth.readPositions())];
  const flag = MeshBuilder.CreateGround("flag", { width: 1, height: 1, subdivisions: 4 }, scene);
  flag.position.x = 5;
  const stiff = new ClothAggregate(flag, { fabric: "silk", solver: "local-global" }, scene);
  expect(stiff.body.factorization!.state).toBe("none");
  step();
  expect([...(await cloth.readPositions())]).toEqual(at);
  await plugin.whenReadyAsync();
  step();
  expect([...(await cloth.readPositions())]).not.toEqual(at);
  expect((await stiff.readPositions())[1]).toBeLessThan(0);
  scene.dispose();
  engine.dispose();
});

it("refuses what there is not", async () => {
  const engine = new NullEngine();
  const options = { load: "later" as "all" };
  await expectRejected(PliantPlugin.CreateAsync(engine, options), "invalid-argument", /load.*one of all, needed/);
  engine.dispose();
});

it("has no queries and no characters in a ClothPlugin, and all else", async () => {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const plugin = await ClothPlugin.CreateAsync(engine, { backend: "cpu" });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
  new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
  const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
  sheet.position.y = 2;
  const cloth = new ClothAggregate(sheet, { fabric: "silk" }, scene);
  for (let k = 0; k < 3; k++) scene._advancePhysicsEngineStep(1000 * FRAME);
  expect(ball.position.y).toBeLessThan(0);
  expect((await cloth.readPositions())[1]).toBeLessThan(2);
  const unsupported = expect.objectContaining({ code: "unsupported" }) as Error;
  expect(() => plugin.raycast(Vector3.Zero(), Vector3.One(), new PhysicsRaycastResult())).toThrow(unsupported);
  expect(() => new CharacterController(Vector3.Zero(), { capsuleHeight: 1.8, capsuleRadius: 0.3 }, scene)).toThrow(
    expect.objectContaining({ code: "invalid-argument", object: "CharacterController" }) as Error,
  );
  scene.dispose();
  engine.dispose();
});
