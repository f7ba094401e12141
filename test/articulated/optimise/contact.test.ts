import { describe, expect, it } from "vitest";
import { cartpole } from "../../../samples/mechanisms/cartpole";
import { catapult, catapultFloor } from "../../../samples/mechanisms/catapult";
import { jumpWorm, jumpWormFloor } from "../../../samples/mechanisms/jump-worm";
import type { MechanismDescription } from "../../../src/articulated/description";
import { HeldControlStep, makeDerivatives } from "../../../src/articulated/optimise/differentiable-step";
import { identify } from "../../../src/articulated/optimise/identify";
import { SimulationStep } from "../../../src/articulated/optimise/simulation-step";
import { runTask, type TrajectoryTask } from "../../../src/articulated/optimise/task";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { mulberry } from "../../../samples/random";
import { normal } from "./mechanisms";

/** A ball on the floor that is pushed up or down. */
const ball: MechanismDescription = {
  name: "ball",
  links: [
    {
      name: "ball",
      mass: 1,
      joint: { type: "prismatic", axis: [0, 1, 0], initialPosition: 0.1, effortLimit: 50 },
      shapes: [{ shape: { type: "sphere", radius: 0.1 } }],
    },
  ],
};
const floor = [{ shape: { type: "box", halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] }] as const;

describe("a ball at rest on the floor", () => {
  const task: TrajectoryTask = {
    mechanism: ball,
    simulation: { timeStep: 0.01, ground: floor },
    steps: 50,
    cost: [{ of: "position", when: "final", target: 1, weight: 1 }],
  };

  it.each(["ilqr", "lbfgs"] as const)("learns to leave it by %s", async (method) => {
    const result = await runTask({ ...task, options: { method, goal: 1e-4 } });
    expect(result.status).toBe("goal");
    expect(result.cost).toBeLessThan(1e-3 * result.initialCost);
  });

  it.each(["ilqr", "lbfgs"] as const)("stays where the plain gradient is 0 by %s", async (method) => {
    const result = await runTask({ ...task, options: { method, escapeSaddles: false } });
    expect(result.status).toBe("converged");
    expect(result.cost).toBe(result.initialCost);
    expect(result.controls.every((u) => u === 0)).toBe(true);
  });
});

describe("a weight on the floor", () => {
  const lift: TrajectoryTask = {
    mechanism: ball,
    simulation: { timeStep: 0.01, ground: floor },
    steps: 50,
    cost: [{ of: "position", when: "running", target: 1, weight: 1 }],
  };

  it("leaves it if contacts are soft in derivatives", async () => {
    const options = { escapeSaddles: false, regularization: 1e-4, iterations: 20 } as const;
    const hard = await runTask({ ...lift, options });
    expect(hard.cost).toBe(hard.initialCost);
    const soft = await runTask({ ...lift, options: { ...options, softness: 0.1 } });
    expect(soft.cost).toBeLessThan(0.7 * soft.initialCost);
    // The result has the cost of hard contacts.
    const again = await runTask({ ...lift, controls: soft.controls, options: { ...options, iterations: 0 } });
    expect(again.initialCost).toBe(soft.cost);
  });

  it("has the first guess, moved, in what a longer horizon adds, and stops at a goal of the whole trajectory only", async () => {
    const options = { horizons: 5, softness: 0.1, goal: 0.25 } as const;
    const result = await runTask({ ...lift, options });
    expect(result.status).toBe("goal");
    expect(result.positions.length).toBe(51);
    expect(result.cost).toBeLessThanOrEqual(0.25);
    await expect(runTask({ ...lift, options: { horizons: 51 } })).rejects.toThrow("horizons");
    await expect(runTask({ ...lift, options: { softness: -1 } })).rejects.toThrow("softness");
  });
});

