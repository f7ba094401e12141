import { MeshBuilder, Vector3 } from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#7fa58a",
  wall: "#cfe3ea",
  target: new Vector3(0.45, 0.95, 0),
  radius: 3.6,
  alpha: -1.3,
  beta: 1.5,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const pole = MeshBuilder.CreateCylinder(
  "pole",
  { height: 1.8, diameter: 0.04 },
  scene,
);
pole.position.y = 0.9;
const knob = MeshBuilder.CreateSphere("knob", { diameter: 0.09 }, scene);
knob.position.y = 1.83;
show(paint("#f5efe2", { roughness: 0.3 }), pole, knob);

const size = { width: 1.2, height: 0.8, subdivisionsX: 36, subdivisionsY: 24 };
const flag = MeshBuilder.CreateGround("flag", size, scene);
flag.rotation.x = -Math.PI / 2; // upright: its "top" is up now
flag.position.set(0.62, 1.36, 0);
const stripes = ["#12636b", "#f2ead8", "#e0663c"];
show(
  weave("#12636b", (context) => {
    stripes.forEach((stripe, k) => {
      context.fillStyle = stripe;
      context.fillRect(0, (1024 / 3) * k, 1024, 342);
    });
    context.fillStyle = "#f0b43c";
    context.beginPath();
    context.ellipse(512, 512, 80, 120, 0, 0, 7);
    context.fill();
  }),
  flag,
);

const cloth = new ClothAggregate(flag, { fabric: "silk" }, scene);
await cloth.pinEdge("left");

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  const speed = 6 + 2 * Math.sin(1.3 * time);
  cloth.setWind(new Vector3(speed, 0, 1.5 * Math.sin(2.1 * time)));
});

engine.runRenderLoop(() => scene.render());
