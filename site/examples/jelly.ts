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
  floor: "#8fae74",
  wall: "#d9e8d4",
  target: new Vector3(0, 0.35, 0),
  radius: 4.2,
  beta: 1.15,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const size = { width: 3, height: 3, subdivisions: 40, updatable: true };
const hills = MeshBuilder.CreateGround("hills", size, scene);
const places = hills.getVerticesData(VertexBuffer.PositionKind)!;
for (let i = 0; i < places.length; i += 3) {
  const [x, z] = [places[i], places[i + 2]];
  const rim = Math.min(1, 3 * Math.max(0, 1.5 - Math.hypot(x, z)));
  places[i + 1] =
    rim * (0.16 + 0.12 * Math.sin(2.4 * x + 1) * Math.cos(2.2 * z));
}
const normals: number[] = [];
VertexData.ComputeNormals(places, hills.getIndices(), normals);
hills.updateVerticesData(VertexBuffer.PositionKind, places);
hills.updateVerticesData(VertexBuffer.NormalKind, normals);
show(paint("#7fa05f", { roughness: 0.9 }), hills);
new PhysicsAggregate(
  hills,
  PhysicsShapeType.MESH,
  { mass: 0, friction: 0.7 },
  scene,
);

// Three cubes of 2,000, 8,000 and 40,000 Pa: the softest slumps most.
["#e4475b", "#f0a23c", "#3f8fb5"].forEach((color, k) => {
  const cube = MeshBuilder.CreateBox("jelly", { size: 0.42 }, scene);
  cube.position.set(0.62 * (k - 1), 0.9 + 0.15 * k, 0.1 * k);
  cube.rotation.set(0.4, 0.3 * k, 0.2);
  const look = paint(color, { roughness: 0.15, alpha: 0.88 });
  look.clearCoat.isEnabled = true;
  show(look, cube);
  const material = { youngsModulus: [2e3, 8e3, 4e4][k], density: 300 };
  new SoftBodyAggregate(
    cube,
    { ...material, resolution: 5, friction: 0.6 },
    scene,
  );
});

engine.runRenderLoop(() => scene.render());
