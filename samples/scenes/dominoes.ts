import { numberOf } from "../parameters";
import { box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

const HEIGHT = 0.5;
const THICKNESS = 0.08;
const WIDTH = 0.25;

/** A row of dominoes that fall one after the other. */
export const dominoes: SceneDefinition = {
  name: "dominoes",
  title: "Dominoes",
  description: "A push at the first domino runs through the row.",
  frames: 360,
  groundHeight: 0,
  view: { target: [0, 0.2, 0], alpha: -1.1, beta: 1.1, radius: 5.1 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "count", default: 20, unit: "", range: [2, 100], integer: true, description: "number of dominoes" },
    { name: "spacing", default: 0.3, unit: "m", range: [0.12, 0.45], description: "from one to the next" },
    frictionParameter(0.5),
  ],
  metrics: [
    { name: "standing", unit: "", bound: 0, description: "dominoes that still stand" },
    { name: "waveSpeed", unit: "m/s", description: "way from the second to the last by the time between their falls" },
    {
      name: "maxPenetration",
      unit: "m",
      bound: 5e-3,
      description: "deepest contact of the last half second that anything was awake",
    },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    const friction = numberOf(values, "friction");
    const count = numberOf(values, "count");
    const spacing = numberOf(values, "spacing");
    const cast = new Cast(world);
    cast.floor({ friction });
    for (let k = 0; k < count; k++)
      cast.add(k % 2 === 0 ? "wood" : "plaster", {
        name: `domino ${k + 1}`,
        shape: box(THICKNESS, HEIGHT, WIDTH),
        friction,
        density: 600,
        position: [(k - (count - 1) / 2) * spacing, HEIGHT / 2, 0],
      });
    const [first] = cast.bodies;
    first.applyImpulse([0.9 * first.mass, 0, 0], [first.position[0], 0.9 * HEIGHT, 0]);
    const fallen = new Float64Array(count);
    const start = world.time;
    const meter = new PenetrationMeter(rigid);
    const isDown = (k: number): boolean => {
      const [x, , z] = cast.bodies[k].rotation;
      // the y axis leans by more than 20°
      return 1 - 2 * (x * x + z * z) < Math.cos((20 * Math.PI) / 180);
    };
    return {
      props: cast.props,
      afterStep(frame) {
        for (let k = 0; k < count; k++) if (fallen[k] === 0 && isDown(k)) fallen[k] = world.time - start;
        if (frame % 30 === 1 && rigid.contacts.count > 0) meter.deepest = 0;
        meter.update();
      },
      measure() {
        const standing = fallen.filter((time) => time === 0).length;
        const waveSpeed = standing > 0 || count < 3 ? 0 : ((count - 2) * spacing) / (fallen[count - 1] - fallen[1]);
        return Promise.resolve({ standing, waveSpeed, maxPenetration: meter.deepest });
      },
    };
  },
};
