import { product, turn } from "../../src/math/quaternions";
import { numberOf } from "../parameters";
import { aboutY, aboutZ, box, Cast, frictionParameter, rigidParameters, setUp } from "../rigid";
import type { ParameterValues, SceneDefinition } from "../scene";

const GRAVITY = 9.81;
const HALF = 0.5;

/** A box on a slope at the very edge of sliding. */
export const stickSlip: SceneDefinition = {
  name: "stick-slip",
  title: "Stick or slip",
  description: "A box on a slope. It sticks where the friction coefficient exceeds tan(angle) by a ten-thousandth.",
  frames: 240,
  groundHeight: -1.4,
  view: { target: [0.6, 0.2, 0], alpha: -1.2, beta: 1.25, radius: 7 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    { name: "angle", default: 10, unit: "°", range: [0, 45], description: "angle of the slope to the horizontal" },
    // tan 10° is 0.176327
    frictionParameter(0.176427),
    { name: "yaw", default: 0, unit: "°", range: [-180, 180], description: "direction in which the slope falls" },
    { name: "turn", default: 0, unit: "°", range: [-180, 180], description: "rotation of the box on the slope" },
  ],
  metrics: [
    { name: "slideDistance", unit: "m", bound: 1e-3, description: "way of the box down the slope" },
    { name: "expectedDistance", unit: "m", description: "closed form: g (sin − µ cos) h² n (n + 1) / 2, or 0" },
    { name: "slideError", unit: "m", bound: 1e-3, description: "difference of the two" },
  ],
  build(world, values) {
    setUp(world, values, GRAVITY);
    const angle = (numberOf(values, "angle") * Math.PI) / 180;
    const friction = numberOf(values, "friction");
    const rotation = product(aboutY((numberOf(values, "yaw") * Math.PI) / 180), aboutZ(-angle));
    const cast = new Cast(world);
    // The top of the slope passes through the origin and is long enough for the steepest slide.
    cast.add("wood", {
      name: "slope",
      motion: "static",
      shape: { type: "box", halfExtents: [60, 0.1, 1.2], center: [57, -0.1, 0] },
      rotation,
      friction,
    });
    const sled = cast.add("clay", {
      name: "box",
      shape: box(2 * HALF, 2 * HALF, 2 * HALF),
      mass: 10,
      friction,
      position: turn(rotation, [0, HALF, 0]),
      rotation: product(rotation, aboutY((numberOf(values, "turn") * Math.PI) / 180)),
      canSleep: false,
    });
    const start = sled.position;
    const downhill = turn(rotation, [1, 0, 0]);
    const startTime = world.time;
    return {
      props: cast.props,
      measure() {
        const end = sled.position;
        const slideDistance = downhill.reduce((sum, d, i) => sum + d * (end[i] - start[i]), 0);
        const expectedDistance = slide(angle, friction, world.time - startTime, values);
        return Promise.resolve({
          slideDistance,
          expectedDistance,
          slideError: Math.abs(slideDistance - expectedDistance),
        });
      },
    };
  },
};

/** Travel of a sliding box after n steps of symplectic Euler: a h² n (n + 1) / 2. */
function slide(angle: number, friction: number, time: number, values: ParameterValues): number {
  const h = numberOf(values, "frameTime") / numberOf(values, "substeps");
  const acceleration = Math.max(0, GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)));
  const steps = Math.round(time / h);
  return (acceleration * h * h * steps * (steps + 1)) / 2;
}
