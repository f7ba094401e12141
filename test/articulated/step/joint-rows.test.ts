import { describe, expect, it } from "vitest";
import type { LinkDescription, MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { SimulationOptions } from "../../../src/articulated/step/options";
import { ArticulatedModel } from "../../../src/articulated/model";
import { mergeMechanisms } from "../../../src/articulated/description";
import { expectWithin } from "../../figures";
import { expectRefused } from "../../refusal";
import { closureError, rowsOf } from "../../../src/articulated/step/closure-rows";
import { blockError, stackJacobians, stepDifferences } from "./differences";

const link = (name: string, parent: string | undefined, more: Partial<LinkDescription> = {}): LinkDescription => ({
  name,
  ...(parent === undefined ? {} : { parent }),
  mass: 1.3,
  centerOfMass: [0.1, -0.3, 0.05],
  inertia: [0.02, 0.03, 0.025, 0.001, 0.002, -0.003],
  joint: { type: "revolute", axis: [0.2, 0.1, 1], parentFrame: { position: [0, -0.4, 0] } },
  ...more,
});
const slide = { type: "prismatic", axis: [1, 0.2, 0] } as const;

/** Largest error of the Jacobians of a step, against differences. */
function errorOf(simulation: ArticulatedSimulation): number {
  const numeric = stepDifferences(simulation);
  return blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv);
}

/** A tree of hinges and slides. */
const tree = (more: Partial<MechanismDescription> = {}): MechanismDescription => ({
  name: "tree",
  links: [
    link("a", undefined),
    link("b", "a", { joint: { type: "revolute", axis: [1, 0, 0.3], parentFrame: { position: [0.1, -0.4, 0] } } }),
    link("c", "b"),
    link("d", "a", { joint: slide }),
  ],
  ...more,
});

const start = (description: MechanismDescription, options: SimulationOptions = {}): ArticulatedSimulation => {
  const simulation = new ArticulatedSimulation(description, { timeStep: 1 / 240, ...options });
  simulation.q.set([0.3, -0.5, 0.4, 0.1]);
  simulation.qd.set([0.7, -0.4, 0.3, 0.5]);
  simulation.control.set([0.5, -1, 0.2, 0.3]);
  return simulation;
};

describe("couplings of joints", () => {
  const couplings = [
    { joint: "c", driver: "b", coefficients: [0.1, 1.5, 0.4, -0.2] },
    { joint: "d", coefficients: [0.2] },
  ];

  it("hold while the mechanism moves, from a start that violates them", () => {
    const simulation = start(tree({ couplings }));
    for (let i = 0; i < 480; i++) simulation.step();
    const [, b, c, d] = simulation.q;
    expectWithin("error of a cubic coupling [rad]", Math.abs(c - (0.1 + 1.5 * b + 0.4 * b ** 2 - 0.2 * b ** 3)), 2e-4);
    expectWithin("error of a held slide [m]", Math.abs(d - 0.2), 1e-9);
  });

  it("move coupled joints as one of their sum of inertias", () => {
    const wheel = (name: string, inertia: number): LinkDescription => ({
      ...link(name, undefined, { joint: { type: "revolute" }, centerOfMass: [0, 0, 0] }),
      inertia: [1, 1, inertia, 0, 0, 0],
    });
    const gears = {
      name: "gears",
      links: [wheel("p", 2), wheel("q", 3)],
      couplings: [{ joint: "q", driver: "p", coefficients: [0, -2] }],
    };
    const simulation = new ArticulatedSimulation(gears, { timeStep: 0.01 });
    simulation.control.set([7, 0]);
    simulation.step();
    // 7 N m turn 2 + 3 · 2² kg m²
    expect(simulation.qd[0]).toBeCloseTo((0.01 * 7) / 14, 12);
    expect(simulation.qd[1]).toBeCloseTo((-2 * 0.01 * 7) / 14, 12);
  });

  it("have exact derivatives", () => {
    expect(errorOf(start(tree({ couplings })))).toBeLessThan(1e-7);
  });

  it("keep their names in merged mechanisms", () => {
    const exclusions = [["a", "world"]] as const;
    const merged = mergeMechanisms([tree({ couplings, exclusions }), { ...tree({ couplings }), name: "other" }]);
    expect(merged.couplings!.map(({ joint, driver }) => [joint, driver])).toEqual([
      ["tree/c", "tree/b"],
      ["tree/d", undefined],
      ["other/c", "other/b"],
      ["other/d", undefined],
    ]);
    expect(merged.exclusions).toEqual([["tree/a", "world"]]);
    expect(new ArticulatedModel(merged).couplings).toHaveLength(4);
  });

  it("are refused if they contradict each other", () => {
    const of =
      (...list: NonNullable<MechanismDescription["couplings"]>) =>
      () =>
        new ArticulatedModel(tree({ couplings: list }));
    expectRefused(of({ joint: "x", coefficients: [0] }), "invalid-argument", /"x"/);
    expectRefused(of({ joint: "a", coefficients: [0] }, { joint: "a", coefficients: [1] }), "invalid-argument", /only/);
    expectRefused(
      of({ joint: "a", driver: "b", coefficients: [0] }, { joint: "b", driver: "a", coefficients: [1] }),
      "invalid-argument",
      /itself/,
    );
    expectRefused(of({ joint: "a", coefficients: [] }), "invalid-argument", /at least one/);
    expectRefused(of({ joint: "a", coefficients: [NaN] }), "non-finite", /finite/);
  });
});

