import { describe, expect, it } from "vitest";
import { linearMethods } from "../../../bench/convergence/linear-methods";
import type { NewtonOptions } from "../../../src/solvers/newton/options";
import type { NewtonReport } from "../../../src/solvers/newton/island/newton-solver";
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
  it.each(Object.entries({ ...linearMethods, direct: "direct", sparse: "sparse" } as const))(
    "%s carries a small stack",
    (_, linearMethod) => {
      const options = { ...iterative, linearMethod, newtonIterations: 40, linearIterations: 400, damping: 1 };
      const { world } = stack(2, 1, options);
      for (const body of world.bodies) expect(Math.abs(body.linearVelocity[1])).toBeLessThan(1e-4);
    },
  );

  it("conjugate residuals fall monotonically", () => {
    const { report } = stack(6, 2, {
      ...iterative,
      newtonIterations: 4,
      linearIterations: 60,
      preconditioner: "effective-mass",
    });
    for (const residuals of report.linear) {
      expect(residuals.length).toBeGreaterThan(10);
      expect(residuals.at(-1)).toBeLessThan(0.2 * residuals[0]);
      // Down to the level of rounding.
      residuals.forEach((value, k) => {
        if (k > 0) expect(value).toBeLessThanOrEqual(residuals[k - 1] * (1 + 1e-9) + 1e-12 * residuals[0]);
      });
    }
  });
});

describe("sparse factors", () => {
  it("give the impulses that dense ones give", () => {
    const boxes = (linearMethod: "direct" | "sparse"): RigidWorld => {
      const solver = { linearMethod, directLimit: 0, newtonIterations: 40, regularization: 1e-4 } as const;
      return stack(6, 3, solver).world;
    };
    const [dense, sparse] = [boxes("direct").dynamics.contacts, boxes("sparse").dynamics.contacts];
    expect(sparse.count).toBe(dense.count);
    const weight = Math.max(...dense.impulse.subarray(0, 3 * dense.count));
    for (let i = 0; i < 3 * dense.count; i++)
      expect(Math.abs(sparse.impulse[i] - dense.impulse[i])).toBeLessThan(1e-5 * weight);
  });

  it("solve joints, springs and contacts together", () => {
    const run = (linearMethod: "direct" | "sparse"): RigidWorld => {
      const world = new RigidWorld({ solver: { linearMethod, directLimit: 0, newtonIterations: 40 } });
      const floor = world.addBody({
        motion: "static",
        shape: { type: "box", halfExtents: [5, 1, 5] },
        position: [0, -1, 0],
      });
      let previous = floor;
      for (let k = 0; k < 6; k++) {
        const shape = { type: "box", halfExtents: [0.1, 0.1, 0.1] } as const;
        const body = world.addBody({ shape, mass: 1 + k, position: [0.25 * k, 0.5, 0], canSleep: false });
        if (k > 0)
          world.addJoint({
            type: "hinge",
            bodyA: previous,
            bodyB: body,
            pivotA: [0.125, 0, 0],
            pivotB: [-0.125, 0, 0],
          });
        previous = body;
      }
      for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
      return world;
    };
    const [dense, sparse] = [run("direct"), run("sparse")];
    dense.bodies.forEach((body, k) =>
      body.position.forEach((value, i) => expect(sparse.bodies[k].position[i]).toBeCloseTo(value, 5)),
    );
  });
});

describe("a tower that rests and may not sleep", () => {
  it.each([
    [0.1, 4],
    [1, 10],
    [10, 6],
  ])("of boxes of %s m keeps its impulses in most steps", (size, count) => {
    const world = new RigidWorld({ sleeping: false });
    world.addBody({ motion: "static", shape: { type: "box", halfExtents: [5 * size, size, 5 * size] } });
    const half = size / 2;
    for (let k = 0; k < count; k++)
      world.addBody({
        shape: { type: "box", halfExtents: [half, half, half] },
        position: [0.02 * k * size, (1.5 + k) * size, 0.01 * k * size],
      });
    let solved = 0;
    for (let frame = 0; frame < 120; frame++) {
      world.dynamics.reports = [];
      world.step(1 / 60);
      if (frame >= 60 && world.dynamics.reports[0].steps.length > 0) solved++;
    }
    // 40, as long as impulses that had ended a motion stayed.
    expect(solved).toBeLessThan(20);
    for (const { linearVelocity } of world.bodies) expect(Math.hypot(...linearVelocity) / size).toBeLessThan(1e-8);
  });
});

describe("a wall of boxes", () => {
  it("that small steps cannot hold still stands exactly by sparse factors", () => {
    const drift = (sparseLimit: number): number => {
      const world = new RigidWorld({ solver: { sparseLimit }, sleeping: false });
      world.addBody({ motion: "static", shape: { type: "box", halfExtents: [50, 1, 5] }, position: [0, -1, 0] });
      const rows = 10;
      for (let row = 0; row < rows; row++)
        for (let k = 0; k < rows - row; k++)
          world.addBody({
            shape: { type: "box", halfExtents: [0.4, 0.25, 0.25] },
            position: [(k - (rows - row - 1) / 2) * 0.85, 0.25 + 0.5 * row, 0],
          });
      const start = world.bodies.map((body) => body.position);
      for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
      return Math.max(
        ...world.bodies.map(({ position: [x, y, z] }, k) =>
          Math.hypot(x - start[k][0], y - start[k][1], z - start[k][2]),
        ),
      );
    };
    expect(drift(120)).toBeLessThan(1e-7);
    expect(drift(0)).toBeGreaterThan(1e-4);
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
