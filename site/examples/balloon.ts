import { MeshBuilder, Vector3, VertexBuffer } from "@babylonjs/core";
import {
  AttachmentAggregate,
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
  RopeAggregate,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, camera, paint, weave, show } = await createStudio({
  floor: "#e2a07c",
  wall: "#cfe4f2",
  target: new Vector3(0, 1.05, 0),
  radius: 3.7,
  beta: 1.4,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
camera.addBehavior(new ClothDragBehavior());

const string = paint("#f7f3ea", { roughness: 0.8 });
["#e23d4f", "#f3b23e", "#2d8fa8"].forEach((color, k) => {
  const x = 0.55 * (k - 1);
  const skin = weave(color);
  skin.roughness = 0.15;
  skin.sheen.isEnabled = false;
  skin.clearCoat.isEnabled = true;
  const sphere = MeshBuilder.CreateSphere(
    "balloon",
    { diameter: 0.42, segments: 8 },
    scene,
  );
  sphere.position.set(x, 1.35 + 0.14 * (k % 2), 0.1 * k);
  show(skin, sphere);
  // `gravityFactor` below zero: the balloon rises as if it were full of helium.
  const balloon = new ClothAggregate(
    sphere,
    {
      fabric: "rubber-sheet",
      pressure: 1500,
      sealed: true,
      gravityFactor: -0.5,
    },
    scene,
  );

  const bottom = sphere.position.add(new Vector3(0, -0.21, 0));
  const path = [new Vector3(0.3 * x, 0.01, 0), bottom];
  const rope = new RopeAggregate(
    { path, radius: 0.005, name: "string" },
    { pins: [0, 1], segments: 16, density: 500 },
    scene,
  );
  show(string, rope.mesh);
  const end = [rope.pointCount - 1];
  new AttachmentAggregate(
    {
      aggregate: rope,
      vertices: end,
      to: { aggregate: balloon, vertices: [lowest(sphere)] },
    },
    scene,
  );
  plugin.onBeforeStepObservable.add(() => {
    const gust = Math.sin(plugin.world.time + k);
    balloon.setWind(
      new Vector3(0.8 * gust, 0, 0.5 * Math.cos(1.7 * plugin.world.time)),
    );
  });
});

function lowest(mesh: (typeof scene.meshes)[number]): number {
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  let found = 0;
  for (let v = 0; 3 * v < places.length; v++)
    if (places[3 * v + 1] < places[3 * found + 1]) found = v;
  return found;
}

engine.runRenderLoop(() => scene.render());
