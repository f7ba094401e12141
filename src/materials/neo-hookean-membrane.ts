import type { EnergyDensity } from "./energy-density";
import { log } from "../math/exponentials";

/**
 * Below this squared area ratio, the logarithm continues as its Taylor parabola, which is finite for a collapsed
 * triangle.
 */
export const collapseThreshold = 1e-3;

/** ln D with its first two derivatives, continued C² below `collapseThreshold`. */
function extendedLog(d: number): { value: number; first: number; second: number } {
  const e = collapseThreshold;
  if (d >= e) return { value: log(d), first: 1 / d, second: -1 / (d * d) };
  const r = (d - e) / e;
  return { value: log(e) + r - 0.5 * r * r, first: (1 - r) / e, second: -1 / (e * e) };
}

/**
 * Neo-Hookean membrane with two families of fibers, on Green strain s = (E_uu, E_uv, E_vv):
 *
 *     ψ = µ/2 (tr C − 2 − ln det C) + λ/8 (ln det C)² + ½ a_u E_uu² + ½ a_v E_vv²,   C = I + 2E        [J/m²]
 *
 * The two-dimensional form of equation (20) of paper 1, since ln J = ½ ln det C; fibers make it orthotropic.
 * Parameters: µ, λ, a_u, a_v in N/m.
 */
export const neoHookeanMembrane: EnergyDensity = {
  dimension: 3,
  value(s, m) {
    const log = extendedLog(determinant(s)).value;
    const isotropic = m[0] * (s[0] + s[2] - 0.5 * log) + 0.125 * m[1] * log * log;
    return isotropic + 0.5 * m[2] * s[0] * s[0] + 0.5 * m[3] * s[2] * s[2];
  },
  gradient(s, m, out) {
    const log = extendedLog(determinant(s));
    const c = (-0.5 * m[0] + 0.25 * m[1] * log.value) * log.first;
    out[0] = m[0] + c * (4 * s[2] + 2) + m[2] * s[0];
    out[1] = -8 * c * s[1];
    out[2] = m[0] + c * (4 * s[0] + 2) + m[3] * s[2];
  },
  hessian(s, m, out) {
    const log = extendedLog(determinant(s));
    const slope = -0.5 * m[0] + 0.25 * m[1] * log.value;
    const c = slope * log.first;
    const cPrime = 0.25 * m[1] * log.first * log.first + slope * log.second;
    const d = [4 * s[2] + 2, -8 * s[1], 4 * s[0] + 2];
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) out[i * 3 + j] = cPrime * d[i] * d[j];
    out[0] += m[2];
    out[2] += 4 * c;
    out[4] -= 8 * c;
    out[6] += 4 * c;
    out[8] += m[3];
  },
};

function determinant(s: ArrayLike<number>): number {
  return (2 * s[0] + 1) * (2 * s[2] + 1) - 4 * s[1] * s[1];
}
