import { solveMass } from "../../articulated/dynamics/mass-matrix";
import type { ArticulatedModel } from "../../articulated/model";
import type { ArticulatedScratch } from "../../articulated/scratch";
import { polynomialAt } from "../../articulated/step/joint-rows";

/**
 * The response of a mechanism whose coordinates are coupled: M⁻¹ − R (J R)⁻¹ J M⁻¹ with R = M⁻¹ Jᵀ, the change of
 * velocities that keeps J q̇ of all couplings.
 */
export class CoupledResponse {
  /** J and R, a row for each coupling, nv numbers each. */
  private readonly rows: Float64Array[];
  private readonly responses: Float64Array[];

  constructor(private readonly model: ArticulatedModel) {
    const row = (): Float64Array => new Float64Array(model.nv);
    this.rows = model.couplings.map(row);
    this.responses = model.couplings.map(row);
  }

  /** Takes over the present pose. @param scratch with the factor of M */
  update(scratch: ArticulatedScratch): void {
    const { rows, responses, model } = this;
    model.couplings.forEach((coupling, i) => {
      rows[i].fill(0);
      rows[i][coupling.dof] = 1;
      if (coupling.driver >= 0) rows[i][coupling.driver] -= polynomialAt(coupling, scratch.q)[1];
      responses[i].set(rows[i]);
      solveMass(scratch, responses[i]);
      // Gram-Schmidt in the metric of M⁻¹: afterwards J R is diagonal.
      for (let j = 0; j < i; j++) {
        const part = along(rows[i], responses[j]) / along(rows[j], responses[j]);
        for (let k = 0; k < model.nv; k++) {
          rows[i][k] -= part * rows[j][k];
          responses[i][k] -= part * responses[j][k];
        }
      }
    });
  }

  /** Removes from velocities M⁻¹ f what the couplings do not allow. */
  project(x: Float64Array): void {
    const { rows, responses } = this;
    rows.forEach((row, i) => {
      const size = along(row, responses[i]);
      if (!(size > 0)) return;
      const part = along(row, x) / size;
      for (let k = 0; k < x.length; k++) x[k] -= part * responses[i][k];
    });
  }
}

function along(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
