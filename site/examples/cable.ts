import { MeshBuilder, Vector3 } from "@babylonjs/core";
import {
  CableAggregate,
  PliantPlugin,
  SoftBodyAggregate,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#6f9a97",
  wall: "#d5e8e4",
  target: new Vector3(0, 0.5, 0),
  radius: 2.6,
  alpha: -1.57,
  beta: 1.35,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// Two soft fingers, each with a cable along its inner side.
const fingers = await Promise.all(
  [-1, 1].map(async (side) => {
    const finger = MeshBuilder.CreateBox(
      "finger",
      { width: 0.14, height: 0.9, depth: 0.14 },
      scene,
    );
    finger.position.set(0.35 * side, 0.46, 0);
    const rubber = paint(side < 0 ? "#e8845c" : "#2f8f83", { roughness: 0.35 });
    rubber.clearCoat.isEnabled = true;
    show(rubber, finger);
    const soft = new SoftBodyAggregate(
      finger,
      {
        solver: "local-global",
        youngsModulus: 2e6,
        density: 1000,
        resolution: 10,
      },
      scene,
    );
    await soft.pinWhere(({ y }) => y < 0.03);
    const points = [0.03, 0.2, 0.37, 0.54, 0.71, 0.88].map((y) => ({
      body: soft.body,
      vertex: nearest(soft, new Vector3(0.28 * side, y, 0)),
    }));
    return new CableAggregate({ points, length: 0.84 }, scene);
  }),
);

/** Particle of a soft body that is nearest to a place. */
function nearest({ body }: SoftBodyAggregate, place: Vector3): number {
  const { positions, masses } = body.model;
  const distance = (i: number): number =>
    Math.hypot(
      positions[3 * i] - place.x,
      positions[3 * i + 1] - place.y,
      positions[3 * i + 2] - place.z,
    );
  return [...masses.keys()].reduce((best, i) =>
    distance(i) < distance(best) ? i : best,
  );
}

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  for (const cable of fingers)
    cable.length = 0.84 - 0.045 * (1 - Math.cos(1.5 * time));
});

engine.runRenderLoop(() => scene.render());
