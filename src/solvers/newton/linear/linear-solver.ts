import type { IslandSystem } from "../island/island-system";

/**
 * Solves (J M⁻¹ Jᵀ + C) x = b on the active unknowns of an island. b is zero on the others, and so is x.
 *
 * All methods for the linear problem of a Newton iteration (8.2) have this form, so that they are interchangeable.
 */
export interface LinearSolver {
  readonly solve: SolveLinear;
}

/**
 * @param x the result; its previous contents are ignored
 * @param iterations largest number of iterations
 * @param tolerance the method stops when the residual, in its norm, is this fraction of that of x = 0
 * @param residuals if given, receives `preconditionedNorm` of b − A x before the first iteration and after each
 * @returns number of iterations
 */
export type SolveLinear = (
  system: IslandSystem,
  b: Float64Array,
  x: Float64Array,
  iterations: number,
  tolerance: number,
  residuals?: number[],
) => number;

/** Vectors of a method, enlarged as needed. */
export class Workspace {
  vectors: Float64Array[] = [];

  constructor(private readonly count: number) {}

  reserve(size: number): readonly Float64Array[] {
    if (this.vectors.length === 0 || this.vectors[0].length < size)
      this.vectors = Array.from({ length: this.count }, () => new Float64Array(2 * size));
    return this.vectors;
  }
}

/** The Jacobi preconditioner: 1 / (J M⁻¹ Jᵀ + C)ᵢᵢ, zero for inactive unknowns. */
export function writeInverseDiagonal(system: IslandSystem, out: Float64Array): void {
  for (let i = 0; i < system.size; i++) {
    const diagonal = system.mobility(i) + system.compliance[i];
    out[i] = system.active[i] !== 0 && diagonal > 0 ? 1 / diagonal : 0;
  }
}

/**
 * √(rᵀ D⁻¹ r) of a residual, with D the diagonal of the matrix: it scales every row to its own size, and is the norm in
 * which conjugate residuals fall monotonically (8.2).
 */
export function preconditionedNorm(system: IslandSystem, r: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < system.size; i++) {
    const diagonal = system.mobility(i) + system.compliance[i];
    if (system.active[i] !== 0 && diagonal > 0) sum += (r[i] * r[i]) / diagonal;
  }
  return Math.sqrt(sum);
}

/**
 * Reports the residuals of a solver with factors: that at x = 0 and that of its solution.
 *
 * @param product scratch memory with a number for each unknown
 */
export function reportResiduals(
  system: IslandSystem,
  b: Float64Array,
  x: Float64Array,
  product: Float64Array,
  residuals: number[],
): void {
  residuals.push(preconditionedNorm(system, b));
  system.multiply(x, product);
  for (let i = 0; i < system.size; i++) product[i] = b[i] - product[i];
  residuals.push(preconditionedNorm(system, product));
}

/** Starts from x = 0, with the residual r = b. */
export function begin(
  system: IslandSystem,
  b: Float64Array,
  x: Float64Array,
  inverse: Float64Array,
  r: Float64Array,
  residuals: number[] | undefined,
): void {
  writeInverseDiagonal(system, inverse);
  for (let i = 0; i < system.size; i++) {
    x[i] = 0;
    r[i] = b[i];
  }
  residuals?.push(preconditionedNorm(system, r));
}
