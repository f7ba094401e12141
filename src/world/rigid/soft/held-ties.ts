/**
 * The answer of a body of the Newton solver that is attached to objects which do not respond. A of its step knows nothing of attachments: those are
 * rows of the contact problem. Impulses of others moved such a body as if it were free, and a rope came off the wall that it hangs on:
 *
 *     u = A⁻¹ (j − Eᵀ p),   E u = c p / h²,   p = K⁻¹ E A⁻¹ j,   K = E A⁻¹ Eᵀ + c / h²
 *
 * with the attached particles E, their compliances c and the time h of the frame. A body that responds takes its share in its own step.
 */
import { solveCholesky, substituteCholesky } from "../../../math/dense";
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import type { SoftTie } from "../../../solvers/newton/deformable/contact/soft-contacts";

/** Part of the diagonal of K that is added to it. */
const GIVE = 1e-12;

export class HeldTies {
  /** coordinates of E, and A⁻¹ Eᵀ, a list a column */
  private readonly rows: readonly number[];
  private readonly columns: readonly Float64Array[];
  /** Cholesky factor of K */
  private readonly factor: Float64Array;
  private readonly p: Float64Array;

  /** @param answer out = A⁻¹ j, zero at fixed particles */
  constructor(
    { fixed, positions }: FemBody,
    ties: readonly SoftTie[],
    dt: number,
    answer: (j: Float64Array, out: Float64Array) => void,
  ) {
    const free = ties.filter(({ node }) => fixed[node] === 0);
    this.rows = free.flatMap(({ node }) => [3 * node, 3 * node + 1, 3 * node + 2]);
    const { rows } = this;
    const j = new Float64Array(positions.length);
    this.columns = rows.map((i) => {
      const u = new Float64Array(j.length);
      j[i] = 1;
      answer(j, u);
      j[i] = 0;
      return u;
    });
    const size = rows.length;
    this.p = new Float64Array(size);
    this.factor = new Float64Array(size * size);
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) this.factor[a * size + b] = this.columns[b][rows[a]]!;
      const { compliance } = free[Math.floor(a / 3)];
      this.factor[a * (size + 1)] += compliance / (dt * dt) + GIVE * this.columns[a][rows[a]];
    }
    // Leaves the factor in its place.
    solveCholesky(this.factor, this.p, size);
  }

  /** @param u A⁻¹ j: becomes the answer */
  hold(u: Float64Array): void {
    const { rows, columns, factor, p } = this;
    if (rows.length === 0) return;
    for (let a = 0; a < p.length; a++) p[a] = u[rows[a]]!;
    substituteCholesky(factor, p, p.length);
    columns.forEach((column, a) => {
      for (let i = 0; i < u.length; i++) u[i] -= p[a] * column[i];
    });
  }
}
