import { eigenSymmetric3 } from "../math/eigen/symmetric3";
import { columnOf, rowOf } from "./green-strain";

/**
 * Principal strains and directions of a Green strain E, six entries (xx, yy, zz, xy, yz, zx): E = Σ eₐ nₐ nₐᵀ, with stretches
 * σₐ = √(1 + 2eₐ).
 */
export class PrincipalStrains {
  /** eₐ, in no order */
  readonly strains = new Float64Array(3);
  /** σₐ − 1 */
  readonly excess = new Float64Array(3);
  /** matrix with columns nₐ, row-major */
  private readonly directions = new Float64Array(9);

  find(e: ArrayLike<number>): void {
    const { strains, excess } = this;
    eigenSymmetric3(e, strains, this.directions);
    // σ − 1 = 2e / (1 + σ) keeps its digits near rest. Rounding may give strains slightly below those of zero stretch.
    for (let a = 0; a < 3; a++) excess[a] = (2 * strains[a]) / (1 + Math.sqrt(Math.max(1e-12, 1 + 2 * strains[a])));
  }

  /** Entry i of the symmetric part of n_a n_bᵀ; an entry off the diagonal counts twice, as it does in E. */
  dyad(a: number, b: number, i: number): number {
    const n = this.directions;
    const [r, c] = [3 * rowOf[i], 3 * columnOf[i]];
    return (i > 2 ? 1 : 0.5) * (n[r + a] * n[c + b] + n[c + a] * n[r + b]);
  }

  /** Writes Σ tₐ nₐ nₐᵀ to `out`, six numbers. */
  addStress(t: ArrayLike<number>, out: Float64Array): void {
    for (let a = 0; a < 3; a++) for (let i = 0; i < 6; i++) out[i] += t[a] * this.dyad(a, a, i);
  }

  /**
   * Writes second derivatives of a density of the principal strains to `out`, 6 × 6: `normal(a, b)` is ∂tₐ/∂e_b,
   * `shear(a, b)` is (tₐ − t_b)/(eₐ − e_b).
   */
  addStiffness(
    normal: (a: number, b: number) => number,
    shear: (a: number, b: number) => number,
    out: Float64Array,
  ): void {
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const [stretching, shearing] = [normal(a, b), a === b ? 0 : shear(a, b)];
        for (let i = 0; i < 6; i++)
          for (let j = 0; j < 6; j++)
            out[6 * i + j] +=
              stretching * this.dyad(a, a, i) * this.dyad(b, b, j) + shearing * this.dyad(a, b, i) * this.dyad(a, b, j);
      }
  }
}
