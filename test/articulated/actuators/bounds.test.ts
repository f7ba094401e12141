import { describe, expect, it } from "vitest";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { mulberry } from "../../../samples/random";
import { blockError, stackJacobians, stepDifferences } from "../step/differences";

const names = ["a", "b", "c", "d"];
const arm = (size = 1): MechanismDescription => ({
  name: "arm",
  links: names.map((name, i) => ({
    name,
    ...(i === 0 ? {} : { parent: names[i - 1] }),
    mass: 1,
    centerOfMass: [0.2 * size, 0, 0],
    inertia: [0.01, 0.02, 0.02, 0, 0, 0].map((value) => value * size ** 2) as [number, number, number, 0, 0, 0],
    joint: {
      type: "revolute",
      axis: [[0.1, 0, 1] as const, [0, 1, 0.2] as const][i % 2],
      parentFrame: { position: [0.4 * size, 0, 0] },
    },
  })),
});
const servo = (joint: string, k: number, d: number, most: number): ActuatorDescription => ({
  name: `servo ${joint}`,
  joints: [{ joint, coefficient: 1 }],
  gain: k,
  bias: [0, -k, -d],
  forceRange: [-most, most],
});

describe("bounds of servos", () => {
  it.each([
    [1e3, 240, 1],
    [1e4, 120, 1],
    [1e6, 60, 1],
    [1e10, 60, 1],
    [1e10, 480, 1],
    [1e5, 120, 0.1],
    [1e8, 120, 10],
  ])("do not make them shake: gain %d, %d steps a second, %d m", (gain, steps, size) => {
    const actuators = names.map((joint, i) => servo(joint, gain, gain / 25, [60, 40, 25, 10][i] * size));
    const simulation = new ArticulatedSimulation(arm(size), { timeStep: 1 / steps, actuators });
    const sought = [0.9, -0.7, 1.1, 0.4];
    simulation.actuators.input.set(sought);
    const turns = names.map(() => 0);
    const before = names.map(() => 0);
    let bounded = 0;
    for (let i = 0; i < 4 * steps; i++) {
      simulation.step();
      bounded += simulation.actuators.compiled.filter(({ isBounded }) => isBounded).length;
      simulation.qd.forEach((rate, k) => {
        if (Math.abs(rate) < 1e-3) return;
        if (rate * before[k] < 0) turns[k]++;
        before[k] = rate;
      });
    }
    expect(bounded).toBeGreaterThan(steps / 20);
    // They sag by weight over gain.
    simulation.q.forEach((value, k) => expect(Math.abs(value - sought[k])).toBeLessThan((30 * size) / gain + 1e-9));
    expect(Math.max(...simulation.qd.map(Math.abs))).toBeLessThan(1e-6);
    // A few are swings of the arm, whose torques are bounded; those that shake turn in every step.
    expect(Math.max(...turns)).toBeLessThan(15);
  });

  it("hold at the end of the step, and servos leave them once they can, in any state", () => {
    const random = mulberry(7);
    const within = (least: number, most: number): number => least + (most - least) * random();
    let [atBounds, within0] = [0, 0];
    for (let run = 0; run < 300; run++) {
      const gains = names.map(() => 10 ** within(1, 9));
      const actuators = names.map((joint, i) =>
        servo(joint, gains[i], gains[i] * 10 ** within(-3, 0), 10 ** within(-1, 2)),
      );
      const simulation = new ArticulatedSimulation(arm(), {
        timeStep: 10 ** within(-3, -1.5),
        actuators,
        limits: true,
      });
      for (const values of [simulation.q, simulation.actuators.input])
        values.forEach((_, k) => (values[k] = within(-1, 1)));
      simulation.qd.forEach((_, k) => (simulation.qd[k] = within(-5, 5)));
      const start = simulation.q.slice();
      simulation.step();
      simulation.actuators.compiled.forEach(({ gain, bias, u, isBounded, bounded, force: [least, most] }, k) => {
        const terms = [
          gain * u,
          bias[1] * (start[k] + simulation.timeStep * simulation.qd[k]),
          bias[2] * simulation.qd[k],
        ];
        const sought = terms[0] + terms[1] + terms[2];
        const rounding = 1e-11 * terms.reduce((sum, term) => sum + Math.abs(term), 0);
        if (isBounded) {
          atBounds++;
          expect(bounded === most ? sought : -sought).toBeGreaterThan(most - rounding);
        } else {
          within0++;
          expect(sought).toBeGreaterThan(least - rounding);
          expect(sought).toBeLessThan(most + rounding);
        }
      });
    }
    expect(Math.min(atBounds, within0)).toBeGreaterThan(100);
  });

  it.each([
    // Weight is more than the bounds of the first two.
    ["reached in the step", [0, 0, 0, 0], [0, 0.1, 0, -0.1], [9, 4, 30, 20]],
    ["left in the step", [0.01, -0.012, 0.03, 0.02], [0.1, -0.2, 0, 0.1], [40, 25, 12, 8]],
  ])("have exact derivatives if they are %s", (_, errors, rates, most) => {
    const actuators = names.map((joint, i) => servo(joint, 4e3, 80, most[i]));
    const simulation = new ArticulatedSimulation(arm(), { timeStep: 1 / 60, actuators });
    simulation.q.set([0.4, -0.3, 0.8, 0.2]);
    simulation.qd.set(rates);
    simulation.actuators.input.set(simulation.q.map((value, k) => value + errors[k]));
    const numeric = stepDifferences(simulation, 1e-4);
    const states = simulation.actuators.compiled.map(({ isBounded, gain, bias, u, length, speed, force }) => [
      isBounded,
      Math.abs(gain * u + bias[1] * length + bias[2] * speed) >= force[1],
    ]);
    // Those at the start of the step differ.
    expect(states.some(([end, start]) => end !== start)).toBe(true);
    expect(blockError(stackJacobians(simulation.jacobians(), 4), numeric, 4)).toBeLessThan(1e-7);
  });
});
