import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsMotionType,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { PliantPlugin, SoftBodyAggregate } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#b98f6b",
  wall: "#f0e4d4",
  target: new Vector3(0, 0.3, 0),
  radius: 3,
  beta: 1.15,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 6, height: 6 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);

// The same stiffness: rubber, wax that gives a little, and clay.
const kinds = [
  { color: "#c8463c", plasticity: undefined },
  { color: "#e8b04a", plasticity: { yield: 0.1, max: 0.15 } },
  { color: "#8c5a3c", plasticity: { yield: 0.03, creep: 20 } },
];
const stamps = kinds.map(({ color, plasticity }, k) => {
  const x = 0.8 * (k - 1);
  const block = MeshBuilder.CreateBox(`block ${k}`, { size: 0.5 }, scene);
  block.position.set(x, 0.26, 0);
  show(paint(color, { roughness: 0.5 }), block);
  const material = { youngsModulus: 4e4, material: { damping: 0.01 } };
  new SoftBodyAggregate(block, { ...material, plasticity }, scene);

  const stamp = MeshBuilder.CreateSphere(
    `stamp ${k}`,
    { diameter: 0.36, segments: 32 },
    scene,
  );
  stamp.position.set(x, 0.9, 0);
  show(paint("#5f6670", { roughness: 0.3 }), stamp);
  const { body } = new PhysicsAggregate(
    stamp,
    PhysicsShapeType.SPHERE,
    { mass: 1 },
    scene,
  );
  body.setMotionType(PhysicsMotionType.ANIMATED);
  body.disablePreStep = false;
  return stamp;
});

// Down into the blocks and up again, every four seconds.
let time = 0;
scene.onBeforePhysicsObservable.add(() => {
  time += 1 / 60;
  const height = 0.73 + 0.22 * Math.cos((Math.PI / 2) * time);
  for (const stamp of stamps) stamp.position.y = height;
});

engine.runRenderLoop(() => scene.render());
