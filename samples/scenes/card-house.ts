import { cos, sin } from "../../src/math/deterministic";
import { numberOf } from "../parameters";
import { aboutZ, box, Cast, DriftMeter, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

const LENGTH = 1;
const THICKNESS = 0.02;
const WIDTH = 0.7;
const LEAN = (20 * Math.PI) / 180;

/** Cards that lean on each other, level upon level; only friction holds them. */
export const cardHouse: SceneDefinition = {
  name: "card-house",
  title: "House of cards",
  description: "Pairs of leaning cards with flat ones between the levels.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 1.3, 0], alpha: -1.25, beta: 1.3, radius: 4.6 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "levels", default: 3, unit: "", range: [1, 6], integer: true, description: "levels of leaning cards" },
    frictionParameter(0.8),
  ],
  metrics: [
    { name: "standing", unit: "", description: "1 while no card has come down" },
    { name: "maxDrift", unit: "m", bound: 2e-2, description: "furthest way of a card from where it stood" },
    { name: "maxPenetration", unit: "m", bound: 1e-3, description: "deepest contact" },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    rigid.configure({ directLimit: 1200 });
    const friction = numberOf(values, "friction");
    const levels = numberOf(values, "levels");
    const cast = new Cast(world);
    cast.floor({ friction });
    // Half extents of a leaning card across and upward, with its thickness.
    const [sine, cosine] = [sin(LEAN), cos(LEAN)];
    const across = (LENGTH * sine + THICKNESS * cosine) / 2;
    const up = (LENGTH * cosine + THICKNESS * sine) / 2;
    const options = { shape: box(THICKNESS, LENGTH, WIDTH), friction, density: 700, canSleep: false };
    const span = 4 * across + 0.02;
    let floor = 0;
    for (let level = 0; level < levels; level++) {
      const pairs = levels - level;
      for (let k = 0; k < pairs; k++) {
        const x = (k - (pairs - 1) / 2) * span;
        cast.add("plaster", { ...options, position: [x - across, floor + up, 0], rotation: aboutZ(-LEAN) });
        cast.add("plaster", { ...options, position: [x + across, floor + up, 0], rotation: aboutZ(LEAN) });
      }
      // One long card lies over all tops of a level, and the next level stands on it.
      if (pairs > 1)
        cast.add("clay", {
          ...options,
          shape: box((pairs - 1) * span + 0.2, THICKNESS, WIDTH),
          position: [0, floor + 2 * up + THICKNESS / 2, 0],
        });
      floor += 2 * up + THICKNESS;
    }
    const drift = new DriftMeter(cast.bodies);
    const meter = new PenetrationMeter(rigid);
    return {
      props: cast.props,
      afterStep() {
        drift.update();
        meter.update();
      },
      measure() {
        const standing = drift.largest < 0.1 ? 1 : 0;
        return Promise.resolve({ standing, maxDrift: drift.largest, maxPenetration: meter.deepest });
      },
    };
  },
};
