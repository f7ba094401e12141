import { gridMesh } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, fabricOf, segmentsOf } from "../cloth";
import { standingBunny, standingTeapot } from "../meshes";
import { maxPenetration, rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const SIDE = 1.6;
const TABLE_HEIGHT = 0.74;
const TABLE_RADIUS = 0.5;

/** A cloth falls over a table on which a teapot and a bunny stand. */
export const tablecloth: SceneDefinition = {
  name: "tablecloth",
  title: "Tablecloth",
  description: "A cloth falls over a round table with the Utah teapot and the Stanford bunny on it.",
  frames: 240,
  groundHeight: 0,
  view: { target: [0, 0.56, 0], alpha: -1.2, beta: 1.25, radius: 2.35 },
  parameters: [
    ...clothStepping({ resolution: 48, substeps: 75, iterations: 1 }),
    ...clothParameters({ resolution: 48, highest: 256, fabric: "cotton" }),
    { name: "damping", default: 0.5, unit: "1/s", range: [0, 20], description: "rate at which velocities fade" },
  ],
  metrics: [
    { name: "maxPenetration", unit: "m", bound: 5e-3, description: "deepest point of the cloth inside an obstacle" },
    { name: "maxStretchPercent", unit: "%", bound: 10, description: "largest elongation of an edge at the end" },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const friction = fabricOf(values).friction;
    const standing = { position: [0, TABLE_HEIGHT, 0] as const, friction };
    const obstacles = [
      new Obstacle(
        world,
        {
          type: "cylinder",
          pointA: [0, TABLE_HEIGHT - 0.03, 0],
          pointB: [0, TABLE_HEIGHT, 0],
          radius: TABLE_RADIUS,
        },
        { name: "table top", friction },
        "wood",
      ),
      new Obstacle(
        world,
        { type: "mesh", ...standingTeapot(0.2, -0.5), resolution: 64 },
        { name: "teapot", ...standing, position: [-0.17, TABLE_HEIGHT, -0.03] },
        "porcelain",
      ),
      new Obstacle(
        world,
        { type: "mesh", ...standingBunny(0.28, 0.4), resolution: 64 },
        { name: "bunny", ...standing, position: [0.2, TABLE_HEIGHT, 0.04] },
        "clay",
      ),
      new Obstacle(
        world,
        { type: "cylinder", pointA: [0, 0, 0], pointB: [0, TABLE_HEIGHT - 0.03, 0], radius: 0.05 },
        { name: "leg", friction },
        "wood",
      ),
    ];
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const cloth = addCloth(makeCloth, values, {
      name: "tablecloth",
      mesh: gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, TABLE_HEIGHT + 0.33, 0] }),
      size: [SIDE, SIDE],
      options: { damping: numberOf(values, "damping") },
      material: "gingham",
    });
    return {
      props: [
        ...obstacles,
        { shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, 0.03, 0], radius: 0.26 }, material: "wood" },
      ],
      async measure() {
        const { positions, velocities } = await cloth.body.readState();
        return {
          maxPenetration: maxPenetration(
            positions,
            cloth.faces,
            obstacles.map((obstacle) => obstacle.distance()),
          ),
          maxStretchPercent: cloth.stretchPercent(positions),
          rmsSpeed: rmsSpeed(velocities, cloth.masses),
        };
      },
    };
  },
};
