import { PliantError } from "../../errors";
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
  const [gradient, hessian, stress] = [new Float64Array(3), new Float64Array(9), new Float64Array(3)];
  const normal = (a: number, b: number): number => {
    const [p, q] = [1 + d[a], 1 + d[b]];
    return (hessian[3 * a + b] - (a === b ? gradient[a] / p : 0)) / (p * q);
  };
  const shear = (a: number, b: number): number =>
    Math.abs(e[a] - e[b]) > TOGETHER
      ? (stress[a] - stress[b]) / (e[a] - e[b])
      : 0.5 * (normal(a, a) + normal(b, b)) - normal(a, b);
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
      out.fill(0);
      principal.addStiffness(normal, shear, out);
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
    throw new PliantError("invalid-argument", object, text, "must be the same in whatever order the stretches are");
  }
}
