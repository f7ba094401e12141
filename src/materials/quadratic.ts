import type { EnergyDensity } from "./energy-density";

/** ψ = ½ ‖s‖²: linear elasticity in the given strain, without parameters. */
export function quadratic(dimension: number): EnergyDensity {
  return {
    dimension,
    value(s) {
      let sum = 0;
      for (let i = 0; i < dimension; i++) sum += s[i] * s[i];
      return 0.5 * sum;
    },
    gradient(s, _m, out) {
      for (let i = 0; i < dimension; i++) out[i] = s[i]!;
    },
    hessian(_s, _m, out) {
      out.fill(0);
      for (let i = 0; i < dimension; i++) out[i * dimension + i] = 1;
    },
  };
}
