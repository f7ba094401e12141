import { applyImpulse, relativeSpeed } from "../contact/contacts";
import { applyRowImpulse, rowSpeed } from "../contact/rows";
import {
  type LinearSolver,
  type SolveLinear,
  preconditionedNorm,
  Workspace,
  writeInverseDiagonal,
} from "./linear-solver";

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
