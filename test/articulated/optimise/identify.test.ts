import { describe, expect, it } from "vitest";
import type { ParametricStep, StepDerivatives } from "../../../src/articulated/optimise/differentiable-step";
import { identify } from "../../../src/articulated/optimise/identify";
import type { MeasuredTrajectory } from "../../../src/articulated/optimise/measured-trajectory";
import { expectRejected } from "../../refusal";
import { mulberry } from "../../../samples/random";
import { normal, Pendulum } from "./mechanisms";

const [LENGTH, DAMPING] = [0.8, 0.35];

/** A swing from an angle, measured every fifth step with noise of σ; velocities only with a σ of their own. */
function measure(angle: number, sigma: number, seed: number, push = 0, speedSigma?: number): MeasuredTrajectory {
  const step = new Pendulum(0.002, LENGTH, DAMPING);
  const [q, qd, u] = [Float64Array.of(angle), new Float64Array(1), Float64Array.of(push)];
  const next = mulberry(seed);
  const positions: number[] = [];
  const velocities: number[] = [];
  for (let k = 1; k <= 1500; k++) {
    step.step(q, qd, u, q, qd);
    if (k % 5 > 0) continue;
    positions.push(q[0] + sigma * normal(next));
    if (speedSigma !== undefined) velocities.push(qd[0] + speedSigma * normal(next));
  }
  const controls = new Float64Array(1500).fill(push);
  return {
    position: [angle],
    velocity: [0],
    positions,
    every: 5,
    controls,
    ...(speedSigma === undefined ? {} : { velocities }),
  };
}

const guess = [1.3, 0.05];

/** q' = q + |p − 1|: the derivative by p has two values where the cost of a negative measurement is least. */
class Kink implements ParametricStep {
  readonly nv = 1;
  readonly nu = 0;
  readonly timeStep = 1;
  readonly parameterNames = ["p"];
  readonly parameters = Float64Array.of(3);

  setParameters(values: Float64Array): void {
    this.parameters.set(values);
  }

  step(q: Float64Array, _qd: Float64Array, _u: Float64Array, outQ: Float64Array): void {
    outQ[0] = q[0] + Math.abs(this.parameters[0] - 1);
  }

  stepWithJacobians(): void {
    throw new Error("not needed");
  }

  stepWithSensitivity(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    _outQd: Float64Array,
    out: StepDerivatives & { readonly p: Float64Array },
  ): void {
    this.step(q, qd, u, outQ);
    out.a.set([1, 0, 0, 1]);
    out.p.set([this.parameters[0] >= 1 ? 1 : -1, 0]);
  }
}

