import { gridMesh } from "../../src/index";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { numberOf } from "../parameters";
import { Cast } from "../rigid";
import type { SceneDefinition } from "../scene";
import { gantry } from "../stands";

const SIDE = 1;
const RADIUS = 0.12;
const GROUND = -1;
/** Height of the sheet. */
const TOP = 0.5;

/** A heavy ball falls on a sheet in a frame and tears it. */
export const tear: SceneDefinition = {
  name: "tear",
  title: "Torn cloth",
  description:
    "A heavy ball falls on a sheet that is held at two edges. Where the sheet is stretched by more than it bears it comes apart " +
    "along the edges of its triangles, until the ball is through.",
  frames: 90,
  groundHeight: GROUND,
  view: { target: [0, 0.25, 0], alpha: -1.1, beta: 1.1, radius: 2.6 },
  parameters: [
    ...clothStepping({ resolution: 20, substeps: 20, iterations: 1 }),
    ...clothParameters({ resolution: 20, highest: 64, fabric: "cotton" }),
    { name: "strain", default: 0.12, unit: "", range: [0.01, 3], description: "elongation that the sheet bears" },
    { name: "mass", default: 4, unit: "kg", range: [0.05, 50], description: "mass of the ball" },
    { name: "height", default: 0.6, unit: "m", range: [0.05, 3], description: "from which the ball falls" },
  ],
  metrics: [
    { name: "tears", unit: "", description: "particles that tears have added" },
    {
      name: "tornBeforeTouch",
      unit: "",
      bound: 0,
      description: "of those, how many while the ball had not come to the sheet yet",
    },
    { name: "massError", unit: "", bound: 1e-12, description: "of the sheet at the end, against before" },
    { name: "held", unit: "", bound: 0, description: "1: the sheet holds the ball" },
    { name: "longestTear", unit: "s", description: "time that the tears of a frame took, at most" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const cast = new Cast(world);
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, TOP, 0] });
    const pins: number[] = [];
    for (let p = 0; 3 * p < mesh.positions.length; p++)
      if (Math.abs(mesh.positions[3 * p]) > SIDE / 2 - 1e-6) pins.push(p);
    const cloth = addCloth(makeCloth, values, {
      name: "sheet",
      mesh,
      size: [SIDE, SIDE],
      pins,
      options: { tearing: { strain: numberOf(values, "strain") } },
      material: "linen",
    });
    const ball = cast.add("steel", {
      name: "ball",
      shape: { type: "sphere", radius: RADIUS },
      mass: numberOf(values, "mass"),
      position: [0, TOP + RADIUS + 0.01 + numberOf(values, "height"), 0.05],
    });
    const { body } = cloth;
    const sum = (masses: ArrayLike<number>): number => Array.from(masses).reduce((all, mass) => all + mass, 0);
    const mass = sum((body.model as GpbdModel).masses);
    let [tears, early, touched] = [0, 0, false];
    body.onTear?.add(({ splits }) => {
      tears += splits.length;
      if (!touched) early += splits.length;
    });
    return {
      props: [
        ...cast.props,
        ...[-SIDE / 2, SIDE / 2].flatMap((x) => gantry(GROUND, 0.012, [x, TOP, -SIDE / 2], [x, TOP, SIDE / 2])),
      ],
      afterStep() {
        touched ||= ball.position[1] < TOP + RADIUS + 0.02;
      },
      measure() {
        return Promise.resolve({
          tears,
          tornBeforeTouch: early,
          massError: Math.abs(sum(body.model.masses) / mass - 1),
          held: ball.position[1] < TOP - 0.5 ? 0 : 1,
          longestTear: body.longestTear,
        });
      },
    };
  },
};
