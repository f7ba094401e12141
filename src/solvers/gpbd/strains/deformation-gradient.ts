import { deformationGradient, greenStrain, shapeGradients } from "./green-tet";
import type { StrainMeasure } from "./strain";

const g = new Float64Array(30);

/** Displacement gradient of a tetrahedron, s = F − I row-major, F as in `greenStrain` and with its rest data. */
export const displacementGradient = (arity: number): StrainMeasure => ({
  arity,
  dimension: 9,
  strain(x, rest, at, s) {
    deformationGradient(x, rest, at, s, arity);
    for (let i = 0; i < 9; i += 4) s[i] -= 1;
  },
  jacobian(_x, rest, at, jacobian) {
    jacobian.fill(0, 0, 27 * arity);
    shapeGradients(rest, at, arity, g);
    for (let vertex = 0; vertex < arity; vertex++)
      for (let j = 0; j < 3; j++)
        for (let c = 0; c < 3; c++) jacobian[3 * (arity * (3 * c + j) + vertex) + c] = g[3 * vertex + j];
  },
  isUpright: greenStrain(arity).isUpright!,
});
