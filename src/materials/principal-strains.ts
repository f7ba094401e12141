import { eigenSymmetric3 } from "../math/eigen/symmetric3";

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
  /** the strain that these are of: a density asks for the same one again for its derivatives */
  private readonly known = new Float64Array(6).fill(NaN);

  find(e: ArrayLike<number>): void {
    const { strains, excess, known } = this;
    let isKnown = true;
    for (let i = 0; i < 6; i++) if (known[i] !== e[i]) isKnown = false;
    if (isKnown) return;
    for (let i = 0; i < 6; i++) known[i] = e[i];
    eigenSymmetric3(e, strains, this.directions);
    // σ − 1 = 2e / (1 + σ) keeps its digits near rest. Rounding may give strains slightly below those of zero stretch.
    for (let a = 0; a < 3; a++) excess[a] = (2 * strains[a]) / (1 + Math.sqrt(Math.max(1e-12, 1 + 2 * strains[a])));
  }

  /** Writes the symmetric part of n_a n_bᵀ to `out`, six entries; those off the diagonal count twice, as they do in E. */
  private dyad(a: number, b: number, out: Float64Array): void {
    const n = this.directions;
    const x = n[a];
    const y = n[3 + a];
    const z = n[6 + a];
    const u = n[b];
    const v = n[3 + b];
    const w = n[6 + b];
    out[0] = x * u;
    out[1] = y * v;
    out[2] = z * w;
    out[3] = x * v + y * u;
    out[4] = y * w + z * v;
    out[5] = z * u + x * w;
  }

  /** Adds Σ tₐ nₐ nₐᵀ to `out`, six numbers. */
  addStress(t: ArrayLike<number>, out: Float64Array): void {
    for (let a = 0; a < 3; a++) {
      this.dyad(a, a, first);
      for (let i = 0; i < 6; i++) out[i] += t[a] * first[i];
    }
  }

  /**
   * Writes second derivatives of a density of the principal strains to `out`, 6 × 6.
   *
   * @param normal ∂tₐ/∂e_b, 3 × 3
   * @param shear (tₐ − t_b)/(eₐ − e_b) for a, b = 0, 1; 1, 2 and 2, 0
   */
  writeStiffness(normal: Float64Array, shear: Float64Array, out: Float64Array): void {
    for (let a = 0; a < 3; a++) {
      this.dyad(a, a, dyads[a]);
      this.dyad(a, (a + 1) % 3, dyads[3 + a]);
    }
    for (let i = 0; i < 6; i++) {
      for (let a = 0; a < 3; a++) {
        let sum = 0;
        for (let b = 0; b < 3; b++) sum += normal[3 * a + b] * dyads[b][i];
        by[a] = sum;
        by[3 + a] = 2 * shear[a] * dyads[3 + a][i];
      }
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let a = 0; a < 6; a++) sum += by[a] * dyads[a][j];
        out[6 * i + j] = out[6 * j + i] = sum;
      }
    }
  }
}

const first = new Float64Array(6);
/** n₁n₁ᵀ, n₂n₂ᵀ, n₃n₃ᵀ, n₁n₂ᵀ, n₂n₃ᵀ, n₃n₁ᵀ */
const dyads = Array.from({ length: 6 }, () => new Float64Array(6));
const by = new Float64Array(6);
