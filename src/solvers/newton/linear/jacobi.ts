import { dotProduct } from "../../../math/dense";
import {
  type LinearSolver,
  type SolveLinear,
  preconditionedNorm,
  Workspace,
  writeInverseDiagonal,
} from "./linear-solver";

/**
 * Jacobi relaxation, x += ω D⁻¹ (b − A x). The factor ω keeps it from diverging: the inverse of the largest number of
 * unknowns that act on a body, which bounds the spectral radius of D⁻¹ A, would be safe but slow. Each iteration takes
 * half the optimal step of steepest descent, which is safe, too.
 */
export class JacobiSolver implements LinearSolver {
  private readonly workspace = new Workspace(4);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size } = system;
    const [inverse, r, z, az] = this.workspace.reserve(size);
    writeInverseDiagonal(system, inverse);
    for (let i = 0; i < size; i++) {
      x[i] = 0;
      r[i] = b[i];
    }
    residuals?.push(preconditionedNorm(system, r));
    let enough = 0;
    for (let k = 0; k < iterations; k++) {
      for (let i = 0; i < size; i++) z[i] = inverse[i] * r[i];
      const rz = dotProduct(r, z, size);
      if (k === 0) enough = tolerance * tolerance * rz;
      if (!(rz > enough)) return k;
      system.multiply(z, az);
      const curvature = dotProduct(z, az, size);
      if (!(curvature > 0)) return k;
      const omega = (0.5 * rz) / curvature;
      for (let i = 0; i < size; i++) {
        x[i] += omega * z[i];
        r[i] -= omega * az[i];
      }
      residuals?.push(preconditionedNorm(system, r));
    }
    return iterations;
  };
}
