import { distance } from "../../src/math/vectors";
import { numberOf } from "../parameters";
import { box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { Metric, ParameterValues, PropMaterial, SceneDefinition, SceneInstance } from "../scene";
import type { World } from "../../src/index";

const metrics = (penetration: number, drift: number): Metric[] => [
  { name: "maxPenetration", unit: "m", bound: penetration, description: "deepest contact after the first half second" },
  { name: "topDrift", unit: "m", bound: drift, description: "furthest way of the top box from where it stood" },
  { name: "standing", unit: "", description: "1 while the top box is above its neighbor" },
];

/** Boxes of 1 m on top of each other, with these masses from the floor up. */
function stack(world: World, values: ParameterValues, masses: readonly number[]): SceneInstance {
  const rigid = setUp(world, values);
  const cast = new Cast(world);
  const friction = numberOf(values, "friction");
  cast.floor({ friction });
  const materials: readonly PropMaterial[] = ["wood", "clay", "plaster", "stone", "steel"];
  masses.forEach((mass, k) =>
    cast.add(materials[k % materials.length], {
      name: `box ${k + 1}`,
      shape: box(1, 1, 1),
      mass,
      friction,
      position: [0, k + 0.5, 0],
      canSleep: false,
    }),
  );
  const top = cast.bodies.at(-1);
  const start = top.position;
  const startTime = world.time;
  const meter = new PenetrationMeter(rigid);
  let topDrift = 0;
  return {
    props: cast.props,
    afterStep() {
      topDrift = Math.max(topDrift, distance(top.position, start));
      if (world.time - startTime > 0.5) meter.update();
    },
    measure() {
      const standing = top.position[1] > masses.length - 0.75 ? 1 : 0;
      return Promise.resolve({ maxPenetration: meter.deepest, topDrift, standing });
    },
  };
}

/** Each box is eight times as heavy as the one below it. */
export const heavyStack: SceneDefinition = {
  name: "heavy-stack",
  title: "Heavy stack",
  description:
    "Boxes of 8, 64, 512, 4096 and 32768 kg, the heaviest on top: the one below carries 4000 times its weight.",
  frames: 300,
  groundHeight: 0,
  view: { target: [0, 2.4, 0], alpha: -1.1, beta: 1.3, radius: 7.6 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    frictionParameter(0.5),
    { name: "ratio", default: 8, unit: "", range: [1, 100], description: "mass of a box by that of the one below" },
  ],
  metrics: metrics(1e-3, 5e-3),
  build(world, values) {
    const ratio = numberOf(values, "ratio");
    return stack(
      world,
      values,
      [0, 1, 2, 3, 4].map((k) => 8 * ratio ** k),
    );
  },
};

export const tower: SceneDefinition = {
  name: "tower",
  title: "Tower",
  description: "Equal boxes on top of each other.",
  frames: 300,
  groundHeight: 0,
  view: { target: [0, 4.8, 0], alpha: -1.1, beta: 1.35, radius: 19 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    frictionParameter(0.5),
    { name: "count", default: 10, unit: "", range: [1, 60], integer: true, description: "number of boxes" },
  ],
  metrics: metrics(5e-4, 1e-3),
  build(world, values) {
    return stack(world, values, Array<number>(numberOf(values, "count")).fill(1000));
  },
};
