import { TWIST_SIZE } from "../motion/bodies";
import { applyImpulse, writeSpeeds } from "../contact/contacts";
import type { IslandSystem } from "../island/island-system";
import { applyRowImpulse, rowSpeed } from "../contact/rows";
import { type LinearSolver, type SolveLinear, reportResiduals } from "./linear-solver";

/** Pivots of the scaled matrix below this belong to redundant rows, which get no impulse of their own. */
const SINGULAR = 1e-13;

/**
 * LDLᵀ factors of the matrix, for small islands. Rows are scaled to a diagonal of ones first, so that islands of
 * a feather and a house are as accurate as others. Each row begins at its first number that is not zero, before which
 * its factor is zero as well: the contacts of a tower share bodies with few others.
 *
 * Scaled: S A S (S⁻¹ x) = S b with S = diag(A)^(-1/2).
 */
export class DirectSolver implements LinearSolver {
  /** lower triangle, row by row */
  private matrix = new Float64Array(0);
  /** unknown of each row, and the column at which the row begins */
  private rows = new Int32Array(0);
  private first = new Int32Array(0);
  /** contacts and rows of joints with active unknowns: their place, two bodies, first row; one more for the end */
  private place = new Int32Array(0);
  private bodyA = new Int32Array(0);
  private bodyB = new Int32Array(0);
  private begin = new Int32Array(0);
  private contactCount = 0;
  private partCount = 0;
  private scale = new Float64Array(0);
  private solution = new Float64Array(0);
  private product = new Float64Array(0);

  readonly solve: SolveLinear = (system, b, x, _iterations, _tolerance, residuals) => {
    this.reserve(system.size);
    const count = this.select(system);
    this.assemble(system);
    this.factor(count);
    this.substitute(count, b, x, system.size);
    if (residuals) reportResiduals(system, b, x, this.product, residuals);
    return 1;
  };

  private reserve(size: number): void {
    if (this.rows.length >= size) return;
    this.matrix = new Float64Array((size * (size + 1)) / 2);
    this.rows = new Int32Array(size);
    this.first = new Int32Array(size);
    this.place = new Int32Array(size);
    this.bodyA = new Int32Array(size);
    this.bodyB = new Int32Array(size);
    this.begin = new Int32Array(size + 1);
    this.scale = new Float64Array(size);
    this.solution = new Float64Array(size);
    this.product = new Float64Array(size);
  }

  /** Lists active unknowns, and the contacts and rows that they belong to. Returns their number. */
  private select(system: IslandSystem): number {
    const { contacts, rows, active, compliance } = system;
    const { begin, first } = this;
    const contactUnknowns = 3 * system.contactCount;
    let count = 0;
    let parts = (this.contactCount = 0);
    for (let i = 0; i < system.size;) {
      const isContact = i < contactUnknowns;
      begin[parts] = count;
      for (const end = isContact ? i + 3 : i + 1; i < end; i++) {
        const diagonal = system.mobility(i) + compliance[i];
        if (active[i] === 0 || !(diagonal > 0)) continue;
        this.scale[count] = 1 / Math.sqrt(diagonal);
        first[count] = count;
        this.rows[count++] = i;
      }
      if (count === begin[parts]) continue;
      const table = isContact ? contacts : rows;
      const k = isContact ? system.firstContact + i / 3 - 1 : system.firstRow + i - 1 - contactUnknowns;
      this.place[parts] = k;
      this.bodyA[parts] = table.bodyA[k];
      this.bodyB[parts++] = table.bodyB[k];
      if (isContact) this.contactCount = parts;
    }
    begin[(this.partCount = parts)] = count;
    return count;
  }

