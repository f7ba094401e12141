import { TWIST_SIZE } from "../motion/bodies";
import { applyImpulse, relativeSpeed } from "../contact/contacts";
import type { IslandSystem } from "../island/island-system";
import { applyRowImpulse, rowSpeed } from "../contact/rows";
import { type LinearSolver, reportResiduals } from "./linear-solver";

/** Pivots of the scaled matrix below this belong to redundant rows, which get no impulse of their own. */
const SINGULAR = 1e-13;

/**
 * Dense LDLᵀ factors of the matrix, for small islands. Rows are scaled to a diagonal of ones first, so that islands of
 * a feather and a house are as accurate as others.
 *
 * Scaled: S A S (S⁻¹ x) = S b with S = diag(A)^(-1/2).
 */
export class DirectSolver implements LinearSolver {
  /** lower triangle, row by row */
  private matrix = new Float64Array(0);
  private rows = new Int32Array(0);
  private scale = new Float64Array(0);
  private solution = new Float64Array(0);
  private product = new Float64Array(0);

  solve(
    system: IslandSystem,
    b: Float64Array,
    x: Float64Array,
    _iterations: number,
    _tolerance: number,
    residuals?: number[],
  ): number {
    this.reserve(system.size);
    const count = this.assemble(system);
    this.factor(count);
    this.substitute(count, b, x, system.size);
    if (residuals) reportResiduals(system, b, x, this.product, residuals);
    return 1;
  }

  private reserve(size: number): void {
    if (this.rows.length >= size) return;
    this.matrix = new Float64Array((size * (size + 1)) / 2);
    this.rows = new Int32Array(size);
    this.scale = new Float64Array(size);
    this.solution = new Float64Array(size);
    this.product = new Float64Array(size);
  }

  /** Assembles the matrix column by column: the effect of an impulse on the unknowns that share a body with it. */
  private assemble(system: IslandSystem): number {
    const { contacts, rows, bodies, active, compliance } = system;
    const contactUnknowns = 3 * system.contactCount;
    let count = 0;
    for (let i = 0; i < system.size; i++) {
      const diagonal = system.mobility(i) + compliance[i];
      if (active[i] === 0 || !(diagonal > 0)) continue;
      this.scale[count] = 1 / Math.sqrt(diagonal);
      this.rows[count++] = i;
    }
    const du = bodies.scratch.response;
    system.clearResponse();
    const { motion } = bodies.model;
    for (let column = 0; column < count; column++) {
      const i = this.rows[column];
      const isContact = i < contactUnknowns;
      const place = isContact ? system.firstContact + Math.floor(i / 3) : system.firstRow + i - contactUnknowns;
      const a = isContact ? contacts.bodyA[place] : rows.bodyA[place];
      const b = isContact ? contacts.bodyB[place] : rows.bodyB[place];
      if (isContact) applyImpulse(bodies, contacts, place, i % 3, 1, du);
      else applyRowImpulse(rows, place, 1, du);
      // Static bodies are in many rows and never move: they couple nothing.
      const moverA = motion[a] === 2 ? a : -1;
      const moverB = motion[b] === 2 ? b : -1;
      for (let row = column; row < count; row++) {
        const k = this.rows[row];
        const isOtherContact = k < contactUnknowns;
        const other = isOtherContact ? system.firstContact + Math.floor(k / 3) : system.firstRow + k - contactUnknowns;
        const first = isOtherContact ? contacts.bodyA[other] : rows.bodyA[other];
        const second = isOtherContact ? contacts.bodyB[other] : rows.bodyB[other];
        const at = (row * (row + 1)) / 2 + column;
        if (first !== moverA && first !== moverB && second !== moverA && second !== moverB) {
          this.matrix[at] = 0;
          continue;
        }
        let value = isOtherContact ? relativeSpeed(contacts, other, k % 3, du) : rowSpeed(rows, other, du);
        if (row === column) value += compliance[i];
        this.matrix[at] = value * this.scale[row] * this.scale[column];
      }
      du.fill(0, TWIST_SIZE * a, TWIST_SIZE * a + TWIST_SIZE);
      du.fill(0, TWIST_SIZE * b, TWIST_SIZE * b + TWIST_SIZE);
    }
    return count;
  }

  /** Factors A = L D Lᵀ in place: L below the diagonal, 1/D on it (0 for a redundant row). */
  private factor(count: number): void {
    const { matrix, product: work } = this;
    for (let i = 0; i < count; i++) {
      const rowI = (i * (i + 1)) / 2;
      // work_j = L_ij D_j, computed from left to right
      let pivot = matrix[rowI + i];
      for (let j = 0; j < i; j++) {
        const rowJ = (j * (j + 1)) / 2;
        let sum = matrix[rowI + j];
        for (let k = 0; k < j; k++) sum -= work[k] * matrix[rowJ + k];
        work[j] = sum;
        const l = sum * matrix[rowJ + j];
        matrix[rowI + j] = l;
        pivot -= l * sum;
      }
      matrix[rowI + i] = pivot > SINGULAR ? 1 / pivot : 0;
    }
  }

  private substitute(count: number, b: Float64Array, x: Float64Array, size: number): void {
    const { matrix, rows, scale, solution } = this;
    for (let i = 0; i < count; i++) {
      const row = (i * (i + 1)) / 2;
      let sum = scale[i] * b[rows[i]];
      for (let k = 0; k < i; k++) sum -= matrix[row + k] * solution[k];
      solution[i] = sum;
    }
    for (let i = 0; i < count; i++) solution[i] *= matrix[(i * (i + 1)) / 2 + i];
    for (let i = count - 1; i >= 0; i--) {
      const value = solution[i];
      const row = (i * (i + 1)) / 2;
      for (let k = 0; k < i; k++) solution[k] -= matrix[row + k] * value;
    }
    x.fill(0, 0, size);
    for (let i = 0; i < count; i++) x[rows[i]] = scale[i] * solution[i];
  }
}
