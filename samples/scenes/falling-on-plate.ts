import { gridMesh } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { forEachSample, maxPenetration, rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { legs } from "../stands";

const SIDE = 0.8;
const PLATE = 0.6;
const HALF_THICKNESS = 0.005;
const DROP = 0.25;
const SLOPE = 0.2;

/** A thin plate stops a cloth that is thrown down at it. */
export const fallingOnPlate: SceneDefinition = {
  name: "falling-on-plate",
  title: "Falling on a plate",
  description: "A cloth hits a plate of one centimeters at 10 m/s, 17 centimeters a frame, and stays on top.",
  frames: 120,
  groundHeight: -0.4,
  view: { target: [0, -0.05, 0], alpha: -1.1, beta: 1.15, radius: 2.2 },
  parameters: [
    ...clothStepping({ resolution: 32, substeps: 20, iterations: 1 }),
    ...clothParameters({ resolution: 32, highest: 256, fabric: "cotton" }),
    { name: "speed", default: 10, unit: "m/s", range: [0, 30], description: "initial downward speed" },
  ],
  metrics: [
    {
      name: "fallenThrough",
      unit: "",
      bound: 0,
      description: "most particles, edges and faces found below the plate's middle during the run",
    },
    { name: "maxPenetration", unit: "m", bound: 1e-3, description: "deepest point of the cloth inside the plate" },
    { name: "rmsSpeed", unit: "m/s", bound: 0.1, description: "root mean square speed at the end" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const plate = new Obstacle(
      world,
      { type: "box", halfExtents: [PLATE, HALF_THICKNESS, PLATE] },
      { name: "plate", friction: 0.5 },
      "glass",
    );
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, DROP, 0] });
    tilt(mesh.positions);
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh,
      size: [SIDE, SIDE],
      options: { damping: 0.5 },
    });
    const velocities = Float64Array.from(cloth.restPositions, (_, i) => (i % 3 === 1 ? -numberOf(values, "speed") : 0));
    cloth.body.writeState({ positions: cloth.restPositions, velocities });
    let fallenThrough = 0;
    return {
      props: [plate, ...legs(-0.4, 0.02, [0.55, -HALF_THICKNESS, 0.55])],
      async afterStep() {
        let below = 0;
        const { positions } = await cloth.body.readState();
        forEachSample(positions, cloth.faces, (_x, y) => {
          if (y < 0) below++;
        });
        fallenThrough = Math.max(fallenThrough, below);
      },
      async measure() {
        const { positions, velocities } = await cloth.body.readState();
        return {
          fallenThrough,
          maxPenetration: maxPenetration(positions, cloth.faces, [plate.distance()]),
          rmsSpeed: rmsSpeed(velocities, cloth.masses),
        };
      },
    };
  },
};

/** Lowers the cloth towards +x and +z, so that one corner hits first and the cloth crumples. */
function tilt(positions: Float64Array): void {
  for (let i = 0; i < positions.length; i += 3) positions[i + 1] -= SLOPE * (positions[i] + positions[i + 2]);
}
