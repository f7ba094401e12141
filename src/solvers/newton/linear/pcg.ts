import { dotProduct } from "../../../math/dense";
import {
  type LinearSolver,
  type SolveLinear,
  preconditionedNorm,
  Workspace,
  writeInverseDiagonal,
} from "./linear-solver";

/** Conjugate gradients with the Jacobi preconditioner: the residual does not fall monotonically (figure 11). */
export class ConjugateGradientSolver implements LinearSolver {
  private readonly workspace = new Workspace(5);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size } = system;
    const [inverse, r, z, p, ap] = this.workspace.reserve(size);
    writeInverseDiagonal(system, inverse);
    for (let i = 0; i < size; i++) {
      x[i] = 0;
      r[i] = b[i];
      z[i] = inverse[i] * b[i];
      p[i] = z[i];
    }
    residuals?.push(preconditionedNorm(system, r));
    let rz = dotProduct(r, z, size);
    const enough = tolerance * tolerance * rz;
    for (let k = 0; k < iterations; k++) {
      if (!(rz > 0)) return k;
      system.multiply(p, ap);
      const curvature = dotProduct(p, ap, size);
      if (!(curvature > 0)) return k;
      const alpha = rz / curvature;
      for (let i = 0; i < size; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
        z[i] = inverse[i] * r[i];
      }
      residuals?.push(preconditionedNorm(system, r));
      const next = dotProduct(r, z, size);
      if (next <= enough) return k + 1;
      const beta = next / rz;
      rz = next;
      for (let i = 0; i < size; i++) p[i] = z[i] + beta * p[i];
    }
    return iterations;
  };
}
