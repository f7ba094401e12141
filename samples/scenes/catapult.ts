import { articulatedParameters, looksOf } from "../articulated";
import { catapult as mechanism, catapultFloor, catapultTarget } from "../mechanisms/catapult";
import { motionMetrics, optimiseMotion, stepParameters } from "../optimised-motion";
import { choiceOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const [X, Y] = catapultTarget;

/** An arm of three links throws a box at a target. */
export const catapult: SceneDefinition = {
  name: "catapult",
  title: "Catapult",
  description:
    "The optimizer finds torques with which the arm throws the box so that it hits the target in half a second.",
  frames: 180,
  articulated: true,
  groundHeight: -0.825,
  view: { target: [1.1, 0.7, 0], alpha: -1.7, beta: 1.4, radius: 5.2 },
  parameters: [
    ...articulatedParameters(0.001),
    ...stepParameters(500, 100, "torque"),
    {
      name: "optimiser",
      default: "ilqr",
      unit: "",
      choices: ["ilqr", "lbfgs"],
      description: "method of the optimizer",
    },
    { name: "targetX", default: X, unit: "m", range: [0.5, 4], description: "where the box shall fly" },
    { name: "targetY", default: Y, unit: "m", range: [0, 4], description: "how high" },
    { name: "iterations", default: 60, unit: "", range: [0, 1000], integer: true, description: "most iterations" },
  ],
  metrics: [
    ...motionMetrics(0.05),
    { name: "miss", unit: "m", bound: 0.5, description: "distance of the box from the target at the end" },
  ],
  build(_world, values, _makeCloth, runner) {
    const description = mechanism();
    const ground = catapultFloor();
    const target = [numberOf(values, "targetX"), numberOf(values, "targetY")] as const;
    return optimiseMotion(
      {
        task: {
          mechanism: description,
          simulation: { timeStep: numberOf(values, "timeStep"), ground },
          steps: numberOf(values, "steps"),
          hold: numberOf(values, "hold"),
          cost: [{ of: "position", when: "final", indices: [0, 1], target, weight: 1 }],
          options: {
            method: choiceOf(values, "optimiser", ["ilqr", "lbfgs"] as const),
            iterations: numberOf(values, "iterations"),
            goal: 1e-6,
          },
        },
        looks: looksOf(description, (link) => (link === "projectile" ? "amber" : "wood")),
        props: [
          ...ground.map(({ shape, position }) => ({ shape, position, material: "stone" as const })),
          { shape: { type: "sphere", radius: 0.07 }, position: [...target, 0], material: "glass" },
        ],
        trace: { link: "projectile", point: [0, 0, 0] },
        ghosts: [0.25, 0.5, 0.75, 1],
        slowness: 4,
        measure: ({ positions }) => {
          const end = positions.subarray(positions.length - 5);
          return { miss: Math.hypot(end[0] - target[0], end[1] - target[1]) };
        },
      },
      runner,
    );
  },
};
