import { dotProduct } from "../../../math/dense";
import { applyImpulse, relativeSpeed } from "../contact/contacts";
import { applyRowImpulse, rowSpeed } from "../contact/rows";
import type { IslandSystem } from "../island/island-system";
import {
  type LinearSolver,
  type SolveLinear,
  preconditionedNorm,
  Workspace,
  writeInverseDiagonal,
} from "./linear-solver";

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

/** Conjugate gradients with the Jacobi preconditioner: the residual does not fall monotonically (figure 11). */
export class ConjugateGradientSolver implements LinearSolver {
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
export class JacobiSolver implements LinearSolver {
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
export class GaussSeidelSolver implements LinearSolver {
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

/** Starts from x = 0, with the residual r = b. */
function begin(
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
