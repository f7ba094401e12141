import type { EnergyDensity } from "./energy-density";

/**
 * Orthotropic Saint Venant-Kirchhoff membrane on Green strain s = (E_uu, E_uv, E_vv), u = warp, v = weft:
 *
 *     ψ = ½ C_uu E_uu² + C_uv E_uu E_vv + ½ C_vv E_vv² + 2 G E_uv²        [J/m²]
 *
 * Parameters: C_uu, C_uv, C_vv, G in N/m (Young's modulus × thickness).
 */
export const stvkMembrane: EnergyDensity = {
  dimension: 3,
  value(s, m) {
    return 0.5 * m[0] * s[0] * s[0] + m[1] * s[0] * s[2] + 0.5 * m[2] * s[2] * s[2] + 2 * m[3] * s[1] * s[1];
  },
  gradient(s, m, out) {
    out[0] = m[0] * s[0] + m[1] * s[2];
    out[1] = 4 * m[3] * s[1];
    out[2] = m[1] * s[0] + m[2] * s[2];
  },
  hessian(_s, m, out) {
    out.fill(0);
    out[0] = m[0]!;
    out[2] = out[6] = m[1]!;
    out[4] = 4 * m[3];
    out[8] = m[2]!;
  },
};
