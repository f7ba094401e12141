import { invalid } from "../../errors";
import type { EnergyDensity } from "../energy-density";
import { PrincipalStrains } from "../principal-strains";

/** Principal strains closer to each other than this take the limit of the shear modulus. */
const TOGETHER = 1e-6;

/**
 * An energy of the principal stretches, ψ(σ₁ − 1, σ₂ − 1, σ₃ − 1), as an energy of the six entries of Green strain.
 * With eₐ = (σₐ² − 1)/2 its principal stresses are tₐ = ψₐ/σₐ, and ∂tₐ/∂e_b = ψ_ab/(σₐ σ_b) − δ_ab ψₐ/σₐ³.
 */
export function ofPrincipalStretches(own: EnergyDensity): EnergyDensity {
  const principal = new PrincipalStrains();
  const { excess: d, strains: e } = principal;
  const [gradient, stress, shear] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const [hessian, normal] = [new Float64Array(9), new Float64Array(9)];
  const findStress = (s: ArrayLike<number>, m: ArrayLike<number>): void => {
    principal.find(s);
    own.gradient(d, m, gradient);
    for (let a = 0; a < 3; a++) stress[a] = gradient[a] / (1 + d[a]);
  };
  return {
    dimension: 6,
    value(s, m) {
      principal.find(s);
      return own.value(d, m);
    },
    gradient(s, m, out) {
      findStress(s, m);
      out.fill(0);
      principal.addStress(stress, out);
    },
    hessian(s, m, out) {
      findStress(s, m);
      own.hessian(d, m, hessian);
      for (let a = 0; a < 3; a++) {
        const p = 1 + d[a];
        for (let b = 0; b < 3; b++) normal[3 * a + b] = hessian[3 * a + b] / (p * (1 + d[b]));
        normal[4 * a] -= gradient[a] / (p * p * p);
      }
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const apart = e[a] - e[b];
        shear[a] =
          Math.abs(apart) > TOGETHER
            ? (stress[a] - stress[b]) / apart
            : 0.5 * (normal[4 * a] + normal[4 * b]) - normal[3 * a + b];
      }
      principal.writeStiffness(normal, shear, out);
    },
  };
}

const PROBES = [
  [-0.2, 0.1, 0.35],
  [0.05, -0.4, 0.7],
];

/** @throws PliantError `invalid-argument` for an energy that depends on the order of the stretches */
export function checkSymmetry(object: string, text: string, own: EnergyDensity, parameters: readonly number[]): void {
  for (const [a, b, c] of PROBES) {
    const values = [
      [a, b, c],
      [b, a, c],
      [c, b, a],
    ].map((stretches) => own.value(stretches, parameters));
    if (values.every((value) => Math.abs(value - values[0]) <= 1e-9 * Math.abs(values[0]))) continue;
    throw invalid(object, text, "must be the same in whatever order the stretches are");
  }
}