describe("mechanisms in contact", () => {
  it.each(["ilqr", "lbfgs"] as const)("the catapult hits its target by %s", async (method) => {
    const result = await runTask({
      mechanism: catapult(),
      simulation: { ground: catapultFloor() },
      steps: 500,
      hold: 10,
      cost: [{ of: "position", when: "final", indices: [0, 1], target: [2.2, 2.2], weight: 1 }],
      options: { method, goal: 0.05 },
    });
    expect(result.cost).toBeLessThan(0.05 * result.initialCost);
  });

  it("the jump-worm jumps", async () => {
    const result = await runTask({
      mechanism: jumpWorm({ rootHeight: -0.14 }),
      simulation: { ground: jumpWormFloor(-0.7) },
      steps: 400,
      hold: 10,
      cost: [{ of: "position", when: "final", indices: [1], weight: -100, form: "signed-square" }],
      options: { iterations: 8 },
    });
    expect(result.initialCost).toBeGreaterThan(1);
    expect(result.cost).toBeLessThan(-1);
    expect(result.positions[40 * 5 + 1]).toBeGreaterThan(0.1);
  });

  it("have vector-Jacobian products that agree with their Jacobians, held or not", () => {
    const simulation = new ArticulatedSimulation(catapult(), { ground: catapultFloor() });
    const single = new SimulationStep(simulation);
    for (const step of [single, new HeldControlStep(single, 5)]) {
      const next = mulberry(9);
      const some = (n: number): Float64Array => Float64Array.from({ length: n }, () => normal(next));
      const [q, qd, u, g] = [simulation.q.slice(), some(5), some(3), some(10)];
      const out = makeDerivatives(step);
      step.stepWithJacobians(q.slice(), qd.slice(), u, new Float64Array(5), new Float64Array(5), out);
      const back = { x: new Float64Array(10), u: new Float64Array(3) };
      step.pullBack!(q, qd, u, g, back, false);
      for (let j = 0; j < 10; j++) {
        let sum = 0;
        for (let i = 0; i < 10; i++) sum += out.a[i * 10 + j] * g[i];
        expect(back.x[j]).toBeCloseTo(sum, 9);
      }
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let i = 0; i < 10; i++) sum += out.b[i * 3 + j] * g[i];
        expect(back.u[j]).toBeCloseTo(sum, 9);
      }
    }
  });
});

it("parameters come back from far larger values with all their digits", () => {
  const simulation = new ArticulatedSimulation(cartpole("actuated-cart"), { timeStep: 0.01 });
  const step = new SimulationStep(simulation, [{ kind: "mass", link: "pole" }]);
  for (const mass of [0.3, 1e28, 0.7, 1e-9, 1e20, 2]) {
    step.setParameters(Float64Array.of(mass));
    expect(simulation.parameterValue({ kind: "mass", link: "pole" }) / mass).toBeCloseTo(1, 8);
  }
});

describe("identification from a noisy slide", () => {
  it("finds mass, link length and friction within one per cent", async () => {
    const make = (): SimulationStep =>
      new SimulationStep(
        new ArticulatedSimulation(
          {
            name: "puck and pendulum",
            links: [
              {
                name: "puck",
                mass: 1.5,
                inertia: [0.1, 0.1, 0.1, 0, 0, 0],
                joint: { type: "translational-2d", initialPosition: [0, 0.1], initialVelocity: [3, 0], effortLimit: 0 },
                shapes: [{ shape: { type: "sphere", radius: 0.1 }, friction: 0.3 }],
              },
              {
                name: "pendulum",
                parent: "puck",
                mass: 1,
                inertia: [0.01, 0.01, 0.01, 0, 0, 0],
                joint: {
                  type: "revolute",
                  childFrame: { position: [0, 0.6, 0] },
                  parentFrame: { position: [0, 1, 0] },
                  initialPosition: 0.5,
                  effortLimit: 0,
                },
              },
            ],
          },
          { timeStep: 0.005, ground: [{ ...floor[0], friction: 0.3 }] },
        ),
        [
          { kind: "mass", link: "pendulum" },
          { kind: "child-offset", link: "pendulum", direction: [0, 1, 0] },
          { kind: "friction", link: "puck" },
        ],
      );
    const truth = make();
    const { q, qd } = truth.simulation;
    const next = mulberry(4);
    const positions: number[] = [];
    const none = new Float64Array(0);
    const [x, v] = [q.slice(), qd.slice()];
    for (let k = 0; k < 240; k++) {
      truth.step(x, v, none, x, v);
      positions.push(...x.map((value) => value + 1e-3 * normal(next)));
    }
    const step = make();
    const trajectories = [{ position: q, velocity: qd, positions }];
    const result = await identify({ step, trajectories, parameters: [0.6, 0.5, 0.2], weights: 1e3 });
    expect(step.parameterNames).toEqual(["mass of pendulum", "joint of pendulum along 0 1 0", "friction of puck"]);
    [1, 0.6, 0.3].forEach((value, i) => expect(Math.abs(result.parameters[i] / value - 1)).toBeLessThan(0.01));
    expect(result.cost).toBeLessThan(0.01 * result.initialCost);
  });
});
