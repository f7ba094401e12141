import { solveMass } from "../../articulated/dynamics/mass-matrix";
import type { ArticulatedModel } from "../../articulated/model";
import type { ArticulatedScratch } from "../../articulated/scratch";
import { addClosureRow, rowsOf } from "../../articulated/step/closure-rows";
import { polynomialAt } from "../../articulated/step/joint-rows";

/**
 * The response of a mechanism whose coordinates are coupled, or in loops: M⁻¹ − R (J R)⁻¹ J M⁻¹ with R = M⁻¹ Jᵀ, the change of
 * velocities that keeps J q̇ of all couplings and loops.
 */
export class CoupledResponse {
  /** J and R, a row for each coupling and each direction of a loop, nv numbers each. */
  private readonly rows: Float64Array[] = [];
  private readonly responses: Float64Array[] = [];
  private count = 0;

  constructor(private readonly model: ArticulatedModel) {}

  /** Whether a mechanism needs it. */
  static isFor({ couplings, closures }: ArticulatedModel): boolean {
    return couplings.length > 0 || closures.length > 0;
  }

  /** Takes over the present pose. @param scratch with the factor of M */
  update(scratch: ArticulatedScratch): void {
    const { couplings, closures } = this.model;
    this.count = 0;
    for (const closure of closures)
      for (let row = 0; row < rowsOf(closure); row++) {
        addClosureRow(scratch, closure, row, this.next(), 0);
        this.complete(scratch);
      }
    for (const coupling of couplings) {
      const row = this.next();
      row[coupling.dof] = 1;
      if (coupling.driver >= 0) row[coupling.driver] -= polynomialAt(coupling, scratch.q)[1];
      this.complete(scratch);
    }
  }

  /** Removes from velocities M⁻¹ f what the couplings do not allow. */
  project(x: Float64Array): void {
    for (let i = 0; i < this.count; i++) subtractPart(this.rows[i], this.responses[i], x);
  }

  private next(): Float64Array {
    const { nv } = this.model;
    if (this.count === this.rows.length) {
      this.rows.push(new Float64Array(nv));
      this.responses.push(new Float64Array(nv));
    }
    return this.rows[this.count].fill(0);
  }

  /** Gram-Schmidt in the metric of M⁻¹, so that J R is diagonal; a row that depends on others is left out. */
  private complete(scratch: ArticulatedScratch): void {
    const { rows, responses, count } = this;
    const [row, response] = [rows[count], responses[count]];
    response.set(row);
    solveMass(scratch, response);
    const size = along(row, response);
    for (let j = 0; j < count; j++) {
      const part = along(row, responses[j]) / along(rows[j], responses[j]);
      for (let k = 0; k < row.length; k++) {
        row[k] -= part * rows[j][k];
        response[k] -= part * responses[j][k];
      }
    }
    if (along(row, response) > DEPENDENT * size) this.count++;
  }
}

/** Part of a row that is left if it depends on others. */
const DEPENDENT = 1e-12;

function subtractPart(row: Float64Array, response: Float64Array, x: Float64Array): void {
  const part = along(row, x) / along(row, response);
  for (let k = 0; k < x.length; k++) x[k] -= part * response[k];
}

function along(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
