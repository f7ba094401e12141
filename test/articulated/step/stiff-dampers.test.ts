import { describe, expect, it } from "vitest";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { blockError, stackJacobians, stepDifferences } from "./differences";

describe("dampers of joints", () => {
  const wheel = (damping: number) => ({
    name: "wheel",
    links: [
      {
        name: "wheel",
        mass: 1,
        inertia: [1, 1, 1, 0, 0, 0] as const,
        joint: { type: "revolute" as const, damping, initialVelocity: 10 },
      },
    ],
  });

  it.each([1, 200, 1e4, 1e9])(
    "take the speed off a wheel at c dt / I of a hundredth of %s, as implicit Euler does",
    (damping) => {
      const simulation = new ArticulatedSimulation(wheel(damping), { timeStep: 0.01, gravity: [0, 0, 0] });
      for (let step = 1; step <= 20; step++) {
        simulation.step();
        expect(simulation.qd[0]).toBeCloseTo(10 * (1 + 0.01 * damping) ** -step, 9);
      }
    },
  );

  it("have derivatives where explicit ones would explode", () => {
    const simulation = new ArticulatedSimulation(
      {
        name: "arm",
        links: [
          { name: "upper", mass: 1, inertia: [0.1, 0.2, 0.1, 0, 0, 0], joint: { type: "ball", damping: 40 } },
          {
            name: "lower",
            parent: "upper",
            mass: 1,
            centerOfMass: [0.2, 0, 0],
            inertia: [0.1, 0.1, 0.2, 0, 0, 0],
            joint: { type: "revolute", damping: 400, parentFrame: { position: [0.4, 0, 0] } },
          },
        ],
      },
      { timeStep: 0.02 },
    );
    simulation.q.set([0.3, -0.2, 0.5, 0.4]);
    simulation.qd.set([1, 2, -1, 3]);
    const numeric = stepDifferences(simulation, 0.02);
    expect(blockError(stackJacobians(simulation.jacobians(), 4), numeric, 4)).toBeLessThan(1e-8);
  });
});
