import { gridMesh } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, fabricOf, segmentsOf } from "../cloth";
import { maxPenetration, rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const SIDE = 1;
const THICKNESS = 0.004;

/** A square cloth of one meter falls onto a sphere that rests on a stand, and comes to rest. */
export const clothOnSphere: SceneDefinition = {
  name: "cloth-on-sphere",
  title: "Cloth on a sphere",
  description: "A square cloth drapes over a sphere. After five seconds it hangs still.",
  frames: 300,
  groundHeight: -0.62,
  view: { target: [0, -0.13, 0], alpha: 1.1, beta: 1.25, radius: 1.7 },
  parameters: [
    ...clothStepping({ resolution: 32, substeps: 26, iterations: 1 }),
    ...clothParameters({ resolution: 32, fabric: "cotton" }),
    {
      name: "areaDensity",
      default: 0.2,
      unit: "kg/m²",
      range: [0.02, 2],
      description: "mass of the cloth for its area",
    },
    { name: "radius", default: 0.3, unit: "m", range: [0.1, 0.45], description: "radius of the sphere" },
    {
      name: "damping",
      default: 0.5,
      unit: "1/s",
      range: [0, 20],
      description: "rate at which velocities fade",
    },
  ],
  metrics: [
    { name: "maxPenetration", unit: "m", bound: 1e-3, description: "deepest point of the cloth inside the sphere" },
    { name: "maxStretchPercent", unit: "%", bound: 5, description: "largest elongation of an edge at the end" },
    { name: "rmsSpeed", unit: "m/s", bound: 0.02, description: "root mean square speed at the end" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const radius = numberOf(values, "radius");
    const friction = fabricOf(values).friction;
    const sphere = new Obstacle(world, { type: "sphere", radius }, { name: "sphere", friction }, "porcelain");
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh: gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, radius + 0.03, 0] }),
      size: [SIDE, SIDE],
      areaDensity: numberOf(values, "areaDensity"),
      options: { damping: numberOf(values, "damping"), thickness: THICKNESS },
    });
    return {
      props: [
        sphere,
        {
          shape: { type: "cylinder", pointA: [0, -0.6, 0], pointB: [0, 0.1 - radius, 0], radius: 0.03 },
          material: "wood",
        },
        {
          shape: { type: "cylinder", pointA: [0, -0.62, 0], pointB: [0, -0.59, 0], radius: 0.16 },
          material: "wood",
        },
      ],
      async measure() {
        const { positions, velocities } = await cloth.body.readState();
        return {
          maxPenetration: maxPenetration(positions, cloth.faces, [sphere.distance()]),
          maxStretchPercent: cloth.stretchPercent(positions),
          rmsSpeed: rmsSpeed(velocities, cloth.masses),
        };
      },
    };
  },
};