describe("dry friction of joints", () => {
  const block = (frictionLoss: number): MechanismDescription => ({
    name: "block",
    links: [{ name: "block", mass: 2, joint: { type: "prismatic", axis: [1, 0, 0], frictionLoss } }],
  });

  it("holds against less than its force, and takes its force from more", () => {
    const simulation = new ArticulatedSimulation(block(5), { timeStep: 0.01 });
    simulation.control[0] = 4.9;
    for (let i = 0; i < 50; i++) simulation.step();
    expect(simulation.q[0]).toBeCloseTo(0, 14);
    simulation.control[0] = -7;
    simulation.step();
    expect(simulation.qd[0]).toBeCloseTo((-0.01 * (7 - 5)) / 2, 14);
  });

  it("stops a motion within v m / f, and no later", () => {
    const simulation = new ArticulatedSimulation(block(5), { timeStep: 1e-3 });
    simulation.qd[0] = 1;
    for (let i = 0; i < 399; i++) simulation.step();
    expect(simulation.qd[0]).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) simulation.step();
    expect(Math.abs(simulation.qd[0])).toBeLessThan(1e-14);
  });

  it("has exact derivatives while it slides and while it holds", () => {
    const rub = (loss: number): MechanismDescription => ({
      ...tree(),
      links: tree().links.map((each) => ({ ...each, joint: { ...each.joint, frictionLoss: loss } })),
    });
    expect(errorOf(start(rub(0.05)))).toBeLessThan(1e-7);
    expect(errorOf(start(rub(500)))).toBeLessThan(1e-7);
  });
});

describe("compensated weight", () => {
  const carried = (part: number): MechanismDescription => ({
    ...tree(),
    links: tree().links.map((each) => ({ ...each, gravityCompensation: part })),
  });

  it("carries a mechanism as if it had no weight", () => {
    const [held, free] = [start(carried(1)), start(tree(), { gravity: [0, 0, 0] })];
    for (let i = 0; i < 100; i++) for (const each of [held, free]) each.step();
    held.q.forEach((value, k) => expect(value).toBeCloseTo(free.q[k], 9));
  });

  it("has exact derivatives", () => {
    const simulation = start({
      ...carried(0.4),
      links: carried(0.4).links.map((each, i) => (i === 2 ? { ...each, gravityCompensation: -0.7 } : each)),
    });
    expect(errorOf(simulation)).toBeLessThan(1e-7);
    expectRefused(() => simulation.setParameters([{ kind: "mass", link: "a" }]), "unsupported", /gravityCompensation/);
  });
});

