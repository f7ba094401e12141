import { articulatedParameters, looksOf } from "../articulated";
import { jumpWorm, jumpWormFloor } from "../mechanisms/jump-worm";
import { motionMetrics, optimiseMotion, stepParameters } from "../optimised-motion";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const FLOOR = -0.7;

/** Five degrees of freedom, three of them actuated: a chain of boxes learns to jump. */
export const jumpworm: SceneDefinition = {
  name: "jumpworm",
  title: "Jump-worm",
  description: "Three hinged boxes push off the floor; the optimizer differentiates through contact to jump high.",
  frames: 120,
  articulated: true,
  groundHeight: FLOOR - 0.125,
  view: { target: [0, -0.25, 0], alpha: -1.75, beta: 1.35, radius: 2.2 },
  parameters: [
    ...articulatedParameters(0.001),
    ...stepParameters(400, 100, "torque"),
    { name: "torque", default: 100, unit: "N m", range: [10, 1000], description: "largest torque of a hinge" },
    { name: "iterations", default: 20, unit: "", range: [0, 1000], integer: true, description: "most iterations" },
  ],
  metrics: [
    ...motionMetrics(0.01),
    { name: "height", unit: "m", description: "height of the root at the end, above where it started" },
  ],
  build(_world, values, _makeCloth, runner) {
    const description = jumpWorm({ rootHeight: -0.14, effortLimit: numberOf(values, "torque") });
    const ground = jumpWormFloor(FLOOR);
    return optimiseMotion(
      {
        task: {
          mechanism: description,
          simulation: { timeStep: numberOf(values, "timeStep"), ground },
          steps: numberOf(values, "steps"),
          hold: numberOf(values, "hold"),
          cost: [{ of: "position", when: "final", indices: [1], weight: -100, form: "signed-square" }],
          options: { iterations: numberOf(values, "iterations") },
        },
        looks: looksOf(description, (link) => (link === "root" ? "amber" : "clay")),
        props: ground.map(({ shape, position }) => ({ shape, position, material: "stone" })),
        trace: { link: "root", point: [0, 0, 0] },
        ghosts: [0.35, 0.7, 1],
        slowness: 4,
        measure: ({ positions }) => ({ height: positions[positions.length - 4] - positions[1] }),
      },
      runner,
    );
  },
};
