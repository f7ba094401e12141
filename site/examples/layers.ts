import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  VertexBuffer,
  type Mesh,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#7a8f86",
  wall: "#dfe8e2",
  target: new Vector3(0, 0.6, 0),
  radius: 2.6,
  beta: 1.3,
});
// Small garments that touch each other all the time are fast on the CPU.
const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const form = MeshBuilder.CreateCapsule(
  "form",
  { height: 1, radius: 0.14 },
  scene,
);
form.position.y = 0.72;
show(paint("#d8b48a", { roughness: 0.45 }), form);
new PhysicsAggregate(form, PhysicsShapeType.CAPSULE, { mass: 0 }, scene);

// Tubes that widen downward.
const garment = (
  name: string,
  height: number,
  diameterTop: number,
  diameterBottom: number,
): Mesh => {
  const rows = Math.round(height / 0.04);
  const mesh = MeshBuilder.CreateCylinder(
    name,
    {
      height,
      diameterTop,
      diameterBottom,
      tessellation: 36,
      subdivisions: rows,
      cap: 0,
    },
    scene,
  );
  mesh.position.y = 1.05 - height / 2;
  return mesh;
};
// The coat is wider at the shoulders, and too narrow for the dress below.
const dress = garment("dress", 0.84, 0.31, 0.74);
const coat = garment("coat", 0.48, 0.37, 0.48);
const silk = weave("#f4efe4");
// Drawn a little further away: folds seen edge-on would shine through the coat.
silk.zOffset = 1;
show(silk, dress);
show(weave("#24506b"), coat);

/** The form carries the upper border along. */
const shoulders = (mesh: Mesh) => {
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const top = Math.max(...places.filter((_, i) => i % 3 === 1));
  const vertices: number[] = [];
  for (let v = 0; 3 * v < places.length; v++)
    if (places[3 * v + 1] > top - 0.001) vertices.push(v);
  return { node: form, vertices };
};
// Pliant puts the coat over the dress before the first step.
new ClothAggregate(
  dress,
  { fabric: "silk", layer: 0, attach: shoulders(dress) },
  scene,
);
new ClothAggregate(
  coat,
  { fabric: "denim", layer: 1, attach: shoulders(coat) },
  scene,
);

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  form.rotate(Vector3.Up(), 4 * Math.sin(1.5 * time) * dt);
});

engine.runRenderLoop(() => scene.render());
