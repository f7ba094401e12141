import type { EnergyDensity } from "./energy-density";
import { determinantExcess, hessianOf, inverseOfC, stressOf, volumeExcess } from "./green-strain";

const p = new Float64Array(6);

/**
 * Stable neo-Hookean, equation (21) of paper 1 (Smith et al. 2018), on the six entries of Green strain:
 *
 *     ψ = µ/2 (‖F‖² − 3) − µ (J − 1) + λ/2 (J − 1)²        [J/m³]
 *
 * Parameters: µ and λ in Pa. At rest the density has the Lamé parameters µ and λ − µ, so a material with Lamé's λ needs
 * the parameter λ + µ.
 */
export const stableNeoHookeanSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const j = volumeExcess(determinantExcess(s));
    return m[0] * (s[0] + s[1] + s[2] - j) + 0.5 * m[1] * j * j;
  },
  gradient(s, m, out) {
    const j = volumeExcess(determinantExcess(s));
    inverseOfC(s, p);
    stressOf(m[0], (m[1] * j - m[0]) * (1 + j), p, out);
  },
  hessian(s, m, out) {
    const j = volumeExcess(determinantExcess(s));
    inverseOfC(s, p);
    // d/dJ of J dψ/dJ = (λ (J − 1) − µ) J, times J
    const a = (m[1] * (1 + 2 * j) - m[0]) * (1 + j);
    hessianOf(a, (m[0] - m[1] * j) * (1 + j), p, out);
  },
};
