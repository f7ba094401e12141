import type { EnergyDensity } from "./energy-density";
import { PrincipalStrains } from "./principal-strains";

const principal = new PrincipalStrains();
const stress = new Float64Array(3);
const normal = new Float64Array(9);
const shear = new Float64Array(3);

/** Principal stretches minus one, and tr U − 3. */
function stretchesOf(s: ArrayLike<number>): { d: Float64Array; trace: number } {
  principal.find(s);
  const { excess: d } = principal;
  return { d, trace: d[0] + d[1] + d[2] };
}

/**
 * Co-rotational elasticity, with the stretch tensor U = √C of F = R U:
 *
 *     ψ = µ ‖F − R‖² + λ/2 tr²(RᵀF − I) = µ ‖U − I‖² + λ/2 tr²(U − I)        [J/m³]
 *
 * "As rigid as possible" is this energy with λ = 0. Parameters: µ, λ in Pa, which are Lamé's parameters at rest. Both
 * derivatives are written in the principal directions.
 */
export const corotationalSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const { d, trace } = stretchesOf(s);
    return m[0] * (d[0] ** 2 + d[1] ** 2 + d[2] ** 2) + 0.5 * m[1] * trace * trace;
  },
  gradient(s, m, out) {
    const { d, trace } = stretchesOf(s);
    for (let a = 0; a < 3; a++) stress[a] = (2 * m[0] * d[a] + m[1] * trace) / (1 + d[a]);
    out.fill(0);
    principal.addStress(stress, out);
  },
  hessian(s, m, out) {
    const { d, trace } = stretchesOf(s);
    const mu = m[0];
    const lambda = m[1];
    for (let a = 0; a < 3; a++) {
      const p = 1 + d[a];
      for (let b = 0; b < 3; b++) normal[3 * a + b] = lambda / (p * (1 + d[b]));
      normal[4 * a] += (2 * mu) / (p * p) - (2 * mu * d[a] + lambda * trace) / (p * p * p);
      // with the difference of the strains divided out
      const q = 1 + d[(a + 1) % 3];
      shear[a] = (4 * mu - 2 * lambda * trace) / (p * q * (p + q));
    }
    principal.writeStiffness(normal, shear, out);
  },
};