describe("identification", () => {
  it("finds parameters exactly from exact measurements", async () => {
    const step = new Pendulum(0.002, ...(guess as [number, number]));
    const result = await identify({ step, trajectories: [measure(1, 0, 1)] });
    expect(result.parameters[0]).toBeCloseTo(LENGTH, 8);
    expect(result.parameters[1]).toBeCloseTo(DAMPING, 8);
    expect(result.cost).toBeLessThan(1e-12 * result.initialCost);
    expect(step.parameters).toEqual(result.parameters);
    expect(result.status).toBe("converged");
  });

  it("finds them within the standard errors that it tells, from noisy ones", async () => {
    const sigma = 0.01;
    const trajectories = [measure(1, sigma, 2), measure(-0.6, sigma, 3, 1.5)];
    const step = new Pendulum(0.002, 1, 1);
    const result = await identify({ step, trajectories, parameters: guess, weights: 1 / sigma, estimateStart: true });
    expect(Math.abs(result.parameters[0] - LENGTH) / LENGTH).toBeLessThan(0.01);
    expect(Math.abs(result.parameters[1] - DAMPING) / DAMPING).toBeLessThan(0.01);
    [LENGTH, DAMPING].forEach((truth, i) => {
      expect(Math.abs(result.parameters[i] - truth)).toBeLessThan(4 * result.standardErrors[i]);
      expect(result.standardErrors[i]).toBeLessThan(0.01 * truth);
    });
    expect(result.status).toBe("converged");
    expect(result.cost).toBeLessThan(0.01 * result.initialCost);
    // 600 residuals of variance 1
    expect((2 * result.cost) / 600).toBeCloseTo(1, 0.5);
    expect(result.starts[1][0]).toBeCloseTo(-0.6, 2);
  });

  it("skips samples that are not a number, and stays within bounds", async () => {
    const trajectory = measure(1, 0, 1);
    const positions = Array.from(trajectory.positions, (value, i) => (i % 3 === 0 ? Number.NaN : value));
    const step = new Pendulum(0.002, ...(guess as [number, number]));
    const gaps = await identify({ step, trajectories: [{ ...trajectory, positions }] });
    expect(gaps.parameters[0]).toBeCloseTo(LENGTH, 8);
    const bounded = await identify({ step, trajectories: [trajectory], parameters: guess, lower: [1, 0] });
    expect(bounded.parameters[0]).toBe(1);
  });

  it("finds them from velocities alone", async () => {
    const trajectory = measure(1, 0, 1, 0, 0);
    const positions = Array.from(trajectory.positions, () => Number.NaN);
    const step = new Pendulum(0.002, ...(guess as [number, number]));
    const result = await identify({ step, trajectories: [{ ...trajectory, positions }] });
    expect(result.parameters[0]).toBeCloseTo(LENGTH, 8);
    expect(result.parameters[1]).toBeCloseTo(DAMPING, 8);
  });

  it("weighs velocities by their own noise", async () => {
    const [sigma, speedSigma] = [0.05, 0.005];
    const trajectory = measure(1, sigma, 4, 0, speedSigma);
    const weights = { weights: 1 / sigma, velocityWeights: 1 / speedSigma };
    const find = (given: MeasuredTrajectory): ReturnType<typeof identify> =>
      identify({ step: new Pendulum(0.002, 1, 1), trajectories: [given], parameters: guess, ...weights });
    const both = await find(trajectory);
    const alone = await find({ ...trajectory, velocities: undefined });
    [LENGTH, DAMPING].forEach((truth, i) => {
      expect(Math.abs(both.parameters[i] - truth)).toBeLessThan(4 * both.standardErrors[i]);
      expect(both.standardErrors[i]).toBeLessThan(0.3 * alone.standardErrors[i]);
    });
    // 600 residuals of variance 1
    expect((2 * both.cost) / 600).toBeGreaterThan(0.75);
    expect((2 * both.cost) / 600).toBeLessThan(1.25);
  });

  it("does not call a kink converged, where no step lowers the cost", async () => {
    const step = new Kink();
    const still = { position: [0], velocity: [0], positions: [-1] };
    const kink = await identify({ step, trajectories: [still], parameters: [3], lower: -10 });
    expect(kink.parameters[0]).toBeCloseTo(1, 6);
    expect(kink.status).toBe("stalled");
    // A bound that holds the parameter is a minimum.
    const held = await identify({ step, trajectories: [still], parameters: [3], lower: 2 });
    expect([held.status, held.parameters[0]]).toEqual(["converged", 2]);
  });

  it("reports progress, and can be canceled", async () => {
    const controller = new AbortController();
    const costs: number[] = [];
    const step = new Pendulum(0.002, ...(guess as [number, number]));
    const result = await identify(
      { step, trajectories: [measure(1, 0, 1)] },
      {
        signal: controller.signal,
        onProgress: ({ iteration, cost, positions }) => {
          expect(positions).toHaveLength(300);
          costs.push(cost);
          if (iteration === 2) controller.abort();
        },
      },
    );
    expect(result.status).toBe("canceled");
    expect(costs).toEqual(result.costs);
    expect(result.cost).toBeLessThan(result.initialCost);
  });

  it("says that nothing is known of what has no effect", async () => {
    const step = new Pendulum(0.002, LENGTH, DAMPING);
    const still = { position: [0], velocity: [0], positions: [0, 0, 0] };
    const { standardErrors } = await identify({ step, trajectories: [still] });
    expect(standardErrors).toEqual(Float64Array.of(Number.NaN, Number.NaN));
  });

  it("refuses bad problems and leaves the step as it was", async () => {
    const step = new Pendulum(0.002, 1, 0.1);
    const trajectory = measure(1, 0, 1);
    const refused = (change: object, code: "invalid-argument" | "non-finite", message: RegExp): Promise<void> =>
      expectRejected(identify({ step, trajectories: [trajectory], ...change }), code, message);
    await refused({ trajectories: [] }, "invalid-argument", /at least one/);
    await refused({ parameters: [1] }, "invalid-argument", /parameters.*2 numbers/);
    await refused({ parameters: [1, Number.NaN] }, "non-finite", /parameters/);
    await refused({ trajectories: [{ ...trajectory, every: 0 }] }, "invalid-argument", /every/);
    await refused({ trajectories: [{ ...trajectory, positions: [] }] }, "invalid-argument", /positions/);
    await refused({ trajectories: [{ ...trajectory, velocity: [] }] }, "invalid-argument", /velocity/);
    await refused({ trajectories: [{ ...trajectory, velocities: [1, 2] }] }, "invalid-argument", /velocities.*300/);
    await refused({ velocityWeights: [1, 2] }, "invalid-argument", /velocityWeights.*1 numbers/);
    await refused({ parameters: [1e-9, 1], lower: 1e-9 }, "non-finite", /first guess/);
    expect(Array.from(step.parameters)).toEqual([1, 0.1]);
  });
});
