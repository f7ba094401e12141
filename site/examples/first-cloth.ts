import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  radius: 1.9,
  target: new Vector3(0, 0.35, 0),
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.6 }, scene);
ball.position.y = 0.3;
show(paint("#f4efe6", { roughness: 0.25 }), ball);
new PhysicsAggregate(
  ball,
  PhysicsShapeType.SPHERE,
  { mass: 0, friction: 0.5 },
  scene,
);

const floor = MeshBuilder.CreateGround(
  "ground",
  { width: 6, height: 6 },
  scene,
);
floor.isVisible = false;
new PhysicsAggregate(
  floor,
  PhysicsShapeType.BOX,
  { mass: 0, friction: 0.6 },
  scene,
);

const sheet = MeshBuilder.CreateGround(
  "sheet",
  { width: 1, height: 1, subdivisions: 48 },
  scene,
);
sheet.position.y = 0.75;
sheet.rotation.y = 0.4;
show(weave("#b3243b"), sheet);
new ClothAggregate(sheet, { fabric: "cotton" }, scene);

engine.runRenderLoop(() => scene.render());
