import { MeshBuilder, Vector3 } from "@babylonjs/core";
import { ClothAggregate, PliantPlugin, SceneWind } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#9db0a0",
  wall: "#dfe9ee",
  target: new Vector3(0.1, 0.9, 0),
  radius: 5.6,
  alpha: -0.75,
  beta: 1.25,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// Gusts that pass from left to right; every cloth of the scene feels them.
const wind = new SceneWind(
  {
    velocity: new Vector3(4, 0, 0),
    turbulence: { speed: 1.2, size: 2.5 },
  },
  scene,
);

// Five banners; a wall stands before the third and the fourth.
const wood = paint("#f5efe2", { roughness: 0.4 });
const colors = ["#12636b", "#e0663c", "#f0b43c", "#7a4a86", "#3f7d4e"];
for (const [k, color] of colors.entries()) {
  const z = 0.75 * (k - 2);
  const pole = MeshBuilder.CreateCylinder(
    "pole",
    { height: 1.7, diameter: 0.035 },
    scene,
  );
  pole.position.set(0, 0.85, z);
  const size = { width: 0.9, height: 0.5, subdivisions: 18 };
  const flag = MeshBuilder.CreateGround("flag", size, scene);
  flag.rotation.x = -Math.PI / 2;
  flag.position.set(0.46, 1.42, z);
  show(wood, pole);
  show(weave(color), flag);
  const cloth = new ClothAggregate(flag, { fabric: "silk" }, scene);
  await cloth.pinEdge("left");
}

const wall = MeshBuilder.CreateBox(
  "wall",
  { width: 0.15, height: 1.9, depth: 1.5 },
  scene,
);
wall.position.set(-0.6, 0.95, 0.4);
show(paint("#b9aa97", { roughness: 0.95 }), wall);
wind.addShelter(wall);

engine.runRenderLoop(() => scene.render());
