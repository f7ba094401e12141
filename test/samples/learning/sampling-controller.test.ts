import { describe, expect, it } from "vitest";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { SamplingController, type SamplingOptions } from "../../../samples/learning/sampling-controller";
import { mulberry } from "../../../samples/random";

/** Weights that slide along a line without friction, each pushed on its own. */
function sliders(count: number, timeStep: number): ArticulatedSimulation {
  const links = Array.from({ length: count }, (_, i) => ({
    name: `slider ${i}`,
    joint: { type: "prismatic", axis: [1, 0, 0], effortLimit: 5 } as const,
    mass: 1,
    inertia: [1, 1, 1, 0, 0, 0] as const,
  }));
  return new ArticulatedSimulation({ name: "sliders", links }, { timeStep, gravity: [0, 0, 0] });
}

function controllerOf(driven: readonly number[], own: Partial<SamplingOptions> = {}): SamplingController {
  return new SamplingController(sliders(2, 0.1), {
    cost: (q, qd) => driven.reduce((sum, k) => sum + (q[k] - k - 1) ** 2 + 0.3 * qd[k] ** 2, 0),
    samples: 64,
    steps: 15,
    limit: 5,
    spread: 0.3,
    smoothness: 0.7,
    temperature: 0.05,
    driven,
    random: mulberry(3),
    ...own,
  });
}

/** Drives the sliders for some seconds; the largest control is returned too. */
function drive(controller: SamplingController, seconds: number, period: number): { q: number[]; largest: number } {
  const simulation = sliders(2, period);
  let largest = 0;
  for (let k = 0; k < seconds / period; k++) {
    controller.decide(simulation.q, simulation.qd, period, simulation.control);
    for (const control of simulation.control) largest = Math.max(largest, Math.abs(control));
    simulation.step();
  }
  return { q: [...simulation.q], largest };
}

describe("a controller that samples plans", () => {
  // A weight wanders about its goal by some 5 cm, as plans are random.
  it.each([0.05, 0.1])("moves two weights to their goals, with a decision each %d s", (period) => {
    const errors = [1, 2, 3].map((seed) => {
      const { q, largest } = drive(controllerOf([0, 1], { random: mulberry(seed) }), 5, period);
      expect(largest).toBeLessThanOrEqual(5);
      return Math.max(Math.abs(q[0] - 1), Math.abs(q[1] - 2));
    });
    console.info(`errors ${errors.map((error) => error.toFixed(3)).join(", ")} m`);
    expect(errors.reduce((a, b) => a + b) / errors.length).toBeLessThan(0.1);
  });

  it("leaves coordinates alone that it does not drive", () => {
    const { q } = drive(controllerOf([1]), 3, 0.05);
    expect(q[0]).toBe(0);
    expect(q[1]).toBeGreaterThan(1.8);
  });

  it("decides the same from the same numbers", () => {
    const [a, b, c] = [3, 3, 4].map((seed) => drive(controllerOf([0, 1], { random: mulberry(seed) }), 1, 0.1).q);
    expect(b).toEqual(a);
    expect(c).not.toEqual(a);
  });

  it("avoids plans of infinite cost, and keeps its plan if there are no others", () => {
    const wall = controllerOf([0], { cost: ([x]) => (x > 0.5 ? Infinity : (x - 1) ** 2) });
    const { q } = drive(wall, 4, 0.05);
    expect(q[0]).toBeLessThan(0.5);
    expect(q[0]).toBeGreaterThan(0.2);
    const lost = controllerOf([0], { cost: () => Infinity });
    lost.plan.fill(2);
    const control = new Float64Array(2);
    lost.decide(new Float64Array(2), new Float64Array(2), 0, control);
    expect([...control]).toEqual([2, 0]);
  });
});
