/**
 * Anderson acceleration (Walker and Ni 2011, type II) of sweeps of GPBD in f64, to measure its possible gain; the solvers do not have it.
 * The fixed point z = G(z) of a sweep is that of all displacements dᵢ with the positions. A mixture of past sweeps with weights that add up
 * to 1 keeps x = x̃ + Σ dᵢ. The weights minimize the change of a sweep in the norm of mass,
 *
 *     z ← G(zₖ) − Σ γⱼ (G(zⱼ₊₁) − G(zⱼ)),    γ = argmin ‖fₖ − Σ γⱼ (fⱼ₊₁ − fⱼ)‖,    f = G(z) − z
 */
import { solveCholesky } from "../../src/math/dense";
import type { CpuGpbdSolver, IterationProbe } from "../../src/solvers/gpbd/cpu/cpu-solver";

/** Part of the largest diagonal that keeps γ bounded when sweeps are nearly alike. */
const REGULAR = 1e-10;

export class Anderson {
  private before: Float64Array | undefined;
  private lastChange: Float64Array | undefined;
  private lastSwept: Float64Array | undefined;
  private readonly changes: Float64Array[] = [];
  private readonly swept: Float64Array[] = [];

  /** @param depth number of past sweeps that are used */
  constructor(private readonly depth: number) {}

  /** Call it after every sweep, once the result of the sweep has been read. */
  readonly mix: IterationProbe = (solver) => {
    const parts = partsOf(solver);
    const weights = weightsOf(solver);
    const g = joined(parts);
    // the first sweep began with dᵢ = 0
    const f = this.before ? g.map((value, i) => value - this.before![i]) : displacements(solver, g);
    if (this.lastChange && this.lastSwept) {
      this.changes.push(f.map((value, i) => value - this.lastChange![i]));
      this.swept.push(g.map((value, i) => value - this.lastSwept![i]));
      if (this.changes.length > this.depth) {
        this.changes.shift();
        this.swept.shift();
      }
    }
    this.lastChange = f;
    this.lastSwept = g;
    const z = g.slice();
    const n = this.changes.length;
    if (n > 0) {
      const dot = (a: Float64Array, b: Float64Array): number => {
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += weights[i] * a[i] * b[i];
        return sum;
      };
      const matrix = Float64Array.from({ length: n * n }, (_, i) =>
        dot(this.changes[(i / n) | 0], this.changes[i % n]),
      );
      const most = Math.max(...Array.from({ length: n }, (_, i) => matrix[i * n + i]));
      for (let i = 0; i < n; i++) matrix[i * n + i] += REGULAR * most;
      const gamma = Float64Array.from(this.changes, (change) => dot(change, f));
      if (!solveCholesky(matrix, gamma, n)) gamma.fill(0);
      gamma.forEach((factor, j) => {
        for (let i = 0; i < z.length; i++) z[i] -= factor * this.swept[j][i];
      });
    }
    this.before = z;
    let at = 0;
    for (const part of parts) {
      part.set(z.subarray(at, at + part.length));
      at += part.length;
    }
  };
}

/** dᵢ of all terms, then x. */
function partsOf({ scratch, state }: CpuGpbdSolver): Float64Array[] {
  return [...scratch.tracked, state.positions];
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Masses of the vertices that the numbers of dᵢ belong to. */
function weightsOf({ model }: CpuGpbdSolver): Float64Array {
  return Float64Array.from(
    model.terms.flatMap(({ indices }) => Array.from(indices).flatMap((p) => [0, 1, 2].map(() => model.masses[p]))),
  );
}

/** The first sweep's change: all of dᵢ, and the same change of x. */
function displacements({ scratch, model }: CpuGpbdSolver, g: Float64Array): Float64Array {
  const f = g.slice();
  const first = f.length - 3 * model.particleCount;
  f.fill(0, first);
  model.terms.forEach(({ indices }, t) => {
    for (let i = 0; i < 3 * indices.length; i++) f[first + 3 * indices[(i / 3) | 0] + (i % 3)] += scratch.tracked[t][i];
  });
  return f;
}
