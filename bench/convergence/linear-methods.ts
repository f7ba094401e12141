import { dotProduct } from "../../src/math/dense";
import { applyImpulse, relativeSpeed } from "../../src/solvers/newton/contact/contacts";
import { applyRowImpulse, rowSpeed } from "../../src/solvers/newton/contact/rows";
import {
  begin,
  type LinearSolver,
  preconditionedNorm,
  type SolveLinear,
  Workspace,
  writeInverseDiagonal,
} from "../../src/solvers/newton/linear/linear-solver";

/** Conjugate gradients with the Jacobi preconditioner: the residual does not fall monotonically (figure 11). */
class ConjugateGradientSolver implements LinearSolver {
  private readonly workspace = new Workspace(5);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size } = system;
    const [inverse, r, z, p, ap] = this.workspace.reserve(size);
    begin(system, b, x, inverse, r, residuals);
    for (let i = 0; i < size; i++) p[i] = z[i] = inverse[i] * b[i];
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

/**
 * Jacobi relaxation, x += ω D⁻¹ (b − A x). The factor ω keeps it from diverging: the inverse of the largest number of
 * unknowns that act on a body, which bounds the spectral radius of D⁻¹ A, would be safe but slow. Each iteration takes
 * half the optimal step of steepest descent, which is safe, too.
 */
class JacobiSolver implements LinearSolver {
  private readonly workspace = new Workspace(4);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size } = system;
    const [inverse, r, z, az] = this.workspace.reserve(size);
    begin(system, b, x, inverse, r, residuals);
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

/** Gauss-Seidel: unknown after unknown, each with the velocities left by the earlier ones. */
class GaussSeidelSolver implements LinearSolver {
  private readonly workspace = new Workspace(3);

  readonly solve: SolveLinear = (system, b, x, iterations, tolerance, residuals) => {
    const { size, bodies, contacts, rows, compliance, active } = system;
    const [inverse, product, last] = this.workspace.reserve(size);
    writeInverseDiagonal(system, inverse);
    x.fill(0, 0, size);
    const enough = tolerance * preconditionedNorm(system, b);
    residuals?.push(preconditionedNorm(system, b));
    const contactUnknowns = 3 * system.contactCount;
    const du = bodies.scratch.response;
    system.clearResponse();
    for (let k = 0; k < iterations; k++) {
      for (let i = 0; i < contactUnknowns; i++) {
        if (active[i] === 0) continue;
        const c = system.firstContact + Math.floor(i / 3);
        const change = inverse[i] * (b[i] - relativeSpeed(contacts, c, i % 3, du) - compliance[i] * x[i]);
        x[i] += change;
        applyImpulse(bodies, contacts, c, i % 3, change, du);
      }
      for (let i = contactUnknowns; i < size; i++) {
        if (active[i] === 0) continue;
        const r = system.firstRow + i - contactUnknowns;
        const change = inverse[i] * (b[i] - rowSpeed(rows, r, du) - compliance[i] * x[i]);
        x[i] += change;
        applyRowImpulse(rows, r, change, du);
      }
      if (residuals === undefined && tolerance === 0) continue;
      system.multiply(x, product);
      for (let i = 0; i < size; i++) last[i] = b[i] - product[i];
      const residual = preconditionedNorm(system, last);
      residuals?.push(residual);
      if (residual <= enough) return k + 1;
    }
    return iterations;
  };
}

/** The methods that the paper compares, in the order of its figures. */
export const linearMethods = {
  jacobi: new JacobiSolver(),
  "gauss-seidel": new GaussSeidelSolver(),
  pcg: new ConjugateGradientSolver(),
  pcr: "pcr",
} as const;
