import type { EnergyDensity } from "./energy-density";
import { determinantExcess, hessianOf, inverseOfC, stressOf } from "./green-strain";
import { log1p } from "../math/exponentials";

const p = new Float64Array(6);

/**
 * Neo-Hookean with a logarithmic barrier, equation (20) of paper 1, on the six entries of Green strain:
 *
 *     ψ = µ/2 (‖F‖² − 3) − µ ln J + λ/2 ln² J = µ tr E − µ L + λ/2 L²        [J/m³]
 *
 * The energy is NaN for det C ≤ 0. Parameters: µ, λ in Pa, which are Lamé's parameters.
 */
export const neoHookeanSolid: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    const log = 0.5 * log1p(determinantExcess(s));
    return m[0] * (s[0] + s[1] + s[2] - log) + 0.5 * m[1] * log * log;
  },
  gradient(s, m, out) {
    const log = 0.5 * log1p(determinantExcess(s));
    inverseOfC(s, p);
    stressOf(m[0], m[1] * log - m[0], p, out);
  },
  hessian(s, m, out) {
    const log = 0.5 * log1p(determinantExcess(s));
    inverseOfC(s, p);
    hessianOf(m[1], m[0] - m[1] * log, p, out);
  },
};
