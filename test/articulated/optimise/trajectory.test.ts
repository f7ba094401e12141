import { describe, expect, it } from "vitest";
import { solveCholesky } from "../../../src/math/dense";
import { TermCost, type CostTerm } from "../../../src/articulated/optimise/cost/cost";
import type { DifferentiableStep } from "../../../src/articulated/optimise/differentiable-step";
import { Ilqr } from "../../../src/articulated/optimise/ilqr";
import { optimizeTrajectory, type TrajectoryProblem } from "../../../src/articulated/optimise/trajectory";
import { expectRejected, expectRefused } from "../../refusal";
import { mulberry } from "../../../samples/random";
import { cartpole, freeStep, normal, PushedPoint } from "./mechanisms";

const goHome: CostTerm[] = [
  { of: "position", when: "final", weight: 10 },
  { of: "velocity", when: "final", weight: 1 },
  { of: "control", when: "running", weight: 0.1 },
];
const pushed: TrajectoryProblem = {
  step: new PushedPoint(0.1, 2),
  position: [1],
  velocity: [0.5],
  steps: 20,
  cost: goHome,
};

/** Least cost of `pushed`, from the normal equations over all controls: J is quadratic in them. */
function leastCost(): { cost: number; controls: Float64Array } {
  const n = 20;
  const end = (u: ArrayLike<number>): [number, number] => {
    let [q, qd] = [1, 0.5];
    for (let k = 0; k < n; k++) {
      qd += 0.05 * u[k];
      q += 0.1 * qd;
    }
    return [q, qd];
  };
  const free = end(new Float64Array(n));
  const columns = Array.from({ length: n }, (_, k) => {
    const [q, qd] = end(Float64Array.from({ length: n }, (__, i) => (i === k ? 1 : 0)));
    return [q - free[0], qd - free[1]];
  });
  const matrix = new Float64Array(n * n);
  const controls = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    controls[i] = -(10 * columns[i][0] * free[0] + columns[i][1] * free[1]);
    for (let j = 0; j < n; j++)
      matrix[i * n + j] =
        10 * columns[i][0] * columns[j][0] + columns[i][1] * columns[j][1] + (i === j ? 0.1 * 0.1 : 0);
  }
  expect(solveCholesky(matrix, controls, n)).toBe(true);
  const [q, qd] = end(controls);
  return { cost: 10 * q * q + qd * qd + 0.01 * controls.reduce((sum, u) => sum + u * u, 0), controls };
}

describe("a linear mechanism with a quadratic cost", () => {
  const least = leastCost();

  it.each(["ilqr", "lbfgs"] as const)("is solved exactly by %s", async (method) => {
    const { cost, controls, status, costs } = await optimizeTrajectory(pushed, { method, tolerance: 1e-12 });
    expect(status).toBe("converged");
    expect(cost / least.cost).toBeCloseTo(1, 8);
    controls.forEach((u, i) => expect(u).toBeCloseTo(least.controls[i], 3));
    for (let i = 1; i < costs.length; i++) expect(costs[i]).toBeLessThanOrEqual(costs[i - 1]);
  });

  it.each(["ilqr", "lbfgs"] as const)("keeps the bounds under %s", async (method) => {
    const bound = 0.6 * Math.max(...least.controls.map(Math.abs));
    const bounded = { ...pushed, lower: -bound, upper: [bound] };
    const { cost, controls } = await optimizeTrajectory(bounded, { method, tolerance: 1e-13, iterations: 500 });
    expect(Math.max(...controls.map(Math.abs))).toBe(bound);
    expect(cost).toBeGreaterThan(least.cost);
    // At the minimum within the box no free control can gain more.
    const better = (i: number, by: number): number => {
      const u = controls.slice();
      u[i] = Math.min(bound, Math.max(-bound, u[i] + by));
      let [q, qd] = [1, 0.5];
      for (const force of u) {
        qd += 0.05 * force;
        q += 0.1 * qd;
      }
      return 10 * q * q + qd * qd + 0.01 * u.reduce((sum, f) => sum + f * f, 0);
    };
    for (let i = 0; i < 20; i++) for (const by of [-1e-3, 1e-3]) expect(better(i, by)).toBeGreaterThan(cost - 1e-7);
  });

  it("may hold its controls", async () => {
    const { controls, positions, velocities } = await optimizeTrajectory({ ...pushed, hold: 5 });
    expect([controls.length, positions.length, velocities.length]).toEqual([4, 5, 5]);
    expect(positions[0]).toBe(1);
  });
});

