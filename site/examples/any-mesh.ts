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
  target: new Vector3(0, 0.3, 0),
  radius: 3.2,
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
const shapes = [
  MeshBuilder.CreateTorusKnot(
    "knot",
    { radius: 0.26, tube: 0.1, radialSegments: 96, tubularSegments: 20 },
    scene,
  ),
  MeshBuilder.CreateTorus(
    "ring",
    { diameter: 0.5, thickness: 0.18, tessellation: 48 },
    scene,
  ),
  MeshBuilder.CreatePolyhedron("gem", { type: 3, size: 0.24 }, scene),
];
const colors = ["#5b3fa0", "#e8743b", "#2f8f83"];
shapes.forEach((mesh, k) => {
  mesh.position.set(0.75 * (k - 1), 0.7 + 0.2 * k, 0);
  mesh.rotation.set(1 - 0.6 * k, 0.3, 0.4);
  const glossy = paint(colors[k], { roughness: 0.2 });
  glossy.clearCoat.isEnabled = true;
  show(glossy, mesh);
  new SoftBodyAggregate(mesh, { youngsModulus: 5e4, density: 400 }, scene);
});

engine.runRenderLoop(() => scene.render());
