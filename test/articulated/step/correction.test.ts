import { describe, expect, it } from "vitest";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { blockError, stackJacobians, stepDifferences } from "./differences";

/** A ball on a slide, of a size and as deep in the ground as a part of it. */
function sunk(size: number, depth: number, correctionSpeed: number | undefined): ArticulatedSimulation {
  const ball: MechanismDescription = {
    name: "ball",
    links: [
      {
        name: "ball",
        mass: 2,
        joint: { type: "prismatic", axis: [0, 1, 0], lower: -size, initialPosition: 0.5 * size - depth * size },
        shapes: [{ shape: { type: "sphere", radius: 0.5 * size }, restitution: 0 }],
      },
    ],
  };
  const ground = [
    { shape: { type: "box" as const, halfExtents: [size, size, size] as const }, position: [0, -size, 0] as const },
  ];
  return new ArticulatedSimulation(ball, {
    timeStep: 1e-3,
    penetrationCorrection: 1,
    ground,
    ...(correctionSpeed === undefined ? {} : { correctionSpeed }),
  });
}

describe.each([0.1, 1, 10])("correction of depth, in a size of %d", (size) => {
  it("is no faster than it may be, and ends where that speed leads from the surface", () => {
    const speed = 0.3 * size;
    const simulation = sunk(size, 0.1, speed);
    for (let i = 0; i < 500; i++) {
      simulation.step();
      expect(simulation.qd[0]).toBeLessThan(speed * (1 + 1e-9));
    }
    expect(simulation.q[0] - 0.5 * size).toBeGreaterThan(-1e-6 * size);
    expect(simulation.q[0] - 0.5 * size).toBeLessThan(speed ** 2 / (2 * 9.81));
    const quick = sunk(size, 0.1, undefined);
    quick.step();
    expect(quick.qd[0]).toBeCloseTo(100 * size, 6);
  });

  it.each([0.3, 1000])("has exact derivatives, at most %d times the size a second", (most) => {
    const simulation = sunk(size, 0.1, most * size);
    simulation.setParameters([{ kind: "child-offset", link: "ball", direction: [0, 1, 0] }]);
    simulation.advance(simulation.q, simulation.qd, simulation.control, new Float64Array(1), new Float64Array(1));
    const exact = stackJacobians(simulation.jacobians(), 1);
    // The speed of a step does not depend on the depth where it is bounded.
    expect(exact[4]).toBeCloseTo(most === 0.3 ? 0 : -1000, 6);
    expect(blockError(exact, stepDifferences(simulation, 1e-3 * size), 1)).toBeLessThan(1e-7);
  });
});

it("of a speed below zero is refused", () => {
  expect(() => sunk(1, 0.1, -1)).toThrow(/correctionSpeed/);
});