describe("the cartpole", () => {
  const model = cartpole();
  const swingStep = freeStep(model, 0.01);
  const swingUp: TrajectoryProblem = {
    step: swingStep,
    position: [0, Math.PI],
    velocity: [0, 0],
    steps: 500,
    hold: 10,
    ...swingStep.controlBounds,
    cost: [
      { of: "position", when: "final", weight: 1 },
      { of: "velocity", when: "final", weight: 1 },
    ],
  };

  it("swings up from 500 steps", async () => {
    const result = await optimizeTrajectory(swingUp, { goal: 1e-3 * Math.PI ** 2 });
    expect(result.status).toBe("goal");
    expect(result.cost).toBeLessThan(0.01 * result.initialCost);
    expect(Math.max(...result.controls.map(Math.abs))).toBeLessThanOrEqual(10);
    expect(Math.abs(result.positions[101])).toBeLessThan(0.1);
  });

  it("swings up along the gradient alone", async () => {
    const result = await optimizeTrajectory(swingUp, { method: "lbfgs", goal: 0.05 * Math.PI ** 2, iterations: 100 });
    expect(result.status).toBe("goal");
  });

  it("reports its progress, the first guess first", async () => {
    const seen: number[] = [];
    const { costs } = await optimizeTrajectory(swingUp, {
      iterations: 4,
      onProgress: ({ iteration, cost, positions }) => {
        expect(iteration).toBe(seen.length);
        expect(positions).toHaveLength(2 * 51);
        seen.push(cost);
      },
    });
    expect(seen).toEqual(costs);
    expect(seen).toHaveLength(5);
  });

  it("can be canceled, and gives the best so far", async () => {
    const controller = new AbortController();
    const result = await optimizeTrajectory(swingUp, {
      signal: controller.signal,
      onProgress: ({ iteration }) => iteration === 3 && controller.abort(),
    });
    expect([result.status, result.iterations]).toEqual(["canceled", 3]);
    expect(result.cost).toBeLessThan(result.initialCost);
  });

  it("lets other work go on", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await optimizeTrajectory(swingUp, { iterations: 40, tolerance: 0 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });

  it("has the gradient that differences show", () => {
    const step = freeStep(model, 0.01);
    const steps = 30;
    const cost = new TermCost(
      [
        { of: "position", when: "final", weight: [2, 3], target: [0.4, -0.2] },
        { of: "velocity", when: "running", indices: [1], weight: 0.3, form: "smooth-distance", scale: 0.5 },
        { of: "position", when: "running", indices: [0], weight: -4, form: "signed-square" },
        { of: "control", when: "running", weight: 0.01 },
      ],
      { nv: 2, nu: 1, timeStep: 0.01, steps },
    );
    const free = Float64Array.of(Infinity);
    const ilqr = new Ilqr(
      step,
      cost,
      steps,
      free.map((v) => -v),
      free,
      Float64Array.of(1),
    );
    const next = mulberry(5);
    const controls = Float64Array.from({ length: steps }, () => 5 * normal(next));
    const costOf = (u: Float64Array): number => {
      ilqr.x.set([0.1, 2, -0.3, 0.4]);
      ilqr.u.set(u);
      return ilqr.rollOut();
    };
    costOf(controls);
    for (let k = 0; k <= steps; k++) ilqr.linearise(k);
    const gradient = new Float64Array(steps);
    ilqr.gradient(gradient);
    for (const i of [0, 7, 29]) {
      const moved = (by: number): number => costOf(controls.map((u, j) => (i === j ? u + by : u)));
      expect(gradient[i]).toBeCloseTo((moved(1e-4) - moved(-1e-4)) / 2e-4, 8);
    }
  });
});

describe("a cost with a kink, in a place where no short step lowers it", () => {
  // Two controls, and a state that they do not move.
  const step: DifferentiableStep = {
    nv: 1,
    nu: 2,
    timeStep: 1,
    step: (q, qd, _u, outQ, outQd) => {
      outQ.set(q);
      outQd.set(qd);
    },
    stepWithJacobians: (q, qd, _u, outQ, outQd, { a, b }) => {
      outQ.set(q);
      outQd.set(qd);
      a.set([1, 0, 0, 1]);
      b.fill(0);
    },
  };
  const kink = (size: number): TrajectoryProblem["cost"] => ({
    evaluate: (_k, _x, u, out) => {
      if (u === undefined) return 0;
      const side = u[0] >= u[1] ? 10 : -10;
      if (out) {
        out.u[0] += size * (2 * u[0] + side);
        out.u[1] += size * (4 * u[1] - side);
        out.uu[0] += 2 * size;
        out.uu[3] += 4 * size;
      }
      return size * (u[0] ** 2 + 2 * u[1] ** 2 + side * (u[0] - u[1]));
    },
  });

  it.each([1e-3, 1, 1e3])("is left by a step that raises it, %f times the cost", async (size) => {
    const problem = { step, position: [0], velocity: [0], steps: 1, controls: [1, 1], cost: kink(size) };
    const { cost, costs, status, initialCost } = await optimizeTrajectory(problem);
    expect(initialCost).toBe(3 * size);
    expect(status).toBe("converged");
    expect(Math.max(...costs)).toBeGreaterThan(10 * size);
    expect(cost).toBeLessThan(0.01 * size);
    expect(cost).toBe(Math.min(...costs));
  });
});

describe("bad problems", () => {
  it.each([
    [{ steps: 0 }, /steps.*positive integer/],
    [{ hold: 3 }, /hold.*divisor of the 20/],
    [{ position: [1, 2] }, /position.*1 numbers/],
    [{ lower: 2, upper: 1 }, /lower.*exceed 1/],
    [{ controls: [1] }, /controls.*20 numbers/],
    [{ cost: [] }, /cost.*at least one/],
    [{ cost: [{ of: "control", when: "final", weight: 1 }] }, /controls have no cost/],
    [{ cost: [{ of: "position", when: "final", weight: [1, 2] }] }, /weight.*1 numbers/],
    [{ cost: [{ of: "position", when: "final", weight: 1, scale: 0 }] }, /scale.*positive/],
  ] as const)("%j are refused", async (change, message) => {
    await expectRejected(optimizeTrajectory({ ...pushed, ...change }), "invalid-argument", message);
  });

  it("with numbers that are not finite are refused", async () => {
    await expectRejected(optimizeTrajectory({ ...pushed, velocity: [Infinity] }), "non-finite", /velocity/);
    await expectRejected(optimizeTrajectory({ ...pushed, upper: Number.NaN }), "non-finite", /upper/);
    const weight = [{ of: "position", when: "final", weight: Number.NaN }] as const;
    await expectRejected(optimizeTrajectory({ ...pushed, cost: weight }), "non-finite", /weight/);
    const endless = { evaluate: () => Infinity };
    await expectRejected(optimizeTrajectory({ ...pushed, cost: endless }), "non-finite", /first guess/);
    await expectRejected(optimizeTrajectory(pushed, { iterations: -1 }), "invalid-argument", /iterations/);
    await expectRejected(optimizeTrajectory(pushed, { regularization: 0 }), "invalid-argument", /regularization/);
    const index = [{ of: "position", when: "final", indices: [1], weight: 1 }] as const;
    expectRefused(
      () => new TermCost(index, { nv: 1, nu: 1, timeStep: 0.1, steps: 5 }),
      "index-out-of-range",
      /indices.*below 1/,
    );
  });
});

describe("a policy as the first guess", () => {
  const options = { iterations: 0 };
  // A spring with a damper, which pulls to the middle.
  const law = ([q]: Float64Array, [qd]: Float64Array, _time: number, out: Float64Array): void => {
    out[0] = -4 * q - 3 * qd;
  };

  it.each([1, 4])("decides from the states that it leads to, with controls held for %i steps", async (hold) => {
    const times: number[] = [];
    const { positions, velocities, controls, cost, initialCost } = await optimizeTrajectory(
      {
        ...pushed,
        hold,
        controls: (q, qd, time, out) => {
          times.push(time);
          law(q, qd, time, out);
          q.fill(Number.NaN);
          qd.fill(Number.NaN);
        },
      },
      options,
    );
    expect(times.map((time) => Math.round(time / 0.1))).toEqual(
      controls.reduce((all: number[], _, k) => [...all, k * hold], []),
    );
    controls.forEach((u, k) => expect(u).toBe(-4 * positions[k] - 3 * velocities[k]));
    const told = await optimizeTrajectory({ ...pushed, hold, controls }, options);
    expect([told.initialCost, told.cost]).toEqual([initialCost, cost]);
    const idle = await optimizeTrajectory({ ...pushed, hold }, options);
    expect(initialCost).toBeLessThan(0.5 * idle.initialCost);
  });

  it("stays within the bounds, and sees what comes of that", async () => {
    const { positions, velocities, controls } = await optimizeTrajectory(
      { ...pushed, lower: -0.5, upper: 0.2, controls: law },
      options,
    );
    controls.forEach((u, k) => expect(u).toBe(Math.min(0.2, Math.max(-0.5, -4 * positions[k] - 3 * velocities[k]))));
    expect(Math.min(...controls)).toBe(-0.5);
  });

  it("is improved to the same end as any other guess", async () => {
    const { cost } = await optimizeTrajectory({ ...pushed, controls: law }, { tolerance: 1e-12 });
    expect(cost / leastCost().cost).toBeCloseTo(1, 8);
  });

  it("is refused where it decides on no number", async () => {
    const controls = (): void => undefined;
    await expect(optimizeTrajectory({ ...pushed, controls }, options)).resolves.toMatchObject({ status: "iterations" });
    await expectRejected(
      optimizeTrajectory({ ...pushed, controls: (_q, _qd, _time, out) => out.fill(Number.NaN) }, options),
      "non-finite",
      /optimizeTrajectory\.controls/,
    );
  });
});
