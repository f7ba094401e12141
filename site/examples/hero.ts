// The cloth of the home page: silk on a rod, gathered to three fifths of its
// width, in a wind that comes and goes. Drag it.

import { Color3, MeshBuilder, Vector3 } from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
  SmoothMesh,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, camera, paint, weave, show } = await createStudio({
  floor: "#4a2738",
  wall: "#33182c",
  glow: "rgba(255,120,100,0.3)",
  radius: 3.6,
  alpha: -1.45,
  beta: 1.42,
  aspect: 1,
});
// Words are beside the silk on a wide page, and above it on a narrow one.
const frame = () => {
  const isWide = innerWidth > 800;
  camera.setTarget(new Vector3(isWide ? -0.7 : 0, 0.9, 0));
  camera.radius = isWide ? 3.3 : 3.1;
};
frame();
addEventListener("resize", frame);
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
camera.addBehavior(new ClothDragBehavior());
camera.inputs.removeByType("ArcRotateCameraMouseWheelInput");

const [width, height, columns, rows, top] = [2, 1.5, 32, 24, 1.66];
const brass = paint("#d9a441", { roughness: 0.25, metallic: 1 });
const rod = MeshBuilder.CreateCylinder(
  "rod",
  { height: 1.6, diameter: 0.03 },
  scene,
);
rod.rotation.z = Math.PI / 2;
rod.position.y = top + 0.02;
show(brass, rod);
for (const side of [-1, 1]) {
  const knob = MeshBuilder.CreateSphere("knob", { diameter: 0.08 }, scene);
  knob.position.set(0.8 * side, top + 0.02, 0);
  show(brass, knob);
}

const size = { width, height, subdivisionsX: columns, subdivisionsY: rows };
const sheet = MeshBuilder.CreateGround("silk", size, scene);
sheet.rotation.x = -Math.PI / 2;
sheet.position.y = top - height / 2;
const silk = weave("#dc2f4a");
silk.roughness = 0.34;
silk.sheen.color = new Color3(1, 0.5, 0.42);
silk.sheen.intensity = 0.4;
sheet.material = silk;

// Every second vertex of the upper edge hangs on a ring of the rod.
const rings = Array.from({ length: columns / 2 + 1 }, (_, k) => 2 * k);
const cloth = new ClothAggregate(
  sheet,
  { fabric: "silk", pins: rings, substeps: 12, selfCollision: true },
  scene,
);
show(silk, new SmoothMesh(cloth, { levels: 2 }).mesh);

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  const gathered = 1 - 0.36 * Math.min(1, time);
  // Pleats are as deep as the silk between two rings is long.
  const [flat, step] = [0.96, gathered].map(
    (part) => (2 * part * width) / columns,
  );
  const depth = Math.sqrt(Math.max(0, flat ** 2 - step ** 2)) / 2;
  for (const ring of rings) {
    const x = (ring / columns - 0.5) * width * gathered;
    const z = ring % 4 === 0 ? depth : -depth;
    cloth.setPinPosition(ring, new Vector3(x, top, z));
  }
  const gust = Math.max(0, Math.sin(0.9 * time)) ** 2;
  cloth.setWind(new Vector3(0.5 * Math.sin(0.37 * time), 0, 1.5 * gust));
});

engine.runRenderLoop(() => scene.render());
