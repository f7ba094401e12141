import { dotProduct } from "../../../math/dense";
import { begin, type LinearSolver, preconditionedNorm, type SolveLinear, Workspace } from "./linear-solver";

/**
 * Preconditioned conjugate residuals (8.2) with the Jacobi preconditioner D⁻¹. The residual falls monotonically in the norm
 * of D⁻¹, so stopping early is safe, and singular systems of redundant contacts do no harm.
 *
 * r = b − A x,  z = D⁻¹ r,  p search direction
 */
export class ConjugateResidualSolver implements LinearSolver {
  private readonly workspace = new Workspace(7);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size } = system;
    const [inverse, r, z, az, p, ap, q] = this.workspace.reserve(size);
    begin(system, b, x, inverse, r, residuals);
    for (let i = 0; i < size; i++) p[i] = z[i] = inverse[i] * b[i];
    const enough = tolerance * tolerance * dotProduct(r, z, size);
    system.multiply(z, az);
    for (let i = 0; i < size; i++) ap[i] = az[i];
    let zaz = dotProduct(z, az, size);
    for (let k = 0; k < iterations; k++) {
      if (!(zaz > 0)) return k;
      let apq = 0;
      for (let i = 0; i < size; i++) {
        q[i] = inverse[i] * ap[i];
        apq += ap[i] * q[i];
      }
      if (!(apq > 0)) return k;
      const alpha = zaz / apq;
      let rz = 0;
      for (let i = 0; i < size; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
        z[i] -= alpha * q[i];
        rz += r[i] * z[i];
      }
      residuals?.push(preconditionedNorm(system, r));
      if (rz <= enough || k === iterations - 1) return k + 1;
      system.multiply(z, az);
      const next = dotProduct(z, az, size);
      const beta = next / zaz;
      zaz = next;
      for (let i = 0; i < size; i++) {
        p[i] = z[i] + beta * p[i];
        ap[i] = az[i] + beta * ap[i];
      }
    }
    return iterations;
  };
}
