/**
 * Incomplete global steps to compare the sparse inverse with (figure 9): Jacobi (Wang 2015), two of its iterations in one
 * (A-Jacobi), and Jacobi with Chebyshev's weights. All of them after the same local step.
 */
import { multiplySymmetric } from "../../src/math/sparse/symmetric-matrix";
import { energyOf, startStep, type StepProblem } from "../../samples/reference-step";

export const methods = ["sparse inverse", "Jacobi", "A-Jacobi", "Chebyshev"] as const;
export type GlobalMethod = (typeof methods)[number];

/** Chebyshev's ρ, and the applied part of a Jacobi step: on tetrahedra a whole step need not converge. */
const RADIUS = 0.95;
const DAMPED = 0.7;
/** Iterations before Chebyshev's weights begin. */
const DELAY = 10;

/** The energy after each iteration, the start first [J], and the processor time until then, without one-time work [ms]. */
export function energies(
  problem: StepProblem,
  method: GlobalMethod,
  iterations: number,
): { readonly values: number[]; readonly times: number[] } {
  const body = startStep(problem);
  const values = [energyOf(problem, body)];
  const q = body.state.positions;
  const { matrix } = body.system;
  const diagonal = Float64Array.from(problem.model.masses, (_, i) => {
    for (let k = matrix.offsets[i]; k < matrix.offsets[i + 1]; k++)
      if (matrix.columns[k] === i) return matrix.values[k];
    return 1;
  });
  const step = new Float64Array(q.length);
  const product = new Float64Array(q.length);
  const [before, last] = [q.slice(), q.slice()];
  let weight = 1;
  const times = [0];
  for (let k = 0; k < iterations; k++) {
    const start = process.cpuUsage();
    body.localStep(k === 0);
    if (method === "sparse inverse") {
      body.forward();
      body.backward();
    } else {
      const r = body.rightHandSide;
      step.fill(0);
      for (let sweep = 0; sweep < (method === "A-Jacobi" ? 2 : 1); sweep++) {
        if (sweep > 0) multiplySymmetric(matrix, step, product, 3);
        for (let i = 0; i < q.length; i++) {
          const v = Math.floor(i / 3);
          if (problem.pinned[v] === 0) step[i] += (DAMPED * (r[i] - (sweep > 0 ? product[i] : 0))) / diagonal[v];
        }
      }
      last.set(q);
      if (method === "Chebyshev")
        weight = k < DELAY ? 1 : k === DELAY ? 2 / (2 - RADIUS ** 2) : 4 / (4 - RADIUS ** 2 * weight);
      for (let i = 0; i < q.length; i++) {
        q[i] += step[i];
        if (weight !== 1) q[i] = weight * (q[i] - before[i]) + before[i];
      }
      before.set(last);
    }
    const { user, system } = process.cpuUsage(start);
    times.push(times[k] + (user + system) / 1000);
    values.push(energyOf(problem, body));
  }
  return { values, times };
}
