import {
  BallAndSocketConstraint,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#b7a08a",
  wall: "#efe4d6",
  target: new Vector3(-0.1, 1, 0),
  radius: 4.4,
  alpha: -1.05,
  beta: 1.3,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 12, height: 12 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(
  ground,
  PhysicsShapeType.BOX,
  { mass: 0, friction: 0.6 },
  scene,
);

const clay = ["#c96f4a", "#d98a5f", "#b95f3d"].map((color) =>
  paint(color, { roughness: 0.8 }),
);
for (let row = 0; row < 6; row++)
  for (let k = 0; k < 4; k++) {
    const brick = MeshBuilder.CreateBox(
      "brick",
      { width: 0.2, height: 0.16, depth: 0.34 },
      scene,
    );
    brick.position.set(
      0.5,
      0.08 + 0.16 * row,
      0.35 * (k - 1.5) + (row % 2 ? 0.17 : 0),
    );
    show(clay[(row + k) % 3], brick);
    new PhysicsAggregate(
      brick,
      PhysicsShapeType.BOX,
      { mass: 2, friction: 0.6 },
      scene,
    );
  }

// Babylon's own constraint: a ball on an arm of 1.5 m.
const pivot = MeshBuilder.CreateSphere("pivot", { diameter: 0.1 }, scene);
pivot.position.set(0.15, 1.95, 0);
const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.4 }, scene);
ball.position.set(-1.35, 1.95, 0);
const arm = MeshBuilder.CreateCylinder(
  "arm",
  { height: 1.5, diameter: 0.03 },
  scene,
);
arm.parent = ball;
arm.position.x = 0.75;
arm.rotation.z = Math.PI / 2;
show(paint("#3c4450", { roughness: 0.3, metallic: 1 }), pivot, ball, arm);
const fixed = new PhysicsAggregate(
  pivot,
  PhysicsShapeType.SPHERE,
  { mass: 0 },
  scene,
);
const swung = new PhysicsAggregate(
  ball,
  PhysicsShapeType.SPHERE,
  { mass: 12 },
  scene,
);
const joint = new BallAndSocketConstraint(
  Vector3.Zero(),
  new Vector3(1.5, 0, 0),
  Vector3.Up(),
  Vector3.Up(),
  scene,
);
fixed.body.addConstraint(swung.body, joint);

engine.runRenderLoop(() => scene.render());
