import { eigenSymmetric3 } from "../math/symmetric3";
import type { EnergyDensity } from "./energy-density";
import { columnOf, rowOf } from "./green-strain";

/** principal Green strains e, directions n (columns), principal stretches less one */
const e = new Float64Array(3);
const n = new Float64Array(9);
const d = new Float64Array(3);

/** Fills e, n, d; returns tr U − 3. */
function principal(s: ArrayLike<number>): number {
  eigenSymmetric3(s, e, n);
  // σ − 1 = 2e / (1 + σ) keeps its digits near rest. f64 may leave a hair below a stretch of zero.
  for (let i = 0; i < 3; i++) d[i] = (2 * e[i]) / (1 + Math.sqrt(Math.max(1e-12, 1 + 2 * e[i])));
  return d[0] + d[1] + d[2];
}

/**
 * Co-rotational elasticity, with the stretch tensor U = √C of F = R U:
 *
 *     ψ = µ ‖F − R‖² + λ/2 tr²(RᵀF − I) = µ ‖U − I‖² + λ/2 tr²(U − I)        [J/m³]
 *
 * "As rigid as possible" is this without λ. Parameters: µ, λ in Pa, which are Lamé's at rest. Both derivatives are written
 * in the principal directions; a density of the principal strains has the shear moduli (tᵢ − tⱼ)/(eᵢ − eⱼ) there.
 */
export const corotationalSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const trace = principal(s);
    return m[0] * (d[0] ** 2 + d[1] ** 2 + d[2] ** 2) + 0.5 * m[1] * trace * trace;
  },
  gradient(s, m, out) {
    const trace = principal(s);
    out.fill(0);
    for (let a = 0; a < 3; a++) {
      const stress = (2 * m[0] * d[a] + m[1] * trace) / (1 + d[a]);
      for (let i = 0; i < 6; i++) out[i] += (i > 2 ? 2 : 1) * stress * dyad(a, a, i);
    }
  },
  hessian(s, m, out) {
    const trace = principal(s);
    const [mu, lambda] = [m[0], m[1]];
    out.fill(0);
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const [p, q] = [1 + d[a], 1 + d[b]];
        const normal =
          lambda / (p * q) + (a === b ? (2 * mu) / (p * p) - (2 * mu * d[a] + lambda * trace) / (p * p * p) : 0);
        // (tₐ − t_b)/(eₐ − e_b) with the difference of the strains divided out
        const shear = a === b ? 0 : (4 * mu - 2 * lambda * trace) / (p * q * (p + q));
        for (let i = 0; i < 6; i++)
          for (let j = 0; j < 6; j++) {
            const both = (i > 2 ? 2 : 1) * (j > 2 ? 2 : 1);
            out[6 * i + j] += both * (normal * dyad(a, a, i) * dyad(b, b, j) + shear * dyad(a, b, i) * dyad(a, b, j));
          }
      }
  },
};

/** Entry i of the symmetric part of n_a n_bᵀ. */
function dyad(a: number, b: number, i: number): number {
  const [r, c] = [3 * rowOf[i], 3 * columnOf[i]];
  return 0.5 * (n[r + a] * n[c + b] + n[c + a] * n[r + b]);
}
