import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsMotionType,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { ClothAggregate, fabrics, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#b98f6b",
  wall: "#f0e4d4",
  target: new Vector3(0, 0.2, 0),
  radius: 2.6,
  beta: 1.1,
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

// The same stiffness: rubber, and foil.
const stiff = { areaDensity: 0.15, bendingWarp: 0.02, bendingWeft: 0.02 };
const fabric = { ...fabrics.denim, ...stiff, friction: 0.3 };
const kinds = [
  { color: "#c8463c", plasticity: undefined },
  { color: "#b9bec6", plasticity: { yield: 5e-4 } },
];
const pairs = kinds.map(({ color, plasticity }, k) => {
  const x = 1.1 * (k - 0.5);
  const sheet = MeshBuilder.CreateGround(
    `sheet ${k}`,
    { width: 0.9, height: 0.9, subdivisions: 24 },
    scene,
  );
  sheet.position.set(x, 0.62, 0);
  const skin = paint(color, { roughness: 0.35 });
  skin.backFaceCulling = false;
  skin.twoSidedLighting = true;
  show(skin, sheet);
  const cloth = new ClothAggregate(sheet, { fabric, plasticity }, scene);

  const ball = MeshBuilder.CreateSphere(
    `ball ${k}`,
    { diameter: 0.5, segments: 32 },
    scene,
  );
  ball.position.set(x, 0.3, 0);
  show(paint("#5f6670", { roughness: 0.3 }), ball);
  const options = { mass: 1 };
  const type = PhysicsShapeType.SPHERE;
  const { body } = new PhysicsAggregate(ball, type, options, scene);
  body.setMotionType(PhysicsMotionType.ANIMATED);
  body.disablePreStep = false;
  return { ball, cloth };
});

// The balls sink into the ground after two seconds; all begins again after six.
let time = 0;
scene.onBeforePhysicsObservable.add(() => {
  time += engine.getDeltaTime() / 1000;
  // The balls come up first, and push what lies there.
  if (time > 6) time = -0.1;
  if (time < 0) for (const { cloth } of pairs) cloth.reset();
  const sunk = 0.6 * Math.min(1, Math.max(0, time - 2));
  for (const { ball } of pairs) ball.position.y = 0.3 - sunk;
});

engine.runRenderLoop(() => scene.render());
