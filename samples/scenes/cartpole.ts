import { articulatedParameters, type LinkLook } from "../articulated";
import { cartLooks, cartpole as mechanism } from "../mechanisms/cartpole";
import { motionMetrics, optimiseMotion, stepParameters } from "../optimised-motion";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { rail } from "../stands";

const looks: readonly LinkLook[] = [
  ...cartLooks,
  {
    link: "pole",
    shape: { type: "cylinder", pointA: [0, -0.5, 0.1], pointB: [0, -0.5, 0.2], radius: 0.06 },
    material: "clay",
  },
];

/** A pole swings up on a cart by forces on the cart alone. */
export const cartpole: SceneDefinition = {
  name: "cartpole",
  title: "Cart-pole",
  description: "An optimizer finds forces on the cart that swing the hanging pole up and bring both to rest.",
  frames: 300,
  articulated: true,
  groundHeight: -1.2,
  view: { target: [0, 0, 0], alpha: -Math.PI / 2, beta: 1.4, radius: 5 },
  parameters: [
    ...articulatedParameters(0.01),
    ...stepParameters(500, 100, "force"),
    { name: "force", default: 10, unit: "N", range: [5, 100], description: "largest force on the cart" },
    {
      name: "angle",
      default: 180,
      unit: "°",
      range: [-180, 180],
      description: "angle of the pole at the start; 0 is up",
    },
    { name: "iterations", default: 120, unit: "", range: [0, 5000], integer: true, description: "most iterations" },
  ],
  metrics: [
    ...motionMetrics(0.01),
    { name: "finalAngle", unit: "rad", bound: 0.1, description: "distance of the pole from upright at the end" },
    { name: "finalOffset", unit: "m", bound: 0.1, description: "distance of the cart from the middle at the end" },
    { name: "largestForce", unit: "N", description: "largest force on the cart" },
  ],
  build(_world, values, _makeCloth, runner) {
    const steps = numberOf(values, "steps");
    const force = numberOf(values, "force");
    return optimiseMotion(
      {
        task: {
          mechanism: mechanism("actuated-cart"),
          simulation: { timeStep: numberOf(values, "timeStep") },
          position: [0, (numberOf(values, "angle") * Math.PI) / 180],
          velocity: [0, 0],
          steps,
          hold: numberOf(values, "hold"),
          lower: -force,
          upper: force,
          cost: [
            { of: "position", when: "final", weight: 1 },
            { of: "velocity", when: "final", weight: 1 },
          ],
          options: { iterations: numberOf(values, "iterations") },
        },
        looks,
        props: rail(),
        trace: { link: "pole", point: [0, 0.5, 0.15] },
        ghosts: [0.2, 0.35, 0.5, 0.65, 0.8],
        slowness: 1,
        measure: ({ positions, controls }) => ({
          finalAngle: Math.abs(positions[positions.length - 1]),
          finalOffset: Math.abs(positions[positions.length - 2]),
          largestForce: controls.reduce((most, u) => Math.max(most, Math.abs(u)), 0),
        }),
      },
      runner,
    );
  },
};
