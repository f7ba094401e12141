import { articulatedParameters, looksOf } from "../articulated";
import { halfCheetah as mechanism, halfCheetahGround } from "../mechanisms/half-cheetah";
import { motionMetrics, optimiseMotion, stepParameters } from "../optimised-motion";
import { choiceOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

/** Nine degrees of freedom with springs: a leap to a place half a meter ahead and up. */
export const halfCheetah: SceneDefinition = {
  name: "half-cheetah",
  title: "Half-cheetah",
  description: "Two sprung legs and a trunk, nine degrees of freedom: the optimizer looks for a leap to a goal.",
  frames: 180,
  articulated: true,
  groundHeight: 0,
  view: { target: [0.2, 0.6, 0], alpha: -1.75, beta: 1.4, radius: 4.2 },
  parameters: [
    ...articulatedParameters(0.002),
    ...stepParameters(400, 50, "torque"),
    { name: "goalX", default: 0.5, unit: "m", range: [-1, 2], description: "way ahead" },
    { name: "goalY", default: 0.5, unit: "m", range: [-0.3, 1], description: "way up" },
    {
      name: "optimiser",
      default: "ilqr",
      unit: "",
      choices: ["ilqr", "lbfgs"],
      description: "method of the optimizer",
    },
    { name: "iterations", default: 40, unit: "", range: [0, 1000], integer: true, description: "most iterations" },
  ],
  metrics: [
    ...motionMetrics(0.05),
    { name: "miss", unit: "m", bound: 0.25, description: "distance of the trunk from the goal at the end" },
  ],
  build(_world, values, _makeCloth, runner) {
    const description = mechanism();
    const goal = [numberOf(values, "goalX"), numberOf(values, "goalY")];
    const colours = { b: "clay", f: "wood" } as const;
    return optimiseMotion(
      {
        task: {
          mechanism: description,
          simulation: { timeStep: numberOf(values, "timeStep"), ground: halfCheetahGround() },
          steps: numberOf(values, "steps"),
          hold: numberOf(values, "hold"),
          cost: [{ of: "position", when: "final", indices: [0, 1], target: goal, weight: 1 }],
          options: {
            method: choiceOf(values, "optimiser", ["ilqr", "lbfgs"] as const),
            iterations: numberOf(values, "iterations"),
            goal: 1e-4,
          },
        },
        looks: looksOf(description, (link) => (/^(back|front) /.test(link) ? colours[link[0] as "b" | "f"] : "amber")),
        trace: { link: "pelvis", point: [0, 0, 0] },
        ghosts: [0.5, 1],
        slowness: 2,
        measure: ({ positions }) => {
          const end = positions.subarray(positions.length - 9);
          return { miss: Math.hypot(end[0] - goal[0], end[1] - goal[1]) };
        },
      },
      runner,
    );
  },
};
