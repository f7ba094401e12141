import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { PliantPlugin, SoftBodyAggregate } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#8c7aa8",
  wall: "#e4dcef",
  target: new Vector3(0, 0.45, 0),
  radius: 3.6,
  beta: 1.2,
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

// Any closed mesh: Pliant makes a cage of tetrahedra inside of it.
const knot = MeshBuilder.CreateTorusKnot(
  "knot",
  { radius: 0.34, tube: 0.12, radialSegments: 128, tubularSegments: 24 },
  scene,
);
knot.position.y = 1;
knot.rotation.x = 1.2;
const glossy = paint("#5b3fa0", { roughness: 0.2 });
glossy.clearCoat.isEnabled = true;
show(glossy, knot);
new SoftBodyAggregate(
  knot,
  { youngsModulus: 4e4, density: 400, resolution: 14 },
  scene,
);

const block = MeshBuilder.CreateCylinder(
  "block",
  { height: 0.3, diameter: 0.3 },
  scene,
);
block.position.y = 0.15;
show(paint("#efe6da", { roughness: 0.5 }), block);
new PhysicsAggregate(
  block,
  PhysicsShapeType.CYLINDER,
  { mass: 0, friction: 0.6 },
  scene,
);

engine.runRenderLoop(() => scene.render());
