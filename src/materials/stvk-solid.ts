import type { EnergyDensity } from "./energy-density";

/**
 * Saint Venant-Kirchhoff: ψ = µ E : E + λ/2 tr² E [J/m³] on the six entries of Green strain. It collapses under strong
 * compression. Parameters: µ, λ in Pa.
 */
export const stvkSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const trace = s[0] + s[1] + s[2];
    let squares = 0;
    for (let i = 0; i < 3; i++) squares += s[i] * s[i] + 2 * s[3 + i] * s[3 + i];
    return m[0] * squares + 0.5 * m[1] * trace * trace;
  },
  gradient(s, m, out) {
    const trace = s[0] + s[1] + s[2];
    for (let i = 0; i < 3; i++) {
      out[i] = 2 * m[0] * s[i] + m[1] * trace;
      out[3 + i] = 4 * m[0] * s[3 + i];
    }
  },
  hessian(_s, m, out) {
    out.fill(0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) out[6 * i + j] = m[1]!;
      out[7 * i] += 2 * m[0];
      out[7 * (3 + i)] = 4 * m[0];
    }
  },
};
