import { describe, expect, it } from "vitest";
import type { LinkDescription, MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedModel } from "../../../src/articulated/model";
import type { CostTerm } from "../../../src/articulated/optimise/cost/cost";
import { runTask, type TrajectoryTask } from "../../../src/articulated/optimise/task";

/** An arm of two hinges that lies on the lower limits of both, size times half a meter long. */
function arm(size: number, limits: { readonly lower?: number; readonly upper?: number } = {}): MechanismDescription {
  const half = 0.125 * size;
  const links = [0, 1].map((i): LinkDescription => {
    const moment = (size ** 5 * (2 * half) ** 2) / (12 * size ** 2);
    return {
      name: `link ${i}`,
      ...(i === 0 ? {} : { parent: "link 0" }),
      mass: size ** 3,
      centerOfMass: [half, 0, 0],
      inertia: [moment, moment, moment, 0, 0, 0],
      joint: {
        type: "revolute",
        parentFrame: { position: [i === 0 ? 0 : 2 * half, 0, 0] },
        lower: i === 0 ? -1 : -0.8,
        upper: i === 0 ? 2 : 1.5,
        initialPosition: i === 0 ? -1 : -0.8,
        damping: 0.05 * size ** 4.5,
        effortLimit: 10 * size ** 4,
        ...limits,
      },
    };
  });
  return { name: "arm", links };
}

function reach(mechanism: MechanismDescription, size: number, changes: Partial<TrajectoryTask> = {}): TrajectoryTask {
  const point = [0.25 * size, 0, 0] as const;
  const weight = 1000 * size ** 2;
  const cost: CostTerm[] = [
    { of: "point", link: "link 1", point, target: [0.1 * size, 0.4 * size, 0], when: "final", weight },
    { of: "velocity", when: "running", weight: 0.05 * size ** 4 },
    { of: "control", when: "running", weight: 1e-4 / size ** 4 },
  ];
  const simulation = { timeStep: 0.02 * Math.sqrt(size), limits: "ahead" } as const;
  return { mechanism, simulation, steps: 50, cost, ...changes };
}

/** Largest way beyond a limit. */
function beyond(mechanism: MechanismDescription, positions: Float64Array): number {
  const { nv, lower, upper } = new ArticulatedModel(mechanism);
  return positions.reduce((most, q, i) => Math.max(most, lower[i % nv] - q, q - upper[i % nv]), 0);
}

describe("joints that lie on their limits", () => {
  it.each([
    [0.1, 1],
    [1, 1],
    [10, 5],
  ])("are led away from there: %f times the size, controls held for %i steps", async (size, hold) => {
    const mechanism = arm(size);
    const { cost, initialCost, positions, status, costs } = await runTask(reach(mechanism, size, { hold }));
    expect(status).toBe("converged");
    expect(cost).toBeLessThan(0.02 * initialCost);
    expect(costs.at(-1)).toBe(cost);
    expect(beyond(mechanism, positions)).toBeLessThan(1e-6);
  });

  it("are led to the same end by the gradient alone", async () => {
    const mechanism = arm(1);
    const options = { method: "lbfgs", iterations: 100 } as const;
    const { cost, initialCost, positions } = await runTask(reach(mechanism, 1, { options }));
    expect(cost).toBeLessThan(0.05 * initialCost);
    expect(beyond(mechanism, positions)).toBeLessThan(1e-6);
  });

  it("keep the first guess if nothing is better, and limits that act in the result", async () => {
    const mechanism = arm(1);
    const task = reach(mechanism, 1, { options: { iterations: 1 } });
    const { cost, initialCost, positions, controls, iterations } = await runTask(task);
    expect(cost).toBeLessThanOrEqual(initialCost);
    expect(iterations).toBeLessThanOrEqual(2);
    expect(beyond(mechanism, positions)).toBeLessThan(1e-6);
    const again = await runTask({ ...task, controls, options: { iterations: 0 } });
    expect(again.cost).toBe(cost);
    expect(again.positions).toEqual(positions);
  });

  it("act in the result of a run that was canceled while they were costs", async () => {
    const mechanism = arm(1);
    const controller = new AbortController();
    const onProgress = ({ iteration }: { iteration: number }): void => {
      if (iteration === 2) controller.abort();
    };
    const { status, cost, initialCost, positions } = await runTask(reach(mechanism, 1), {
      signal: controller.signal,
      onProgress,
    });
    expect(status).toBe("canceled");
    expect(cost).toBeLessThanOrEqual(initialCost);
    expect(beyond(mechanism, positions)).toBeLessThan(1e-6);
  });

  it("may act from the start", async () => {
    const options = { limitsAsCosts: false, escapeSaddles: false };
    const stuck = await runTask(reach(arm(1), 1, { options }));
    const { cost } = await runTask(reach(arm(1), 1));
    expect(cost).toBeLessThan(0.2 * stuck.cost);
  });
});

it("limits that a motion does not meet change nothing", async () => {
  const wide = arm(1, { lower: -30, upper: 30 });
  const open = reach(wide, 1);
  const { cost } = await runTask({ ...open, simulation: { ...open.simulation, limits: false } });
  expect((await runTask(open)).cost / cost).toBeCloseTo(1, 6);
});
