import { describe, expect, it } from "vitest";
import type { NewtonOptions } from "../../../src/solvers/newton/options";
import type { NewtonReport } from "../../../src/solvers/newton/newton-solver";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

/** Boxes on top of each other, each `ratio` times as heavy as the one below, after one step from rest. */
function stack(
  count: number,
  ratio: number,
  solver: Partial<NewtonOptions>,
): { world: RigidWorld; report: NewtonReport } {
  const world = new RigidWorld({ solver: { tolerance: 0, iterativeTolerance: 0, linearTolerance: 0, ...solver } });
  world.addBody({ motion: "static", shape: { type: "box", halfExtents: [5, 1, 5] }, position: [0, -1, 0] });
  for (let k = 0; k < count; k++)
    world.addBody({
      mass: 8 * ratio ** k,
      shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] },
      position: [0.02 * k, k + 0.5, 0.01 * k],
      canSleep: false,
    });
  world.dynamics.reports = [];
  world.step(1 / 60);
  return { world, report: world.dynamics.reports[0] };
}

const iterative = { directLimit: 0, safeguard: false, warmStart: false } as const;

describe("methods for the linear problem", () => {
  it.each(["pcr", "pcg", "jacobi", "gauss-seidel", "direct"] as const)("%s carries a small stack", (linearMethod) => {
    const options = { ...iterative, linearMethod, newtonIterations: 40, linearIterations: 400, damping: 1 };
    const { world } = stack(2, 1, options);
    for (const body of world.bodies) expect(Math.abs(body.linearVelocity[1])).toBeLessThan(1e-4);
  });

  it("conjugate residuals fall monotonically", () => {
    const { report } = stack(6, 2, {
      ...iterative,
      newtonIterations: 4,
      linearIterations: 60,
      preconditioner: "effective-mass",
    });
    for (const residuals of report.linear) {
      expect(residuals.length).toBeGreaterThan(10);
      expect(residuals.at(-1)!).toBeLessThan(0.2 * residuals[0]);
      // Down to where rounding takes over.
      residuals.forEach((value, k) => {
        if (k > 0) expect(value).toBeLessThanOrEqual(residuals[k - 1] * (1 + 1e-9) + 1e-12 * residuals[0]);
      });
    }
  });
});

describe("either complementarity function", () => {
  it.each(["minimum-map", "fischer-burmeister"] as const)("%s carries a stack in its first step", (ncp) => {
    const { world } = stack(3, 1, { ncp, newtonIterations: 20 });
    // Free fall would be at 0.16 m/s.
    const most = 1e-6;
    for (const body of world.bodies) expect(Math.hypot(...body.linearVelocity)).toBeLessThan(most);
  });

  it("the minimum map carries the heavy stack in its first step", () => {
    const { world } = stack(5, 8, {});
    for (const body of world.bodies) expect(Math.hypot(...body.linearVelocity)).toBeLessThan(1e-6);
  });
});
