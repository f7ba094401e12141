import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  VertexBuffer,
  VertexData,
} from "@babylonjs/core";
import { PliantPlugin, SoftBodyAggregate } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#7fa05f",
  wall: "#d9e8d4",
  target: new Vector3(0, 0.35, 0),
  radius: 3.4,
  beta: 1.15,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const size = { width: 4, height: 4, subdivisions: 60, updatable: true };
const hills = MeshBuilder.CreateGround("hills", size, scene);
const places = hills.getVerticesData(VertexBuffer.PositionKind)!;
for (let i = 0; i < places.length; i += 3) {
  const [x, z] = [places[i], places[i + 2]];
  const ring = Math.exp(-(((Math.hypot(x, z) - 1.1) / 0.36) ** 2));
  const bumps = 0.5 + 0.5 * Math.sin(3 * x + 1) * Math.cos(2 * z);
  places[i + 1] = ring * (0.3 + 0.16 * bumps) + 0.01;
}
const normals: number[] = [];
VertexData.ComputeNormals(places, hills.getIndices(), normals);
hills.updateVerticesData(VertexBuffer.PositionKind, places);
hills.updateVerticesData(VertexBuffer.NormalKind, normals);
show(paint("#7fa05f", { roughness: 0.9 }), hills);
new PhysicsAggregate(
  hills,
  PhysicsShapeType.HEIGHTFIELD,
  { mass: 0, friction: 0.7 },
  scene,
);

// Three cubes of 10, 25 and 60 kPa: the softest slumps most.
["#e4475b", "#f0a23c", "#3f8fb5"].forEach((color, k) => {
  const cube = MeshBuilder.CreateBox("jelly", { size: 0.42 }, scene);
  cube.position.set(0.5 * (k - 1), 0.6 + 0.3 * k, 0.1 * k);
  cube.rotation.set(0.4, 0.3 * k, 0.2);
  const look = paint(color, { roughness: 0.15 });
  look.clearCoat.isEnabled = true;
  show(look, cube);
  const material = { youngsModulus: [10e3, 25e3, 60e3][k], density: 300 };
  const steps = { substeps: 20, friction: 0.6, thickness: 0.015 };
  new SoftBodyAggregate(cube, { ...material, ...steps, resolution: 5 }, scene);
});

engine.runRenderLoop(() => scene.render());
