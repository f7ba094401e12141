import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  VertexBuffer,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#6d7fb0",
  wall: "#d5dbef",
  target: new Vector3(0, 0.55, 0),
  radius: 2.6,
  beta: 1.3,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// A tube that widens downward. The first and last column of its vertices lie
// at the same places: Pliant sees one particle there, and the seam holds.
const skirt = MeshBuilder.CreateCylinder(
  "skirt",
  {
    height: 0.6,
    diameterTop: 0.3,
    diameterBottom: 1,
    tessellation: 56,
    subdivisions: 18,
    cap: 0,
  },
  scene,
);
skirt.position.y = 0.6;
const white = weave("#f7f2ea");
white.subSurface.isTranslucencyEnabled = true;
show(white, skirt);

const hub = MeshBuilder.CreateCapsule(
  "hub",
  { height: 0.9, radius: 0.125 },
  scene,
);
hub.position.y = 0.75;
show(paint("#b3243b", { roughness: 0.4 }), hub);

const collider = { mass: 0, friction: 0.2 };
new PhysicsAggregate(hub, PhysicsShapeType.CAPSULE, collider, scene);

const places = skirt.getVerticesData(VertexBuffer.PositionKind)!;
const waist: number[] = [];
for (let v = 0; 3 * v < places.length; v++)
  if (places[3 * v + 1] > 0.299) waist.push(v);

// The hub carries the waist along from the start.
new ClothAggregate(
  skirt,
  { fabric: "cotton", attach: { node: hub, vertices: waist } },
  scene,
);

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  hub.rotate(Vector3.Up(), Math.min(9, 3 * time) * dt);
});

engine.runRenderLoop(() => scene.render());
