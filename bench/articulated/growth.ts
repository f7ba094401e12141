import type { LinkDescription, MechanismDescription } from "../../src/articulated/description";
import { fitExponent } from "../exponent";
import { pliantTasks } from "./pliant";
import type { ArticulatedScene } from "./scenes";
import { timeTasks } from "./timing";

/** Growth of a task's time with the number of links: time ∝ links^exponent. */
export interface LinkGrowth {
  readonly scene: string;
  readonly contestant: string;
  readonly settings: string;
  readonly sizes: readonly number[];
  readonly exponent: number;
}

const sizes = [4, 8, 16, 32, 64];

/** Growth for mechanisms without contact: a chain of hinges, and a tree in which each link holds two. */
export function linkGrowths(rounds: number): LinkGrowth[] {
  const kinds = [
    ["chain", (i: number) => i - 1],
    ["binary tree", (i: number) => Math.ceil(i / 2) - 1],
  ] as const;
  return kinds.flatMap(([scene, parentOf]) => {
    const times = sizes.map((size) => {
      const { step, analytic } = pliantTasks(hinges(scene, size, parentOf));
      return timeTasks([step, analytic], rounds).map(({ fastestMsPerFrame }) => fastestMsPerFrame);
    });
    return ["step", "Jacobians, analytic"].map((settings, which) => {
      const exponent = fitExponent(
        sizes,
        times.map((row) => row[which]),
      );
      return { scene, contestant: "cpu", settings, sizes, exponent };
    });
  });
}

function hinges(scene: string, count: number, parentOf: (i: number) => number): ArticulatedScene {
  const links = Array.from({ length: count }, (_, i): LinkDescription => {
    const parent = parentOf(i);
    return {
      name: `link ${i}`,
      ...(parent < 0 ? {} : { parent: `link ${parent}` }),
      joint: { type: "revolute", axis: i % 2 === 0 ? [0, 0, 1] : [0, 1, 0], parentFrame: { position: [0.2, 0, 0] } },
      mass: 1,
      centerOfMass: [0.1, 0, 0],
      inertia: [0.01, 0.01, 0.01, 0, 0, 0],
    };
  });
  const mechanism: MechanismDescription = { name: scene, links };
  const vector = (scale: number) => Float64Array.from({ length: count }, (_, k) => scale * Math.sin(k + 1));
  return { name: scene, mechanism, ground: [], timeStep: 1e-3, q: vector(0.5), qd: vector(0.3), tau: vector(0.1) };
}
