import { describe, expect, it } from "vitest";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { catapult, catapultFloor } from "../../../samples/mechanisms/catapult";
import { halfCheetah, halfCheetahGround } from "../../../samples/mechanisms/half-cheetah";
import { humanoid, humanoidGround } from "../../../samples/mechanisms/humanoid";
import { jumpWorm, jumpWormFloor } from "../../../samples/mechanisms/jump-worm";
import type { LinkShape, MechanismDescription } from "../../../src/articulated/description";
import { kineticEnergy } from "../../../src/articulated/dynamics/energy";
import { naturalResidual } from "../../../src/articulated/lcp/problem";
import { RandomGeometry } from "../../collision/random";
import { randomTree } from "../random-mechanism";
import { expectRefused } from "../../refusal";

const inertia = [1, 1, 1, 0, 0, 0] as const;
const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [50, 0.5, 50] }, position: [0, -0.5, 0] }];

describe("ArticulatedSimulation", () => {
  it.each([
    ["jump-worm", jumpWorm({ rootHeight: -0.14 }), jumpWormFloor(-0.7), 0.001, 1000],
    ["catapult", catapult(0), catapultFloor(), 0.001, 1000],
    ["half-cheetah", halfCheetah(), halfCheetahGround(), 0.002, 1000],
    ["humanoid", humanoid(), humanoidGround(), 0.001, 600],
  ] as const)(
    "%s: last step's classes solve more than nineteen of twenty contact problems",
    (name, mechanism, ground, timeStep, steps) => {
      const simulation = new ArticulatedSimulation(mechanism, { timeStep, ground });
      const { q, qd, nu, control, model } = simulation;
      // The published starts: a few millimeters inside the ground.
      if (name === "half-cheetah") {
        q[1] = -0.1;
        q[2] = 0.03;
      }
      if (name === "humanoid") q[4] -= 0.002;
      const start = q.slice();
      for (let t = 0; t < steps; t++) {
        for (let k = 0; k < nu; k++) {
          const hold = name === "humanoid" ? -200 * (q[k] - start[k]) - 0.4 * qd[k] : 0;
          control[k] = model.effortLimit[k] > 0 ? hold + 5 * Math.sin(0.02 * t + k) : 0;
        }
        simulation.step();
      }
      expect(simulation.statistics.solved).toBeGreaterThan(100);
      expect(simulation.statistics.softened).toBe(0);
      expect(simulation.guessRate).toBeGreaterThan(0.95);
      expect(q.every(Number.isFinite)).toBe(true);
    },
  );

  it("trees of spheres, boxes and capsules tumble over the floor; every contact problem is solved exactly", () => {
    const random = new RandomGeometry(77);
    const shapes = [
      { type: "sphere", radius: 0.2 },
      { type: "box", halfExtents: [0.2, 0.15, 0.1] },
      { type: "capsule", pointA: [-0.2, 0, 0], pointB: [0.2, 0, 0], radius: 0.1 },
    ] as const;
    for (let trial = 0; trial < 4; trial++) {
      const tree = randomTree(random, 12);
      const links = tree.links.map((link, i) => ({
        ...link,
        joint: {
          ...link.joint,
          ...(link.parent === undefined ? { type: "free" as const, initialPosition: [0, 0, 0, 0, 2, 0] } : {}),
          stiffness: 20,
          damping: 1,
        },
        shapes: [{ shape: shapes[i % 3] }],
      }));
      const simulation = new ArticulatedSimulation(
        { name: "tumbling", links },
        { timeStep: 0.005, ground: floor, friction: 0.8, selfCollision: trial % 2 === 0 ? "none" : "distant" },
      );
      const { lcp } = simulation.contactStep;
      let worst = 0;
      for (let t = 0; t < 250; t++) {
        simulation.step();
        if (simulation.contactStep.rows.count > 0) worst = Math.max(worst, naturalResidual(lcp, lcp.f, lcp.w));
      }
      expect(worst).toBeLessThan(1e-9);
      expect(simulation.statistics.solved).toBeGreaterThan(20);
      expect(Math.max(...simulation.qd.map(Math.abs))).toBeLessThan(50);
    }
  });

  it("a box that slides comes to rest after v²/(2 µ g), and stays", () => {
    const box: MechanismDescription = {
      name: "box",
      links: [
        {
          name: "box",
          joint: { type: "free" },
          mass: 2,
          inertia: [0.05, 0.05, 0.05, 0, 0, 0],
          shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] }, friction: 0.4 }],
        },
      ],
    };
    const simulation = new ArticulatedSimulation(box, { ground: floor });
    simulation.q[4] = 0.1;
    simulation.qd[3] = 2;
    for (let t = 0; t < 1000; t++) simulation.step();
    expect(simulation.q[3]).toBeCloseTo(4 / (2 * 0.4 * 9.81), 2);
    expect(Math.max(...simulation.qd.map(Math.abs))).toBeLessThan(1e-9);
    expect(simulation.q[4]).toBeCloseTo(0.1, 6);
  });

  it("a pile of balls and boxes of separate mechanisms rests", () => {
    const links = [0, 1, 2].map((i) => ({
      name: `body ${i}`,
      joint: { type: "free" as const, initialPosition: [0, 0, 0, 0, 0.1 + 0.2 * i, 0] },
      mass: 1,
      inertia: [0.01, 0.01, 0.01, 0, 0, 0] as const,
      shapes: [{ shape: { type: "box", halfExtents: [0.15 - 0.02 * i, 0.1, 0.15 - 0.02 * i] } as const }],
    }));
    const simulation = new ArticulatedSimulation({ name: "pile", links }, { ground: floor, timeStep: 0.005 });
    for (let t = 0; t < 200; t++) simulation.step();
    expect(simulation.contacts.count).toBe(12);
    expect(kineticEnergy(simulation.contactStep.scratch)).toBeLessThan(1e-12);
    for (let i = 0; i < 3; i++) expect(simulation.q[6 * i + 4]).toBeCloseTo(0.1 + 0.2 * i, 6);
  });

  it("an elastic ball keeps its height, an inelastic one stays down", () => {
    const drop = (restitution: number): number => {
      const ball: MechanismDescription = {
        name: "ball",
        links: [
          {
            name: "ball",
            joint: { type: "prismatic", axis: [0, 1, 0], initialPosition: 1 },
            mass: 1,
            inertia,
            shapes: [{ shape: { type: "sphere", radius: 0.1 }, restitution }],
          },
        ],
      };
      const ground = floor.map((shape) => ({ ...shape, restitution: 1 }));
      const simulation = new ArticulatedSimulation(ball, { ground, timeStep: 1e-4 });
      let highest = 0;
      for (let t = 0; t < 9000; t++) {
        simulation.step();
        if (t > 5000) highest = Math.max(highest, simulation.q[0]);
      }
      return highest;
    };
    expect(drop(1)).toBeCloseTo(1, 2);
    expect(drop(0.5)).toBeCloseTo(0.1 + 0.25 * 0.9, 2);
    expect(drop(0)).toBeCloseTo(0.1, 2);
  });

  it("stops joints at their limits where that is switched on", () => {
    const door = (limits: boolean): number => {
      const simulation = new ArticulatedSimulation(
        {
          name: "door",
          links: [{ name: "leaf", joint: { type: "revolute", axis: [0, 1, 0], upper: 0.5 }, mass: 1, inertia }],
        },
        { timeStep: 0.01, limits },
      );
      simulation.qd[0] = 1;
      for (let t = 0; t < 100; t++) simulation.step();
      return simulation.q[0];
    };
    expect(door(true)).toBeCloseTo(0.5, 1);
    expect(door(true)).toBeLessThan(0.511);
    expect(door(false)).toBeCloseTo(1, 9);
  });

  it("refuses bad input and leaves the state as it was", () => {
    const simulation = new ArticulatedSimulation(jumpWorm(), { ground: jumpWormFloor() });
    const [q, qd] = [simulation.q.slice(), simulation.qd.slice()];
    expectRefused(() => simulation.jacobians(), "invalid-argument", /step/);
    simulation.control[2] = NaN;
    expectRefused(() => simulation.step(), "non-finite", /control\[2\]/);
    simulation.control[2] = 0;
    simulation.qd[3] = 1e200;
    expectRefused(() => simulation.step(), "non-finite", /after the step/);
    simulation.qd[3] = 0;
    const five = new Float64Array(5);
    expectRefused(() => simulation.advance(new Float64Array(4), qd, five, five, five), "invalid-argument", /q/);
    expectRefused(() => simulation.advance(q, qd, five, new Float64Array(6), five), "invalid-argument", /outQ/);
    expect(simulation.q).toEqual(q);
    expect(simulation.qd).toEqual(qd);
    expect(simulation.stepCount).toBe(0);
    simulation.step();
    expect(Math.max(...simulation.jacobians().velocityByControl)).toBeGreaterThan(0);
    expectRefused(() => simulation.vjp(new Float64Array(5).fill(Infinity), five), "non-finite", /gradient/);
    expectRefused(() => simulation.vjp(five, new Float64Array(3)), "invalid-argument", /gradient/);
    expectRefused(() => simulation.setParameters([{ kind: "mass", link: "nobody" }]), "invalid-argument", /nobody/);
    expectRefused(() => simulation.setParameters([{ kind: "friction", link: "no" }]), "invalid-argument", /no/);
    expectRefused(() => simulation.shiftParameter({ kind: "friction" }, -5), "invalid-argument", /friction/);
    expect(simulation.parameterValue({ kind: "friction" })).toBe(1);
    const make = (options: object) => () => new ArticulatedSimulation(jumpWorm(), options);
    expectRefused(make({ timeStep: 0 }), "invalid-argument", /timeStep/);
    expectRefused(make({ timeStep: NaN }), "non-finite", /timeStep/);
    expectRefused(make({ gravity: [0, NaN, 0] }), "non-finite", /gravity/);
    expectRefused(make({ restitution: 1.5 }), "invalid-argument", /restitution/);
    expectRefused(make({ friction: -1 }), "invalid-argument", /friction/);
    expectRefused(make({ bounceGradients: "magic" }), "invalid-argument", /bounceGradients/);
    const heights = { type: "heightfield", sizeX: 1, sizeZ: 1, samplesX: 2, samplesZ: 2, heights: [0, 0, 0, 0] };
    const ball = { type: "sphere", radius: 1 };
    expectRefused(make({ ground: [{ shape: ball, position: [0, NaN, 0] }] }), "non-finite", /position/);
    expectRefused(make({ ground: [{ shape: ball, position: [0, 0] }] }), "invalid-argument", /position/);
    expectRefused(make({ ground: [{ shape: ball, rotation: [0, 0, 0, 0] }] }), "invalid-argument", /rotation/);
    expectRefused(make({ ground: [{ shape: heights }] }), "unsupported", /heightfield/);
    expectRefused(make({ ground: [{ shape: { type: "sphere", radius: -1 } }] }), "invalid-argument", /radius/);
  });
});