  /** Assembles the matrix column by column: the effect of an impulse on the unknowns that share a body with it. */
  private assemble(system: IslandSystem): void {
    const { contacts, rows, bodies, compliance } = system;
    const { begin, bodyA, bodyB, partCount, contactCount, matrix, scale, first, place } = this;
    const du = bodies.scratch.response;
    system.clearResponse();
    const { motion } = bodies.model;
    for (let part = 0; part < partCount; part++) {
      const a = bodyA[part];
      const b = bodyB[part];
      // Static bodies are in many rows and never move: they couple nothing.
      const moverA = motion[a] === 2 ? a : -1;
      const moverB = motion[b] === 2 ? b : -1;
      for (let column = begin[part]; column < begin[part + 1]; column++) {
        const i = this.rows[column];
        if (part < contactCount) applyImpulse(bodies, contacts, place[part], i % 3, 1, du);
        else applyRowImpulse(rows, place[part], 1, du);
        for (let other = part; other < partCount; other++) {
          const c = bodyA[other];
          const d = bodyB[other];
          const isApart = c !== moverA && c !== moverB && d !== moverA && d !== moverB;
          let row = other === part ? column : begin[other];
          if (isApart && first[row] > column) continue;
          const end = begin[other + 1];
          if (isApart) {
            for (; row < end; row++) matrix[(row * (row + 1)) / 2 + column] = 0;
            continue;
          }
          if (other < contactCount) writeSpeeds(contacts, place[other], du, speeds);
          else speeds[0] = rowSpeed(rows, place[other], du);
          for (; row < end; row++) {
            if (column < first[row]) first[row] = column;
            let value = other < contactCount ? speeds[this.rows[row] % 3] : speeds[0];
            if (row === column) value += compliance[i];
            matrix[(row * (row + 1)) / 2 + column] = value * scale[row] * scale[column];
          }
        }
        du.fill(0, TWIST_SIZE * a, TWIST_SIZE * a + TWIST_SIZE);
        du.fill(0, TWIST_SIZE * b, TWIST_SIZE * b + TWIST_SIZE);
      }
    }
  }

  /** Factors A = L D Lᵀ in place, column by column: L below the diagonal, 1/D on it (0 for a redundant row). */
  private factor(count: number): void {
    const { matrix, first, product: l } = this;
    let last = 0;
    for (let k = 0; k < count; k++) {
      const pivot = matrix[(k * (k + 1)) / 2 + k];
      const inverse = pivot > SINGULAR ? 1 / pivot : 0;
      matrix[(k * (k + 1)) / 2 + k] = inverse;
      // Rows behind the last one that begins here have nothing in this column.
      for (let i = count - 1; i > last; i--) if (first[i] <= k) last = i;
      for (let i = k + 1; i <= last; i++) {
        const row = (i * (i + 1)) / 2;
        if (first[i] > k) {
          l[i] = 0;
          continue;
        }
        const value = matrix[row + k];
        l[i] = value * inverse;
        matrix[row + k] = l[i];
        for (let j = k + 1; j <= i; j++) matrix[row + j] -= value * l[j];
      }
    }
  }

  private substitute(count: number, b: Float64Array, x: Float64Array, size: number): void {
    const { matrix, rows, scale, solution, first } = this;
    for (let i = 0; i < count; i++) {
      const row = (i * (i + 1)) / 2;
      let sum = scale[i] * b[rows[i]];
      for (let k = first[i]; k < i; k++) sum -= matrix[row + k] * solution[k];
      solution[i] = sum;
    }
    for (let i = 0; i < count; i++) solution[i] *= matrix[(i * (i + 1)) / 2 + i];
    for (let i = count - 1; i >= 0; i--) {
      const value = solution[i];
      const row = (i * (i + 1)) / 2;
      for (let k = first[i]; k < i; k++) solution[k] -= matrix[row + k] * value;
    }
    x.fill(0, 0, size);
    for (let i = 0; i < count; i++) x[rows[i]] = scale[i] * solution[i];
  }
}

/** speeds along the three directions of a contact, or that of a row */
const speeds = new Float64Array(3);
