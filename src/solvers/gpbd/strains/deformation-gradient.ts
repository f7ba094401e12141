import { deformationGradient, greenTet, hatGradient } from "./green-tet";
import type { StrainMeasure } from "./strain";

/** Displacement gradient of a tetrahedron, s = F − I row-major, F as in `greenTet` and with its rest data. */
export const displacementGradient: StrainMeasure = {
  arity: 4,
  dimension: 9,
  strain(x, rest, at, s) {
    deformationGradient(x, rest, at, s);
    for (let i = 0; i < 9; i += 4) s[i] -= 1;
  },
  jacobian(_x, rest, at, jacobian) {
    jacobian.fill(0, 0, 108);
    for (let vertex = 0; vertex < 4; vertex++)
      for (let j = 0; j < 3; j++) {
        const g = hatGradient(rest, at, vertex, j);
        for (let c = 0; c < 3; c++) jacobian[12 * (3 * c + j) + 3 * vertex + c] = g;
      }
  },
  orientation: greenTet.orientation!,
};
