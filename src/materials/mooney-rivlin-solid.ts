import type { EnergyDensity } from "./energy-density";
import { determinantExcess, hessianOf, inverseOfC } from "./green-strain";
import { log1p } from "../math/exponentials";

const p = new Float64Array(6);

/**
 * Compressible Mooney-Rivlin after Ciarlet and Geymonat, on the six entries of Green strain:
 *
 *     ψ = µ₁/2 (I₁ − 3) + µ₂/2 (I₂ − 3) − (µ₁ + 2µ₂) ln J + λ/2 ln² J        [J/m³]
 *
 * with the invariants of C, I₁ − 3 = 2 tr E and I₂ − 3 = 4 tr E + 2 (tr² E − E : E). Parameters: µ₁, µ₂, λ in Pa.
 * Lamé's parameters at rest are µ₁ + µ₂ and λ + 2µ₂.
 */
export const mooneyRivlinSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const trace = s[0] + s[1] + s[2];
    let minors = trace * trace;
    for (let i = 0; i < 3; i++) minors -= s[i] * s[i] + 2 * s[3 + i] * s[3 + i];
    const log = 0.5 * log1p(determinantExcess(s));
    return (m[0] + 2 * m[1]) * (trace - log) + m[1] * minors + 0.5 * m[2] * log * log;
  },
  gradient(s, m, out) {
    const trace = s[0] + s[1] + s[2];
    const log = 0.5 * log1p(determinantExcess(s));
    const shear = m[0] + 2 * m[1];
    inverseOfC(s, p);
    for (let i = 0; i < 3; i++) {
      out[i] = shear * (1 - p[i]) + 2 * m[1] * (trace - s[i]) + m[2] * log * p[i];
      out[3 + i] = 2 * ((m[2] * log - shear) * p[3 + i] - 2 * m[1] * s[3 + i]);
    }
  },
  hessian(s, m, out) {
    const log = 0.5 * log1p(determinantExcess(s));
    inverseOfC(s, p);
    hessianOf(m[2], m[0] + 2 * m[1] - m[2] * log, p, out);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) if (i !== j) out[6 * i + j] += 2 * m[1];
      out[7 * (3 + i)] -= 4 * m[1];
    }
  },
};
