import type { EnergyTerm } from "../../src/solvers/gpbd/model";
import { clothInWorld } from "../cloth";
import { hylcFabrics, hylcParameters, hylcSheet, pullOn, sagOf, SIDE, widthAtMiddle, type HylcFabric } from "../hylc";
import { choiceOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

/** The handles: the distance of their middle from the side, their width and their length [m]. */
const INSET = 0.16 * SIDE;
const WIDTH = 0.07 * SIDE;
const LENGTH = 0.67 * SIDE;
/** Part of the run in which the handles are pulled apart; in the rest the sheet comes to rest. */
const PULL = 0.5;

/** Travel of each handle along warp and weft [m]: the limit of the fabric. */
const pulls: Readonly<Record<HylcFabric, readonly [number, number]>> = {
  satin: [0.015, 0.018],
  basket: [0.022, 0.022],
  honeycomb: [0.04, 0.04],
  rib: [0.08, 0.03],
  stockinette: [0.05, 0.04],
};

/** Two handles pull a sheet of yarn-level cloth apart (figure 5 of paper 1). */
export const hylcStretch: SceneDefinition = {
  name: "hylc-stretch",
  title: "Stretched yarn-level cloth",
  description:
    "Two handles draw a sheet of yarn-level cloth apart. A rib knit gives way along one axis and not along the other.",
  frames: 60,
  groundHeight: -0.25,
  view: { target: [0, -0.02, 0], alpha: -1.2, beta: 0.75, radius: 0.85 },
  parameters: [
    ...hylcParameters({ resolution: 20, substeps: 32, fabric: "rib" }),
    {
      name: "pull",
      default: pulls.rib[0],
      follow: (values) => pulls[choiceOf(values, "fabric", hylcFabrics)][values.axis === "x" ? 0 : 1],
      unit: "m",
      range: [0, 0.3],
      description: "how far each handle is moved; the default is what the fabric allows along the axis",
    },
  ],
  metrics: [
    { name: "widthAtMiddle", unit: "m", description: "distance of the midpoints of the free sides at the end" },
    { name: "sag", unit: "m", description: "how far the lowest point is below the handles" },
    { name: "tension", unit: "N", description: "force that the sheet pulls a handle with at the end" },
    { name: "stretchPercent", unit: "%", description: "elongation between the handles" },
  ],
  async build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const axis = choiceOf(values, "axis", ["x", "y"] as const);
    const along = (x: number, y: number): readonly [number, number] => (axis === "x" ? [x, y] : [y, x]);
    // A coarse sheet has at least one row of vertices in a handle.
    const half = Math.max(WIDTH / 2, (0.51 * SIDE) / numberOf(values, "resolution"));
    const middle = SIDE / 2 - INSET;
    const sheet = await hylcSheet(values, "stretch", { thickness: 0.001 }, (x, y) => {
      const [a, b] = along(x, y);
      return Math.abs(Math.abs(a) - middle) <= half && Math.abs(b) <= LENGTH / 2;
    });
    const body = makeCloth(sheet);
    const rest = sheet.positions;
    const coordinate = axis === "x" ? 0 : 2;
    const right = new Set(sheet.pins.filter((p) => rest[3 * p + coordinate] > 0));
    const pull = numberOf(values, "pull");
    const duration = (PULL * hylcStretch.frames) / 60;
    const { terms } = body.model as unknown as { terms: readonly EnergyTerm[] };
    return {
      props: [],
      beforeStep(time, dt) {
        const moved = pull * Math.min(1, (time + dt) / duration);
        for (const p of sheet.pins) {
          const target = [rest[3 * p], rest[3 * p + 1], rest[3 * p + 2]];
          target[coordinate] += Math.sign(target[coordinate]) * moved;
          body.setPinTarget(p, target[0], target[1], target[2]);
        }
      },
      async measure() {
        const positions = await body.readPositions();
        return {
          widthAtMiddle: widthAtMiddle(positions, sheet.columns, axis),
          sag: sagOf(positions),
          tension: -pullOn(terms[0], positions, right, axis === "x" ? [1, 0, 0] : [0, 0, 1]),
          stretchPercent: (100 * pull) / (middle - half),
        };
      },
    };
  },
};
