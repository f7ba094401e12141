import { describe, expect, it } from "vitest";
import { kineticEnergy, totalMomentum } from "../../../src/articulated/dynamics/energy";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import type { LinkDescription } from "../../../src/articulated/description";
import type { StepParameter } from "../../../src/articulated/step/derivatives/parameters";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { RandomGeometry } from "../../collision/random";
import { randomLink } from "../random-mechanism";
import { blockError, stackJacobians, stepDifferences } from "./differences";
import { expectTransposed } from "./transposed";

/** A free link of random inertia, center of mass and frames. */
function freeLink(random: RandomGeometry, type: "free" | "ball"): LinkDescription {
  return randomLink(random, type, "body", undefined, false);
}

describe("a free body of a mechanism", () => {
  const random = new RandomGeometry(9);
  it.each([1, 5, 15, 50])("keeps energy and momentum for ten seconds at %i rad/s and 60 Hz", (speed) => {
    for (let n = 0; n < 4; n++) {
      const simulation = new ArticulatedSimulation(
        { name: "body", links: [freeLink(random, "free")] },
        { timeStep: 1 / 60, gravity: [0, 0, 0] },
      );
      simulation.qd.set(random.direction().map((x) => speed * x));
      const { scratch } = simulation.contactStep;
      const momentum = new Float64Array(6);
      const measure = (): number => {
        updateKinematics(scratch, simulation.q, simulation.qd);
        totalMomentum(scratch, momentum);
        return kineticEnergy(scratch);
      };
      const energy = measure();
      const start = momentum.slice();
      const size = Math.hypot(...start);
      for (let step = 0; step < 600; step++) simulation.step();
      expect(Math.abs(measure() / energy - 1)).toBeLessThan(1e-9);
      momentum.forEach((value, c) => expect(Math.abs(value - start[c])).toBeLessThan(1e-9 * size));
    }
  });

  it("turns about a principal axis by just as much as it should", () => {
    const simulation = new ArticulatedSimulation(
      { name: "wheel", links: [{ name: "wheel", mass: 2, inertia: [1, 2, 3, 0, 0, 0], joint: { type: "free" } }] },
      { timeStep: 1 / 60, gravity: [0, 0, 0] },
    );
    simulation.qd[2] = 100;
    for (let step = 0; step < 60; step++) simulation.step();
    const turns = (100 - simulation.q[2]) / (2 * Math.PI);
    expect(turns).toBeCloseTo(Math.round(turns), 9);
  });

  it.each(["free", "ball"] as const)("%s joint: Jacobians and products as differences show, at 20 rad/s", (type) => {
    const simulation = new ArticulatedSimulation({ name: "body", links: [freeLink(random, type)] }, { timeStep: 0.01 });
    const parameters: StepParameter[] = [
      { kind: "mass", link: "body" },
      { kind: "center-of-mass", link: "body", component: 1 },
      { kind: "inertia", link: "body", component: 0 },
      { kind: "inertia", link: "body", component: 3 },
      { kind: "parent-offset", link: "body", direction: [0.3, 0.8, -0.5] },
      { kind: "child-offset", link: "body", direction: [0.1, -0.4, 0.7] },
    ];
    simulation.setParameters(parameters);
    for (const speed of [0.5, 20, 160]) {
      for (let k = 0; k < simulation.nv; k++) {
        simulation.q[k] = random.between(-1, 1);
        simulation.qd[k] = random.between(-1, 1) * speed;
        simulation.control[k] = random.between(-1, 1);
      }
      const numeric = stepDifferences(simulation, 0.02);
      const analytic = stackJacobians(simulation.jacobians(), simulation.nv);
      expect(blockError(analytic, numeric, simulation.nv), `at ${speed}`).toBeLessThan(1e-6);
      expectTransposed(simulation, random);
    }
  });
});
