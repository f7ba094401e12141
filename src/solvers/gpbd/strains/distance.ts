import type { StrainMeasure } from "./strain";
import { lengthOf } from "../../../math/vectors";

/** Elongation of a segment, s = ‖x₁ − x₀‖ − L. Rest data: L [m]. A collapsed segment is pushed apart along x. */
export const distance: StrainMeasure = {
  arity: 2,
  dimension: 1,
  strain(x, rest, at, s) {
    s[0] = lengthOf(x[3] - x[0], x[4] - x[1], x[5] - x[2]) - rest[at];
  },
  jacobian(x, _rest, _at, jacobian) {
    const length = lengthOf(x[3] - x[0], x[4] - x[1], x[5] - x[2]);
    for (let c = 0; c < 3; c++) {
      const direction = length > 0 ? (x[3 + c] - x[c]) / length : c === 0 ? 1 : 0;
      jacobian[c] = -direction;
      jacobian[3 + c] = direction;
    }
  },
};
