import { curl, hylcParameters, hylcSheet, sagOf, SIDE, widthAtMiddle } from "../hylc";
import { clothInWorld } from "../cloth";
import { kineticEnergy, rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { choiceOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const RADIUS = 0.03;
const FRICTION = 0.052;
/** Distance of the pins from the middle of the sheet [m], and the radius around them [m]. */
const PINNED = 0.1;
const PIN_RADIUS = 0.01;

/** A sheet of yarn-level cloth, pinned at two points, drapes over a small sphere (figure 6 of paper 1). */
export const hylcDrape: SceneDefinition = {
  name: "hylc-drape",
  title: "Draped yarn-level cloth",
  description:
    "A sheet of yarn-level cloth hangs at two pins over a small sphere. Knits sag and curl where wovens stand off.",
  frames: 120,
  groundHeight: -0.35,
  view: { target: [0.02, -0.08, 0], alpha: -0.7, beta: 1.15, radius: 0.75 },
  parameters: hylcParameters({ resolution: 20, substeps: 32, fabric: "stockinette" }),
  metrics: [
    {
      name: "widthAtMiddle",
      unit: "m",
      description: "distance of the midpoints of the sides along the axis, at the end",
    },
    { name: "sag", unit: "m", description: "how far the lowest point is below the pins" },
    { name: "curlWarp", unit: "1/m", description: "mean curvature along the warp at the sides that end it" },
    { name: "curlWeft", unit: "1/m", description: "the same along the weft" },
    { name: "maxKineticEnergy", unit: "J", description: "largest kinetic energy during the run" },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  async build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const axis = choiceOf(values, "axis", ["x", "y"] as const);
    const reach = Math.max(PIN_RADIUS, (0.75 * SIDE) / numberOf(values, "resolution"));
    const points = axis === "x" ? [[-PINNED, -PINNED], [-PINNED, PINNED]] : [[-PINNED, PINNED], [PINNED, PINNED]]; // oxfmt-ignore
    const sheet = await hylcSheet(values, "drape", { friction: FRICTION, thickness: 0.002 }, (x, y) =>
      points.some(([px, py]) => Math.hypot(x - px, y - py) <= reach),
    );
    const center = [0, -0.04, 0] as const;
    const sphere = new Obstacle(
      world,
      { type: "sphere", radius: RADIUS },
      { name: "sphere", friction: FRICTION, position: center },
      "porcelain",
    );
    const body = makeCloth(sheet);
    const { masses } = body.model;
    let maxKineticEnergy = 0;
    return {
      props: [
        sphere,
        {
          shape: { type: "cylinder", pointA: [0, -0.35, 0], pointB: [0, -0.065, 0], radius: 0.006 },
          material: "steel",
        },
      ],
      async afterStep() {
        const { velocities } = await body.readState();
        maxKineticEnergy = Math.max(maxKineticEnergy, kineticEnergy(velocities, masses));
      },
      async measure() {
        const { positions, velocities } = await body.readState();
        return {
          widthAtMiddle: widthAtMiddle(positions, sheet.columns, axis),
          sag: sagOf(positions),
          curlWarp: curl(positions, sheet.columns, "x"),
          curlWeft: curl(positions, sheet.columns, "y"),
          maxKineticEnergy,
          rmsSpeed: rmsSpeed(velocities, masses),
        };
      },
    };
  },
};