describe("loops", () => {
  /** Two arms of two links each that hold each other, in space. */
  const loop = (rotation?: readonly [number, number, number, number]): MechanismDescription => ({
    ...tree(),
    links: [
      link("a", undefined),
      link("b", "a", { joint: { type: "ball", parentFrame: { position: [0.1, -0.4, 0] } } }),
      link("c", undefined, { joint: { type: "universal", parentFrame: { position: [0.3, 0, 0] } } }),
      link("d", "c", { joint: { type: "ball", parentFrame: { position: [0, -0.4, 0.1] } } }),
    ],
    closures: [{ linkA: "b", linkB: "d", pointA: [0, -0.3, 0], pointB: [0.1, -0.2, 0.1], rotation }],
  });
  const moving = (description: MechanismDescription): ArticulatedSimulation => {
    const simulation = new ArticulatedSimulation(description, { timeStep: 1 / 240 });
    for (let k = 0; k < simulation.nv; k++) {
      simulation.q[k] = 0.1 * Math.sin(3 * k + 1);
      simulation.qd[k] = 0.5 * Math.cos(5 * k);
    }
    return simulation;
  };
  const gap = (simulation: ArticulatedSimulation): number => {
    const { scratch } = simulation.contactStep;
    simulation.advance(simulation.q, simulation.qd, simulation.control, simulation.q.slice(), simulation.qd.slice());
    const rows = simulation.model.closures.flatMap((closure) =>
      Array.from({ length: rowsOf(closure) }, (_, row) => Math.abs(closureError(scratch, closure, row))),
    );
    return Math.max(...rows);
  };

  it.each([
    ["of points", undefined],
    ["of points and turns", [0.1, 0.2, 0.3, 0.9] as const],
  ])("%s close from a start that is open by half a meter, and stay closed", (_, rotation) => {
    const open = loop(rotation);
    // Dampers take the speed of closing.
    const links = open.links.map((each) => ({ ...each, joint: { ...each.joint, damping: 0.3 } }));
    const simulation = moving({ ...open, links });
    expect(gap(simulation)).toBeGreaterThan(0.3);
    for (let i = 0; i < 480; i++) simulation.step();
    expectWithin("gap [m or rad]", gap(simulation), 1e-3);
  });

  it("have exact derivatives", () => {
    expect(errorOf(moving(loop()))).toBeLessThan(1e-7);
    // that of the correction of turns is exact where they are closed
    const welded = loop([0.1, 0.2, 0.3, 0.9]);
    const links = welded.links.map((each) => ({ ...each, joint: { ...each.joint, damping: 1 } }));
    const closed = moving({ ...welded, links });
    for (let i = 0; i < 2000; i++) closed.step();
    expect(errorOf(closed)).toBeLessThan(1e-5);
  });

  it("make of a parallelogram of rods a pendulum", () => {
    const rod = (
      name: string,
      parent: string | undefined,
      position: readonly [number, number, number],
    ): LinkDescription => ({
      name,
      ...(parent === undefined ? {} : { parent }),
      mass: 1,
      centerOfMass: [0, -0.5, 0],
      joint: { type: "revolute", parentFrame: { position } },
    });
    const rods = {
      name: "parallelogram",
      links: [
        rod("left", undefined, [0, 0, 0]),
        rod("right", undefined, [1, 0, 0]),
        { ...rod("beam", "left", [0, -1, 0]), centerOfMass: [0.5, 0, 0] as const },
      ],
      closures: [{ linkA: "beam", linkB: "right", pointA: [1, 0, 0] as const, pointB: [0, -1, 0] as const }],
    };
    const simulation = new ArticulatedSimulation(rods, { timeStep: 1e-3 });
    const angle = 0.5;
    simulation.q.set([angle, angle, -angle]);
    simulation.step();
    // Points of mass 1 kg at 0.5 m on both rods, and of the beam at 1 m: θ̈ = −g (0.5 + 0.5 + 1) sin θ / 1.5
    expect(simulation.qd[0] / 1e-3).toBeCloseTo((-9.81 * 2 * Math.sin(angle)) / 1.5, 9);
    expect(simulation.qd[1]).toBeCloseTo(simulation.qd[0], 12);
    expect(simulation.qd[2]).toBeCloseTo(-simulation.qd[0], 12);
  });
});
