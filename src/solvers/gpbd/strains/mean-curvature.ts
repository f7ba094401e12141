import type { StrainMeasure } from "./strain";

/**
 * Mean curvature vector of a hinge that is flat at rest, s = Σ Kₐ xₐ ∈ ℝ³: linear in x, so that ½ ‖s‖² is the quadratic
 * isometric bending energy of Bergou et al. 2006. Rest data: K₀ … K₃ with the stiffness folded in, √(N/m).
 */
export const meanCurvature: StrainMeasure = {
  arity: 4,
  dimension: 3,
  strain(x, rest, at, s) {
    for (let c = 0; c < 3; c++) {
      s[c] = rest[at]! * x[c]! + rest[at + 1]! * x[3 + c]! + rest[at + 2]! * x[6 + c]! + rest[at + 3]! * x[9 + c]!;
    }
  },
  jacobian(_x, rest, at, jacobian) {
    jacobian.fill(0);
    for (let c = 0; c < 3; c++)
      for (let vertex = 0; vertex < 4; vertex++) jacobian[c * 12 + 3 * vertex + c] = rest[at + vertex]!;
  },
};
