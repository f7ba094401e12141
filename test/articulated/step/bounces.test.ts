import { describe, expect, it } from "vitest";
import type { LinkDescription, LinkShape } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { Trajectory } from "../../../src/articulated/step/trajectory";
import { riddersJacobian } from "../ridders";

const inertia = [1, 1, 1, 0, 0, 0] as const;

function ball(name: string, radius: number, mass: number, axis: readonly [number, number, number]): LinkDescription {
  const shape = { type: "sphere", radius } as const;
  return { name, joint: { type: "prismatic", axis }, mass, inertia, shapes: [{ shape }] };
}

function expectMatrix(actual: Float64Array, expected: readonly number[], tolerance = 1e-9): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => expect(Math.abs(value - expected[i]), `entry ${i}`).toBeLessThan(tolerance));
}

describe("elastic bounces (paper 4, section 6)", () => {
  it("two balls of equal mass exchange place and velocity: the gradients are exactly (1, 0, 1, 0)", () => {
    const links = [ball("left", 0.1, 1, [1, 0, 0]), ball("right", 0.1, 1, [1, 0, 0])];
    const dt = 0.01;
    const simulation = new ArticulatedSimulation({ name: "balls", links }, { timeStep: dt, restitution: 1 });
    simulation.q.set([-0.0995, 0.1]);
    simulation.qd.set([2, -1]);
    simulation.step();
    expectMatrix(simulation.qd, [-1, 2]);
    const jacobians = simulation.jacobians();
    const exchange = [0, 1, 1, 0];
    expectMatrix(jacobians.positionByPosition, exchange);
    expectMatrix(jacobians.velocityByVelocity, exchange);
    expectMatrix(jacobians.velocityByPosition, [0, 0, 0, 0]);
    expectMatrix(
      jacobians.positionByVelocity,
      exchange.map((x) => dt * x),
    );
    // ∂(q₂', q₂', q̇₂', q̇₂')/∂(q₁, q₂, q̇₁, q̇₂)
    const gradient = [
      jacobians.positionByPosition[2],
      jacobians.positionByPosition[3],
      jacobians.velocityByVelocity[2],
      jacobians.velocityByVelocity[3],
    ];
    expectMatrix(Float64Array.from(gradient), [1, 0, 1, 0]);
  });

  it("over a whole flight: q₂ ends where q₁ would have, whenever they meet", () => {
    const links = [ball("left", 0.1, 1, [1, 0, 0]), ball("right", 0.1, 1, [1, 0, 0])];
    const [steps, dt] = [100, 0.01];
    const simulation = new ArticulatedSimulation({ name: "balls", links }, { timeStep: dt, restitution: 1 });
    const trajectory = new Trajectory(simulation, steps);
    for (const start of [-0.3, -0.707, -1.1234]) {
      const [q, qd] = [Float64Array.of(start, 0.4), Float64Array.of(2, -1)];
      trajectory.run(q, qd, new Float64Array(2 * steps));
      expectMatrix(qd, [-1, 2]);
      const at = (which: "position" | "velocity"): Float64Array => {
        const gradient = trajectory.gradient((t, _q, _qd, byQ, byQd) => {
          if (t === steps) (which === "position" ? byQ : byQd)[1] = 1;
        });
        return Float64Array.of(...gradient.position, ...gradient.velocity);
      };
      expectMatrix(at("position"), [1, 0, steps * dt, 0]);
      expectMatrix(at("velocity"), [0, 0, 1, 0]);
    }
  });

  it("unequal masses and partial restitution: X = 1 - M⁻¹ Jᵀ (1 + e) A⁻¹ J", () => {
    const [m, n, e] = [2, 0.5, 0.6];
    const links = [ball("left", 0.1, m, [1, 0, 0]), ball("right", 0.1, n, [1, 0, 0])];
    const simulation = new ArticulatedSimulation({ name: "balls", links }, { restitution: Math.sqrt(e) });
    simulation.q.set([-0.1, 0.0999]);
    simulation.qd.set([1, -1]);
    simulation.step();
    const common = (1 + e) / (m + n);
    const law = [1 - common * n, common * n, common * m, 1 - common * m];
    expectMatrix(simulation.jacobians().positionByPosition, law);
    expectMatrix(simulation.jacobians().velocityByVelocity, law);
  });

  it("balls that bounce at once, on two floors and on each other, each keep their own law", () => {
    const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [9, 1, 9] }, position: [0, -1, 0] }];
    const place = (link: LinkDescription, x: number): LinkDescription => ({
      ...link,
      joint: { ...link.joint, parentFrame: { position: [x, 0, 0] } },
    });
    const links = [
      place(ball("first", 0.1, 1, [0, 1, 0]), -1),
      place(ball("second", 0.2, 3, [0, 1, 0]), 0),
      place(ball("third", 0.3, 2, [0, 1, 0]), 1),
      place(ball("flying", 0.1, 2, [0, 1, 0]), 2),
    ];
    const simulation = new ArticulatedSimulation(
      { name: "balls", links },
      { ground: floor, restitution: 1, gravity: [0, 0, 0] },
    );
    simulation.q.set([0.0999, 0.1998, 0.2997, 0.5]);
    simulation.qd.set([-1, -2, -3, -1]);
    simulation.step();
    const diagonal = [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1];
    expectMatrix(simulation.jacobians().positionByPosition, diagonal);
    expectMatrix(simulation.jacobians().velocityByVelocity, diagonal);
  });

  it("a box that lands on four corners at once goes up by as much as it started lower", () => {
    const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [9, 1, 9] }, position: [0, -1, 0] }];
    const links: LinkDescription[] = [
      {
        name: "box",
        joint: { type: "free" },
        mass: 1,
        inertia: [0.1, 0.2, 0.3, 0, 0, 0],
        shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.1, 0.3] } }],
      },
    ];
    const simulation = new ArticulatedSimulation(
      { name: "box", links },
      { ground: floor, restitution: 0.7, friction: 0, gravity: [0, 0, 0] },
    );
    const e = 0.49;
    simulation.q[4] = 0.0999;
    simulation.qd[4] = -1;
    simulation.step();
    expect(simulation.contacts.count).toBe(4);
    expect(simulation.qd[4]).toBeCloseTo(e, 9);
    const { positionByPosition: X } = simulation.jacobians();
    for (let k = 0; k < 6; k++) expect(X[4 * 6 + k]).toBeCloseTo(k === 4 ? -e : 0, 9);
    for (let k = 0; k < 6; k++) expect(X[3 * 6 + k]).toBeCloseTo(k === 3 ? 1 : 0, 9);
  });

  it("is what a bounce at its own instant does, friction included", () => {
    // The reference: differences of a ball that flies freely, hits the floor at its instant, and flies on. The step
    // hits the floor at its start, so they agree up to terms of Δt.
    for (const friction of [0, 0.2, 5]) {
      const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [9, 1, 9] }, position: [0, -1, 0] }];
      const radius = 0.25;
      const links: LinkDescription[] = [
        {
          name: "ball",
          joint: { type: "planar", axis: [1, 0, 0], secondAxis: [0, 1, 0] },
          mass: 1.5,
          inertia: [0.05, 0.05, 0.05, 0, 0, 0],
          shapes: [{ shape: { type: "sphere", radius } }],
        },
      ];
      const dt = 1e-6;
      const simulation = new ArticulatedSimulation(
        { name: "ball", links },
        { timeStep: dt, ground: floor, restitution: Math.sqrt(0.8), friction, gravity: [0, 0, 0] },
      );
      const state = [0.3, radius - 1e-7, 0.1, 1.2, -2, 0.7];
      simulation.q.set(state.slice(0, 3));
      simulation.qd.set(state.slice(3));
      const { positionByPosition } = stepped(simulation);
      const after = simulation.qd.slice();
      const flight = (x: Float64Array, out: Float64Array): void => {
        const hit = (radius - x[1]) / state[4];
        for (let c = 0; c < 3; c++) out[c] = x[c] + hit * state[3 + c] + (0.01 - hit) * after[c];
      };
      const numeric = riddersJacobian(flight, Float64Array.from(state.slice(0, 3)), 3, 1e-3);
      numeric.forEach((value, i) => expect(Math.abs(value - positionByPosition[i])).toBeLessThan(1e-4));
    }
  });

  it.each([
    ["slides", 0.05],
    ["grips", 5],
  ])("under gravity a ball that %s ends where the flight with its impact in between says", (_, mu) => {
    const [radius, mass, inertia, e, g, end] = [0.25, 1.5, 0.06, 0.64, 9.81, 0.06];
    const floor: LinkShape[] = [{ shape: { type: "box", halfExtents: [9, 1, 9] }, position: [0, -1, 0] }];
    const links: LinkDescription[] = [
      {
        name: "ball",
        joint: { type: "planar", axis: [1, 0, 0], secondAxis: [0, 1, 0] },
        mass,
        inertia: [inertia, inertia, inertia, 0, 0, 0],
        shapes: [{ shape: { type: "sphere", radius } }],
      },
    ];
    const flight = ([x, y, angle, u, v, w]: Float64Array, out: Float64Array): void => {
      const hit = (v + Math.sqrt(v * v + 2 * g * (y - radius))) / g;
      const normal = (1 + e) * mass * (g * hit - v);
      const grip = -(u + w * radius) / (1 / mass + (radius * radius) / inertia);
      const tangential = Math.sign(grip) * Math.min(Math.abs(grip), mu * normal);
      const [u2, v2, w2] = [u + tangential / mass, e * (g * hit - v), w + (tangential * radius) / inertia];
      const rest = end - hit;
      out.set([x + hit * u + rest * u2, radius + rest * v2 - (g * rest * rest) / 2, angle + hit * w + rest * w2]);
      out.set([u2, v2 - g * rest, w2], 3);
    };
    const start = Float64Array.of(0.1, 0.3, 0.2, 1.1, -1.5, 0.7);
    const reference = riddersJacobian(flight, start, 6, 1e-2);
    const expected = new Float64Array(6);
    flight(start, expected);
    const errors = [500, 3300].map((steps) => {
      const simulation = new ArticulatedSimulation(
        { name: "ball", links },
        { timeStep: end / steps, ground: floor, restitution: Math.sqrt(e), friction: mu },
      );
      const trajectory = new Trajectory(simulation, steps);
      const [q, qd] = [start.slice(0, 3), start.slice(3)];
      trajectory.run(q, qd, new Float64Array(3 * steps));
      [...q, ...qd].forEach((x, i) => expect(Math.abs(x - expected[i])).toBeLessThan(2e-3));
      let worst = 0;
      for (let i = 0; i < 6; i++) {
        const gradient = trajectory.gradient((t, _q, _qd, byQ, byQd) => {
          if (t === steps) (i < 3 ? byQ : byQd)[i % 3] = 1;
        });
        [...gradient.position, ...gradient.velocity].forEach((x, j) => {
          worst = Math.max(worst, Math.abs(x - reference[6 * i + j]));
        });
      }
      return worst;
    });
    // ∂q̇/∂q is about 2 g / v = 10 here, and without it the error would be as large.
    expect(errors[1]).toBeLessThan(1e-3);
    expect(errors[1]).toBeLessThan(0.3 * errors[0]);
  });
});

function stepped(simulation: ArticulatedSimulation) {
  simulation.step();
  return simulation.jacobians();
}
