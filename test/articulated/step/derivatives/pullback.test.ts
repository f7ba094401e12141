import { describe, expect, it } from "vitest";
import type { LinkDescription, LinkShape } from "../../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../../src/articulated/step/simulation";
import { RandomGeometry } from "../../../collision/random";
import { expectTransposed } from "../transposed";
import { randomLink, randomState, randomTree } from "../../random-mechanism";

const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] }];
const inertia = [1, 1, 1, 0, 0, 0] as const;

describe("vector-Jacobian product of a step", () => {
  it.each([
    ["slides", 0.2, 0],
    ["sticks", 5, 0],
    ["bounces", 0.4, 0.9],
  ])("equals the product with the Jacobians: a box that %s", (_, friction, restitution) => {
    const random = new RandomGeometry(4);
    const body: LinkDescription = {
      ...randomLink(random, "free", "body", undefined),
      joint: { type: "free" },
      shapes: [{ shape: { type: "box", halfExtents: [0.3, 0.2, 0.25] } }],
    };
    const links = [body, randomLink(random, "ball", "arm", "body"), randomLink(random, "screw", "hand", "arm")];
    const simulation = new ArticulatedSimulation(
      { name: "box", links },
      { timeStep: 0.01, ground: floor, friction, restitution },
    );
    simulation.setParameters([
      { kind: "mass", link: "arm" },
      { kind: "friction" },
      { kind: "parent-offset", link: "arm", direction: [1, 2, 3] },
    ]);
    const { q, qd, tau } = randomState(random, simulation.model);
    simulation.q.set(q.map((x) => 0.1 * x));
    simulation.q[4] = 0.19;
    simulation.qd.set(qd);
    simulation.qd[4] = -2;
    simulation.control.set(tau);
    simulation.step();
    expect(simulation.contacts.count).toBeGreaterThan(0);
    expectTransposed(simulation, random);
  });

  it.each(["whole", "parts"] as const)("across the change of a rotation vector: %s", (fastMotion) => {
    const random = new RandomGeometry(9);
    const options = { timeStep: 0.01, fastMotion };
    const simulation = new ArticulatedSimulation(randomTree(random, 8, ["ball", "free"]), options);
    simulation.q.set([2.4, 2.3, 2.5]);
    simulation.qd.set(simulation.qd.map(() => random.between(-1, 1)));
    simulation.step();
    expect(Math.hypot(...simulation.q.subarray(0, 3))).toBeLessThan(2.5);
    expectTransposed(simulation, random);
  });
});

describe("gradients that escape saddles (paper 4, 4.4)", () => {
  const ball = (name: string, effortLimit: number, radius: number): LinkDescription => ({
    name,
    joint: { type: "prismatic", axis: [0, 1, 0], effortLimit },
    mass: 1,
    inertia,
    shapes: [{ shape: { type: "sphere", radius } }],
  });

  function resting(links: LinkDescription[], heights: number[]): ArticulatedSimulation {
    const simulation = new ArticulatedSimulation({ name: "rest", links }, { timeStep: 0.01, ground: floor });
    simulation.q.set(heights);
    simulation.step();
    expect(simulation.contacts.count).toBe(heights.length);
    return simulation;
  }

  it("a ball with an actuator on the floor: the plain gradient is zero, the other leads upwards", () => {
    const simulation = resting([ball("ball", 100, 0.1)], [0.1]);
    const [position, velocity] = [new Float64Array(1), Float64Array.of(-1)];
    const plain = simulation.vjp(position, velocity);
    expect(plain.control[0]).toBe(0);
    expect(plain.velocity[0]).toBe(0);
    const escaping = simulation.vjp(position, velocity, undefined, true);
    expect(escaping.control[0]).toBeCloseTo(-0.01, 12);
    // Pushing the ball down cannot help, and is not suggested.
    const down = simulation.vjp(position, Float64Array.of(1), undefined, true);
    expect(down.control[0]).toBe(0);
    // Descent along it lifts the ball, which the plain gradient never does.
    for (const [escape, least, most] of [
      [false, -1e-6, 1e-6],
      [true, 0.5, 10],
    ] as const) {
      let force = 0;
      const [outQ, outQd] = [new Float64Array(1), new Float64Array(1)];
      for (let i = 0; i < 50; i++) {
        simulation.advance(Float64Array.of(0.1), new Float64Array(1), Float64Array.of(force), outQ, outQd);
        force -= 200 * simulation.vjp(position, Float64Array.of(-1), undefined, escape).control[0];
      }
      expect(outQd[0]).toBeGreaterThanOrEqual(least);
      expect(outQd[0]).toBeLessThan(most);
    }
  });

  it("a ball without an actuator on a driven platform: the normal force remains the way to lift it", () => {
    const platform: LinkDescription = {
      name: "platform",
      joint: { type: "prismatic", axis: [0, 1, 0], effortLimit: 100 },
      mass: 1,
      inertia,
      shapes: [{ shape: { type: "box", halfExtents: [1, 0.1, 1] } }],
    };
    const simulation = new ArticulatedSimulation(
      { name: "lift", links: [platform, ball("ball", 0, 0.1)] },
      { timeStep: 0.01 },
    );
    simulation.q.set([1, 1.2]);
    simulation.control.set([30, 0]);
    simulation.step();
    const gradient = simulation.vjp(new Float64Array(2), Float64Array.of(0, -1), undefined, true);
    expect(gradient.control[0]).toBeCloseTo(-0.005, 12);
  });

  it("leaves the linearisation as it was", () => {
    const simulation = resting([ball("ball", 100, 0.1)], [0.1]);
    simulation.vjp(new Float64Array(1), Float64Array.of(-1), undefined, true);
    expect(simulation.jacobians().velocityByControl[0]).toBe(0);
    expect(simulation.vjp(new Float64Array(1), Float64Array.of(-1)).control[0]).toBe(0);
  });
});
