import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { packSnapshot, unpackSnapshot } from "babylon-pliant/engine";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#a89a7b",
  wall: "#ede6d3",
  target: new Vector3(0, 0.5, 0),
  radius: 3.6,
  beta: 1.3,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
const { world } = plugin;

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 8, height: 8 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(
  ground,
  PhysicsShapeType.BOX,
  { mass: 0, friction: 0.6 },
  scene,
);

const colors = ["#e0663c", "#f0b43c", "#12636b"].map((color) =>
  paint(color, { roughness: 0.5 }),
);
for (let k = 0; k < 9; k++) {
  const box = MeshBuilder.CreateBox(
    "box",
    { width: 0.18, height: 0.24, depth: 0.18 },
    scene,
  );
  box.position.set(0.2 * ((k % 3) - 1), 0.12 + 0.24 * Math.floor(k / 3), 0);
  show(colors[k % 3], box);
  new PhysicsAggregate(
    box,
    PhysicsShapeType.BOX,
    { mass: 0.5, friction: 0.5 },
    scene,
  );
}
const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.26 }, scene);
ball.position.set(-1.3, 0.5, 0.06);
show(paint("#3c4450", { roughness: 0.25, metallic: 1 }), ball);
const thrown = new PhysicsAggregate(
  ball,
  PhysicsShapeType.SPHERE,
  { mass: 2 },
  scene,
);
thrown.body.setLinearVelocity(new Vector3(4, 1, 0));

const sheet = MeshBuilder.CreateGround(
  "sheet",
  { width: 0.7, height: 0.7, subdivisions: 20 },
  scene,
);
sheet.position.y = 0.85;
show(weave("#f4efe6"), sheet);
new ClothAggregate(sheet, { fabric: "silk" }, scene);

engine.runRenderLoop(() => scene.render());

// The state of everything after the first step, as bytes for a file or a
// connection.
await new Promise((resolve) => plugin.onAfterStepObservable.addOnce(resolve));
const start: Uint8Array = packSnapshot(await world.snapshot());
const button = document.createElement("button");
const rewind = (): void => world.restore(unpackSnapshot(start));
button.textContent = `Back to the start (${(start.length / 1024).toFixed(0)} kB)`;
button.onclick = rewind;
const panel = document.createElement("div");
panel.className = "panel";
panel.append(button);
document.body.append(panel);

// The same start gives the same fall again.
plugin.onAfterStepObservable.add(() => {
  if (world.time > 3) rewind();
});
