import type { StrainMeasure } from "./strain";

/**
 * Green strain of a triangle, s = (E_uu, E_uv, E_vv) with E = ½ (FᵀF − I), F = [x₁ − x₀, x₂ − x₀] Dm⁻¹ (3 × 2).
 * Rest data: Dm⁻¹ row-major in the material axes (u warp, v weft), 1/m.
 */
export const greenTriangle: StrainMeasure = {
  arity: 3,
  dimension: 3,
  strain(x, rest, at, s) {
    let uu = 0;
    let uv = 0;
    let vv = 0;
    for (let c = 0; c < 3; c++) {
      const a = x[3 + c] - x[c];
      const b = x[6 + c] - x[c];
      const fu = a * rest[at] + b * rest[at + 2];
      const fv = a * rest[at + 1] + b * rest[at + 3];
      uu += fu * fu;
      uv += fu * fv;
      vv += fv * fv;
    }
    s[0] = 0.5 * (uu - 1);
    s[1] = 0.5 * uv;
    s[2] = 0.5 * (vv - 1);
  },
  jacobian(x, rest, at, jacobian) {
    for (let c = 0; c < 3; c++) {
      const a = x[3 + c] - x[c];
      const b = x[6 + c] - x[c];
      const fu = a * rest[at] + b * rest[at + 2];
      const fv = a * rest[at + 1] + b * rest[at + 3];
      for (let vertex = 0; vertex < 3; vertex++) {
        // Material gradient of the vertex' hat function: a row of Dm⁻¹, or minus their sum.
        const gu = vertex === 0 ? -rest[at] - rest[at + 2] : rest[at + 2 * vertex - 2];
        const gv = vertex === 0 ? -rest[at + 1] - rest[at + 3] : rest[at + 2 * vertex - 1];
        jacobian[3 * vertex + c] = gu * fu;
        jacobian[9 + 3 * vertex + c] = 0.5 * (gu * fv + gv * fu);
        jacobian[18 + 3 * vertex + c] = gv * fv;
      }
    }
  },
};
