// A user's test of a scene, for Jest.
import { MeshBuilder, NullEngine, Scene, Vector3 } from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";

test("a sheet falls", async () => {
  const engine = new NullEngine();
  const scene = new Scene(engine);
  const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
  mesh.position.y = 2;
  const cloth = new ClothAggregate(mesh, {}, scene);
  await plugin.whenReadyAsync();
  for (let frame = 0; frame < 30; frame++) plugin.executeStep(1 / 60, []);
  expect(Math.max(...(await cloth.body.readPositions()).filter((_, i) => i % 3 === 1))).toBeLessThan(1.5);
  cloth.dispose();
  engine.dispose();
});
