import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
  SoftBodyAggregate,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, camera, paint, weave, show } = await createStudio({
  floor: "#c58f8f",
  wall: "#f3dfdc",
  target: new Vector3(0, 0.7, 0),
  radius: 3.8,
  alpha: -1.4,
  beta: 1.35,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 8, height: 8 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(
  ground,
  PhysicsShapeType.BOX,
  { mass: 0, friction: 0.7 },
  scene,
);

const towel = MeshBuilder.CreateGround(
  "towel",
  { width: 0.9, height: 0.9, subdivisions: 30 },
  scene,
);
towel.rotation.x = -Math.PI / 2;
towel.position.set(-0.35, 0.95, 0);
show(weave("#2d7f8f"), towel);
new ClothAggregate(towel, { fabric: "cotton", pins: [0, 30] }, scene);

const line = MeshBuilder.CreateCylinder(
  "line",
  { height: 1.5, diameter: 0.025 },
  scene,
);
line.rotation.z = Math.PI / 2;
line.position.set(-0.35, 1.405, 0);
const posts = [-1.1, 0.4].map((x) => {
  const post = MeshBuilder.CreateCylinder(
    "post",
    { height: 1.45, diameter: 0.05 },
    scene,
  );
  post.position.set(x, 0.725, 0);
  return post;
});
show(paint("#8a5a3b", { roughness: 0.6 }), line, ...posts);

const ball = MeshBuilder.CreateSphere(
  "ball",
  { diameter: 0.5, segments: 24 },
  scene,
);
ball.position.set(0.75, 0.4, -0.3);
const glossy = paint("#f0a23c", { roughness: 0.2 });
glossy.clearCoat.isEnabled = true;
show(glossy, ball);
new SoftBodyAggregate(
  ball,
  { youngsModulus: 8e3, density: 200, resolution: 8, substeps: 20 },
  scene,
);

// The pointer grips a patch of 8 cm and pulls with at most 20 N.
const drag = new ClothDragBehavior({ radius: 0.08, maxForce: 20 });
camera.addBehavior(drag);
drag.onDragStartObservable.add(({ mesh }) =>
  console.log("dragging", mesh.name),
);

engine.runRenderLoop(() => scene.render());
