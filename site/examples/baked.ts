// One flag is simulated and recorded for four seconds. Then the other flags play
// its motion, each from another moment on, without physics.

import { MeshBuilder, Vector3 } from "@babylonjs/core";
import { ClothAggregate, MotionRecorder, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#7fa58a",
  wall: "#cfe3ea",
  target: new Vector3(0.3, 0.78, 0),
  radius: 3.9,
  alpha: -1.35,
  beta: 1.35,
  aspect: 1.85,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const steel = paint("#e9ecef", { roughness: 0.3, metallic: 0.6 });
const flags = ["#c8324a", "#e0a030", "#2f7f79", "#3a5fa8", "#7a4b9a"].map(
  (color, k) => {
    const x = 0.72 * (k - 2);
    const pole = MeshBuilder.CreateCylinder(
      "pole",
      { height: 1.4, diameter: 0.03 },
      scene,
    );
    pole.position.set(x, 0.7, 0);
    show(steel, pole);
    const flag = MeshBuilder.CreateGround(
      "flag",
      { width: 0.6, height: 0.4, subdivisionsX: 24, subdivisionsY: 16 },
      scene,
    );
    flag.rotation.x = -Math.PI / 2;
    flag.position.set(x + 0.315, 1.18, 0);
    show(weave(color), flag);
    return flag;
  },
);

const cloth = new ClothAggregate(flags[0], { fabric: "cotton" }, scene);
void cloth.pinEdge("left");
let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  cloth.setWind(new Vector3(7, 0, 2 * Math.sin(3 * time)));
});

const recorder = new MotionRecorder(cloth);
const waiting = plugin.onAfterStepObservable.add(async () => {
  if (time < 4) return;
  plugin.onAfterStepObservable.remove(waiting);
  const motion = await recorder.stopAsync();
  flags.slice(1).forEach((flag, k) => (motion.play(flag).time = 0.9 * (k + 1)));
});

engine.runRenderLoop(() => scene.render());
