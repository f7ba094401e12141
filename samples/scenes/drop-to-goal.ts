import type { LinkShape, MechanismDescription } from "../../src/articulated/description";
import { articulatedParameters, looksOf } from "../articulated";
import { motionMetrics, optimiseMotion, stepParameters } from "../optimised-motion";
import { choiceOf, numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const RADIUS = 0.1;

/** A ball in a plane with pushes weaker than its weight. */
function ball(height: number, push: number, restitution: number): MechanismDescription {
  return {
    name: "ball",
    links: [
      {
        name: "ball",
        mass: 1,
        joint: { type: "translational-2d", initialPosition: [-1, height], effortLimit: push },
        shapes: [{ shape: { type: "sphere", radius: RADIUS }, restitution, friction: 0.5 }],
      },
    ],
  };
}

/** Gradients through a bounce: a ball that cannot fly is steered to a goal in the air by way of the floor. */
export const dropToGoal: SceneDefinition = {
  name: "drop-to-goal",
  title: "Drop to a goal",
  description: "A falling ball is pushed with less than its weight. It has to bounce to reach the goal in the air.",
  frames: 180,
  articulated: true,
  groundHeight: 0,
  view: { target: [0, 0.55, 0], alpha: -1.75, beta: 1.4, radius: 2.7 },
  parameters: [
    ...articulatedParameters(0.002),
    { name: "height", default: 1, unit: "m", range: [0.3, 2], description: "height from which the ball is dropped" },
    { name: "push", default: 8, unit: "N", range: [1, 9.8], description: "strongest push along an axis" },
    {
      name: "restitution",
      default: 0.8,
      unit: "",
      range: [0, 1],
      description: "part of its speed that a bounce leaves",
    },
    { name: "goalX", default: 0.8, unit: "m", range: [-2, 2], description: "where the ball shall be at the end" },
    { name: "goalY", default: 0.8, unit: "m", range: [0.1, 2], description: "how high" },
    ...stepParameters(450, 50, "push"),
    {
      name: "optimiser",
      default: "ilqr",
      unit: "",
      choices: ["ilqr", "lbfgs"],
      description: "method of the optimizer",
    },
    { name: "iterations", default: 60, unit: "", range: [0, 1000], integer: true, description: "most iterations" },
  ],
  metrics: [
    ...motionMetrics(0.01),
    { name: "miss", unit: "m", bound: 0.1, description: "distance of the ball from the goal at the end" },
    { name: "lowest", unit: "m", description: "least height of the ball's center on its way" },
  ],
  build(_world, values, _makeCloth, runner) {
    const description = ball(numberOf(values, "height"), numberOf(values, "push"), numberOf(values, "restitution"));
    const slab: LinkShape = {
      shape: { type: "box", halfExtents: [2.5, 0.25, 0.6] },
      position: [0, -0.25, 0],
      restitution: 1,
    };
    const target = [numberOf(values, "goalX"), numberOf(values, "goalY")] as const;
    return optimiseMotion(
      {
        task: {
          mechanism: description,
          simulation: { timeStep: numberOf(values, "timeStep"), ground: [slab] },
          steps: numberOf(values, "steps"),
          hold: numberOf(values, "hold"),
          cost: [{ of: "position", when: "final", target, weight: 1 }],
          options: {
            method: choiceOf(values, "optimiser", ["ilqr", "lbfgs"] as const),
            iterations: numberOf(values, "iterations"),
            goal: 1e-6,
          },
        },
        looks: looksOf(description, () => "rubber"),
        props: [{ shape: { type: "sphere", radius: 0.05 }, position: [...target, 0], material: "glass" }],
        trace: { link: "ball", point: [0, 0, 0] },
        ghosts: [0.2, 0.4, 0.6, 0.8, 1],
        slowness: 2,
        measure: ({ positions }) => {
          const end = positions.subarray(positions.length - 2);
          return {
            miss: Math.hypot(end[0] - target[0], end[1] - target[1]),
            lowest: positions.reduce((least, y, i) => (i % 2 === 1 ? Math.min(least, y) : least), Infinity),
          };
        },
      },
      runner,
    );
  },
};
