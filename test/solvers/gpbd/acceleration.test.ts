import { describe, expect, it } from "vitest";
import { errorCurves, ExactStep, type StepCase, stepCases } from "../../../bench/gpbd/errors";
import { accelerationWeights } from "../../../src/solvers/gpbd/acceleration";

/** Remainder of an eigenvector with the eigenvalue λ after n iterations; `most`: its largest value on the way. */
function leftOver(eigenvalue: number, iterations: number, stiffness: number, most = true): number {
  const weights = { share: 1, momentum: 0 };
  let [left, added, largest] = [1, 0, 0];
  for (let iteration = 0; iteration < iterations; iteration++) {
    accelerationWeights(iteration, iterations, stiffness, weights);
    added = -weights.share * eigenvalue * left + weights.momentum * added;
    left += added;
    largest = Math.max(largest, Math.abs(left));
  }
  return most ? largest : Math.abs(left);
}

const steps = new Map<StepCase, ExactStep>();
/** The reference by Newton takes longer than the compared methods. */
function exactStep(of: StepCase): ExactStep {
  if (!steps.has(of)) steps.set(of, new ExactStep(of));
  return steps.get(of)!;
}

describe("accelerated iterations", () => {
  it("let no mode of stress grow, however stiff elements are", () => {
    let worst = 0;
    for (const iterations of [1, 2, 3, 5, 10, 50])
      for (const stiffness of [0, 0.5, 10, 1e3, 1e8])
        for (let eigenvalue = 0; eigenvalue <= 1; eigenvalue += 1 / 64)
          worst = Math.max(worst, leftOver(eigenvalue, iterations, stiffness));
    expect(worst).toBeLessThanOrEqual(1 + 1e-9);
  });

  it("damp what is between 1/(1 + κ) and 1 like Chebyshev's polynomial, where there are enough of them", () => {
    const [stiffness, iterations] = [9, 12];
    const bound = 1 / Math.cosh(iterations * Math.acosh(1.1 / 0.9));
    for (let eigenvalue = 0.1; eigenvalue <= 1; eigenvalue += 0.01)
      expect(leftOver(eigenvalue, iterations, stiffness, false)).toBeLessThanOrEqual(bound * (1 + 1e-9));
  });

  it.each(stepCases)("are nearer to backward Euler than as many plain ones: $name", (of) => {
    const step = exactStep(of);
    for (const iterations of [2, 5, 10]) {
      const plain = step.errors({ method: "jacobi", iterations });
      const accelerated = step.errors({ method: "jacobi", iterations, accelerate: true });
      expect(Math.max(...accelerated)).toBeLessThan(1);
      expect(accelerated.at(-1)).toBeLessThan(0.9 * plain.at(-1));
    }
    const [five, twenty] = [5, 20].map((iterations) => step.errors({ method: "jacobi", iterations, accelerate: true }));
    expect(twenty.at(-1)).toBeLessThan(0.5 * five.at(-1));
  });

  it.each(stepCases)("three that are relaxed are nearer to it than five plain ones: $name", (of) => {
    const step = exactStep(of);
    const relaxed = step.errors({ method: "jacobi", iterations: 3, relaxation: 1.9 });
    expect(relaxed.at(-1)).toBeLessThan(step.errors({ method: "jacobi", iterations: 5 }).at(-1));
  });

  it("change nothing where there is one, or where colours are swept", () => {
    const step = new ExactStep(stepCases[0], 1);
    for (const options of [
      { method: "jacobi", iterations: 1 },
      { method: "gauss-seidel", iterations: 3 },
    ] as const)
      expect(step.errors({ ...options, accelerate: true })).toEqual(step.errors(options));
  });

  it("are not all that could be had: Anderson's mixture of past sweeps, which the bench has, brings either method nearer", () => {
    const step = new ExactStep(stepCases[1], 1);
    for (const method of ["jacobi", "gauss-seidel"] as const) {
      const plain = step.errors({ method, iterations: 10 });
      const mixed = step.errors({ method, iterations: 10 }, 5);
      expect(mixed[1]).toBe(plain[1]);
      // After ten sweeps those of colors are at the state that they end at.
      expect(mixed[6]).toBeLessThan(0.5 * plain[6]);
      // mixed sweeps end at the same state as plain ones: x = x̃ + Σ dᵢ holds
      expect(step.errors({ method, iterations: 120 }, 5).at(-1)).toBeLessThan(5e-3);
    }
  });

  it("are drawn beside plain ones", () => {
    const { rows, charts } = errorCurves(stepCases.slice(1, 2), 2, 1);
    expect(charts.map(({ curves }) => curves.length)).toEqual([9]);
    for (const { gain, settings } of rows) expect(gain, settings).toBeGreaterThan(settings === "Jacobi" ? 0.99 : 0.5);
  });
});
