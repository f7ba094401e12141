import { describe, expect, it } from "vitest";
import type { LinkDescription, LinkShape } from "../../../src/articulated/description";
import { RowClass } from "../../../src/articulated/lcp/problem";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { RandomGeometry } from "../../collision/random";
import { randomLink } from "../random-mechanism";
import { expectTransposed } from "./transposed";
import { blockError, stackJacobians, stepDifferences } from "./differences";

const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] }];

const box: ColliderShape = { type: "box", halfExtents: [0.4, 0.2, 0.3] };
/** Five corners on the floor, no two pairs alike. */
const tent: ColliderShape = {
  type: "convex-hull",
  positions: [0.5, -0.2, 0.1, 0.2, -0.2, 0.4, -0.3, -0.2, 0.35, -0.45, -0.2, -0.2, 0.1, -0.2, -0.3, 0, 0.4, 0],
};

/** A body flat on the floor, with more corners than it needs, and an arm that unbalances it. */
function flatBody(shape: ColliderShape, friction: number, seed: number, motion: number): ArticulatedSimulation {
  const random = new RandomGeometry(seed);
  const body: LinkDescription = {
    ...randomLink(random, "free", "body", undefined, false),
    joint: { type: "free" },
    mass: 5,
    centerOfMass: [0.03, 0.05, -0.02],
    shapes: [{ shape, friction: friction + 1 }],
  };
  const links = [body, randomLink(random, "revolute", "arm", "body")];
  const simulation = new ArticulatedSimulation({ name: "flat", links }, { timeStep: 0.01, ground: floor, friction });
  simulation.q.set([0, 0, 0, 0.1, 0.199, 0.2, 0.3]);
  simulation.qd.set([0, 1.5 * motion, 0, motion, -0.2, 0.47 * motion, 0.1]);
  return simulation;
}

describe("Jacobians where A has no full rank (paper 4, 4.3)", () => {
  it.each([
    ["box that sticks", box, 3, 1, 0, false],
    ["box that slides and spins", box, 0.1, 2, 1, false],
    ["box that slides and spins, other masses", box, 0.2, 5, 1, false],
    ["tent that slides and spins: the shortest forces change", tent, 0.2, 3, 1, true],
    ["tent that spins", tent, 0.3, 8, 2, true],
  ])("a flat %s", (_, shape, friction, seed, motion, kernel) => {
    const simulation = flatBody(shape, friction, seed, motion);
    simulation.setParameters([
      { kind: "mass", link: "arm" },
      { kind: "center-of-mass", link: "arm", component: 0 },
      { kind: "parent-offset", link: "arm", direction: [0.3, 0.1, 1] },
      { kind: "child-offset", link: "body", direction: [0.1, 0.2, 0.3] },
      { kind: "friction" },
    ]);
    const numeric = stepDifferences(simulation, 2e-4);
    const { lcp, rows, solver } = simulation.contactStep;
    expect(simulation.contacts.count).toBeGreaterThan(3);
    expect(solver.stabiliser.factor.rank).toBeLessThan(solver.stabiliser.count);
    const classes = [...lcp.classes.subarray(0, rows.count)];
    expect(classes.some((c) => c === RowClass.Upper || c === RowClass.Lower)).toBe(friction < 1);
    const analytic = stackJacobians(simulation.jacobians(), simulation.nv);
    const error = blockError(analytic, numeric, simulation.nv);

    expect(error).toBeLessThan(1e-6);
    expect(kernelIsActive(simulation)).toBe(kernel);
    expectTransposed(simulation, new RandomGeometry(seed));
  });
});

/** Whether the last term of (18) has an effect here: whether forces that A does not feel push the body. */
function kernelIsActive(simulation: ArticulatedSimulation): boolean {
  const { lcp, rows, solver, response } = simulation.contactStep;
  const { classes, findex, hi } = lcp;
  const { count, rows: clamping, places, factor } = solver.stabiliser;
  const m = rows.count;
  let largest = 0;
  for (let k = 0; k < simulation.nv; k++) {
    const push = new Float64Array(count);
    for (let p = 0; p < count; p++) push[p] = response[k * m + clamping[p]];
    for (let r = 0; r < m; r++) {
      const sign = classes[r] === RowClass.Upper ? 1 : classes[r] === RowClass.Lower ? -1 : 0;
      if (sign !== 0) push[places[findex[r]]] += sign * hi[r] * response[k * m + r];
    }
    factor.projectOnKernel(push);
    largest = Math.max(largest, ...push.map(Math.abs));
  }
  return largest > 1e-6;
}
