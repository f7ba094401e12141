import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin, type FabricName } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#b98f6b",
  wall: "#f1e2d0",
  target: new Vector3(0, 0.42, 0),
  radius: 2.5,
  beta: 1.2,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const table = MeshBuilder.CreateCylinder(
  "table",
  { height: 0.05, diameter: 0.9, tessellation: 64 },
  scene,
);
table.position.y = 0.7;
const foot = MeshBuilder.CreateCylinder(
  "foot",
  { height: 0.68, diameterTop: 0.08, diameterBottom: 0.3 },
  scene,
);
foot.position.y = 0.34;
show(paint("#6b4630", { roughness: 0.5 }), table, foot);
new PhysicsAggregate(
  table,
  PhysicsShapeType.CYLINDER,
  { mass: 0, friction: 0.6 },
  scene,
);

const sheet = MeshBuilder.CreateGround(
  "tablecloth",
  { width: 1.3, height: 1.3, subdivisions: 44 },
  scene,
);
sheet.position.y = 0.78;
show(
  weave("#f6efe4", (context) => {
    context.fillStyle = "#f6efe4";
    context.fillRect(0, 0, 1024, 1024);
    context.fillStyle = "rgba(179, 36, 59, 0.55)";
    for (let k = 0; k < 16; k++) {
      context.fillRect(64 * k, 0, 32, 1024);
      context.fillRect(0, 64 * k, 1024, 32);
    }
  }),
  sheet,
);
const cloth = new ClothAggregate(sheet, { fabric: "cotton" }, scene);

const names: FabricName[] = [
  "cotton",
  "silk",
  "denim",
  "canvas",
  "satin",
  "honeycomb",
  "rib",
  "stockinette",
];
const list = document.createElement("select");
list.ariaLabel = "Fabric";
for (const name of names) list.add(new Option(name));
list.onchange = () => cloth.setFabric(list.value as FabricName);
const again = document.createElement("button");
again.textContent = "Drop it again";
again.onclick = () => cloth.reset();
const panel = document.createElement("div");
panel.className = "panel";
panel.append(list, again);
document.body.append(panel);

engine.runRenderLoop(() => scene.render());
