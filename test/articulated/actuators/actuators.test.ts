import { describe, expect, it } from "vitest";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { expectRefused } from "../../refusal";
import { blockError, stackJacobians, stepDifferences } from "../step/differences";

const arm: MechanismDescription = {
  name: "arm",
  links: ["a", "b", "c"].map((name, i) => ({
    name,
    ...(i === 0 ? {} : { parent: ["a", "b"][i - 1] }),
    mass: 1,
    centerOfMass: [0.2, 0, 0],
    inertia: [0.01, 0.02, 0.02, 0, 0, 0],
    joint: {
      type: "revolute",
      axis: [0.1, 0, 1],
      parentFrame: { position: [0.4, 0, 0] },
      stiffness: i === 1 ? 3 : 0,
      restPosition: 0.2,
      damping: 0.05,
    },
  })),
};
const servo = (joint: string, k: number, d: number, more: Partial<ActuatorDescription> = {}): ActuatorDescription => ({
  name: `servo ${joint}`,
  joints: [{ joint, coefficient: 1 }],
  gain: k,
  bias: [0, -k, -d],
  ...more,
});

describe("servos", () => {
  it.each([1e2, 1e6, 1e10])("of a gain of %d N m/rad seek their positions without ringing, at 60 Hz", (gain) => {
    const actuators = ["a", "b", "c"].map((joint) => servo(joint, gain, gain / 20));
    const simulation = new ArticulatedSimulation(arm, { timeStep: 1 / 60, actuators });
    const sought = [0.5, -0.7, 1.1];
    simulation.actuators.input.set(sought);
    let fastest = 0;
    for (let i = 0; i < 120; i++) {
      simulation.step();
      fastest = Math.max(fastest, ...simulation.qd.map(Math.abs));
    }
    // They sag by weight over gain, of at most 20 N m.
    simulation.q.forEach((value, k) => expect(Math.abs(value - sought[k])).toBeLessThan(20 / gain + 1e-9));
    expect(fastest).toBeLessThan(40);
    expect(Math.max(...simulation.qd.map(Math.abs))).toBeLessThan(1e-2);
  });

  it("act at the end of the step: M q̈ = −k (q + Δt q̇' − u) − d q̇'", () => {
    const wheel: MechanismDescription = {
      name: "wheel",
      links: [
        {
          name: "w",
          mass: 1,
          inertia: [1, 1, 2, 0, 0, 0],
          joint: { type: "revolute", stiffness: 4, restPosition: 0.1 },
        },
      ],
    };
    const [k, d, dt, u, m] = [500, 30, 0.02, 0.6, 2];
    const simulation = new ArticulatedSimulation(wheel, { timeStep: dt, actuators: [servo("w", k, d)] });
    const [q, qd] = [0.3, -0.8];
    simulation.q[0] = q;
    simulation.qd[0] = qd;
    simulation.actuators.input[0] = u;
    simulation.step();
    const spring = -4 * (q - 0.1);
    const after = simulation.qd[0];
    expect((m * (after - qd)) / dt).toBeCloseTo(spring - k * (q + dt * after - u) - d * after, 9);
  });

  it("stay within their bounds, as do their inputs", () => {
    const bounds = { forceRange: [-2, 3], controlRange: [-1, 0.5] } as const;
    const simulation = new ArticulatedSimulation(
      { name: "block", links: [{ name: "x", mass: 2, joint: { type: "prismatic", axis: [1, 0, 0] } }] },
      {
        timeStep: 0.01,
        actuators: [servo("x", 100, 1, bounds), { ...servo("x", 0, 0, bounds), gain: 1, name: "motor" }],
      },
    );
    simulation.actuators.input.set([50, 50]);
    simulation.step();
    // 3 N of the servo, 0.5 N of the motor
    expect(simulation.qd[0]).toBeCloseTo((0.01 * 3.5) / 2, 12);
  });

  it.each([
    ["free", {}],
    ["bounded", { forceRange: [-0.1, 0.1] as const }],
  ])("have exact derivatives, %s", (_, bounds) => {
    const sum = {
      joints: [
        { joint: "a", coefficient: 0.5 },
        { joint: "c", coefficient: -2 },
      ],
      name: "tendon",
    };
    const actuators = [servo("a", 40, 3, bounds), servo("b", 1e4, 10, bounds), { ...servo("c", 0, 0), ...sum }];
    const simulation = new ArticulatedSimulation(arm, { timeStep: 0.01, actuators });
    simulation.q.set([0.4, -0.3, 0.8]);
    simulation.qd.set([0.5, 1, -0.7]);
    simulation.actuators.input.set([0.3, 0.1, 0.2]);
    const numeric = stepDifferences(simulation, 1e-3);
    expect(blockError(stackJacobians(simulation.jacobians(), 3), numeric, 3)).toBeLessThan(1e-7);
  });

  it.each([
    [2, 1e3],
    [3, 1e6],
    [4, 1e10],
  ])("that %i joints share are stable at %d N m/rad, and let these move where their sum does not", (count, gain) => {
    const links = Array.from({ length: count }, (_, i): MechanismDescription["links"][number] => ({
      name: `link ${i}`,
      ...(i > 0 ? { parent: `link ${i - 1}` } : {}),
      mass: 1,
      centerOfMass: [0, -0.1, 0],
      inertia: [0.01, 0.01, 0.01, 0, 0, 0],
      joint: { name: `${i}`, type: "revolute", axis: [0, 0, 1], parentFrame: { position: [0, i > 0 ? -0.2 : 0, 0] } },
    }));
    const joints = links.map((_, i) => ({ joint: `${i}`, coefficient: 1 }));
    const make = (forceRange?: readonly [number, number]): ArticulatedSimulation => {
      const range = forceRange === undefined ? {} : { forceRange };
      const actuators = [{ name: "sum", joints, gain, bias: [0, -gain, -0.05 * gain] as const, ...range }];
      const simulation = new ArticulatedSimulation({ name: "chain", links }, { timeStep: 1 / 60, actuators });
      simulation.actuators.input[0] = 0.5;
      return simulation;
    };
    const sumOf = ({ q }: ArticulatedSimulation): number => q.reduce((sum, value) => sum + value, 0);
    const free = make();
    for (let i = 0; i < 120; i++) free.step();
    // It hangs on as a pendulum, with what little error weight makes.
    expect(Math.abs(sumOf(free) - 0.5)).toBeLessThan(3 / gain);
    expect(Math.max(...free.q) - Math.min(...free.q)).toBeGreaterThan(0.1);
    // At a bound it is a constant force.
    const bounded = make([-0.2, 0.2]);
    bounded.step();
    const pushed = new ArticulatedSimulation({ name: "chain", links }, { timeStep: 1 / 60, fastMotion: "whole" });
    pushed.control.fill(0.2);
    pushed.step();
    bounded.qd.forEach((rate, k) => expect(rate).toBeCloseTo(pushed.qd[k], 12));
  });

  it("are refused for joints that are none, or numbers that make no sense", () => {
    const make = (actuator: ActuatorDescription) => () => new ArticulatedSimulation(arm, { actuators: [actuator] });
    expectRefused(make(servo("x", 1, 1)), "invalid-argument", /"x"/);
    expectRefused(make(servo("a", NaN, 1)), "non-finite", /servo a/);
    expectRefused(make(servo("a", -1, 1)), "unsupported", /push away/);
    expectRefused(make(servo("a", 1, 1, { forceRange: [1, 0] })), "invalid-argument", /ranges/);
    const simulation = new ArticulatedSimulation(arm, { actuators: [servo("a", 1, 1)] });
    simulation.actuators.input[0] = NaN;
    expectRefused(() => simulation.step(), "non-finite", /servo a/);
    expectRefused(() => simulation.actuators.indexOf("motor"), "invalid-argument", /"motor"/);
  });
});
