import { determinant } from "../../../math/determinant";
import { columnOf, placeOf, rowOf } from "../../../materials/green-strain";
import type { StrainMeasure } from "./strain";

const f = new Float64Array(9);
/** δF along six displacements; δF S for one of them */
const variations = new Float64Array(54);
const stressed = new Float64Array(9);

/**
 * Green strain of a tetrahedron, s = (E_xx, E_yy, E_zz, E_xy, E_yz, E_zx) with E = ½ (FᵀF − I),
 * F = [x₁ − x₀, x₂ − x₀, x₃ − x₀] Dm⁻¹. Rest data: Dm⁻¹ row-major [1/m]; its row a is the material gradient of the hat
 * function of vertex a + 1.
 */
export const greenTet: StrainMeasure = {
  arity: 4,
  dimension: 6,
  strain(x, rest, at, s) {
    deformationGradient(x, rest, at, f);
    for (let i = 0; i < 6; i++) {
      const [p, q] = [rowOf[i], columnOf[i]];
      const product = f[p] * f[q] + f[3 + p] * f[3 + q] + f[6 + p] * f[6 + q];
      s[i] = 0.5 * (i < 3 ? product - 1 : product);
    }
  },
  jacobian(x, rest, at, jacobian) {
    deformationGradient(x, rest, at, f);
    for (let i = 0; i < 6; i++) {
      const [p, q] = [rowOf[i], columnOf[i]];
      for (let vertex = 0; vertex < 4; vertex++) {
        const gp = hatGradient(rest, at, vertex, p);
        const gq = hatGradient(rest, at, vertex, q);
        for (let c = 0; c < 3; c++) jacobian[12 * i + 3 * vertex + c] = 0.5 * (gp * f[3 * c + q] + gq * f[3 * c + p]);
      }
    }
  },
  secondVariation(columns, gradient, rest, at, out) {
    // F changes by δFₖ = Σ cₐ gₐᵀ along column k, E has the second variation sym(δFₖᵀ δF_l), and the stress S is ∂ψ/∂E.
    for (let k = 0; k < 6; k++)
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let a = 1; a < 4; a++)
            sum += (columns[12 * k + 3 * a + c] - columns[12 * k + c]) * rest[at + 3 * (a - 1) + j];
          variations[9 * k + 3 * c + j] = sum;
        }
    for (let k = 0; k < 6; k++) {
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let i = 0; i < 3; i++)
            sum += variations[9 * k + 3 * c + i] * gradient[placeOf[3 * i + j]] * (i === j ? 1 : 0.5);
          stressed[3 * c + j] = sum;
        }
      for (let l = 0; l <= k; l++) {
        let sum = 0;
        for (let i = 0; i < 9; i++) sum += stressed[i] * variations[9 * l + i];
        out[6 * k + l] += sum;
        if (l < k) out[6 * l + k] += sum;
      }
    }
  },
  orientation(x, rest, at) {
    deformationGradient(x, rest, at, f);
    return determinant(f);
  },
};

/** F, row-major, into `out`. */
export function deformationGradient(x: Float64Array, rest: Float64Array, at: number, out: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    const a = x[3 + c] - x[c];
    const b = x[6 + c] - x[c];
    const d = x[9 + c] - x[c];
    for (let j = 0; j < 3; j++) out[3 * c + j] = a * rest[at + j] + b * rest[at + 3 + j] + d * rest[at + 6 + j];
  }
}

/** Component j of the material gradient of a vertex' hat function [1/m]. */
export function hatGradient(rest: Float64Array, at: number, vertex: number, j: number): number {
  return vertex === 0 ? -rest[at + j] - rest[at + 3 + j] - rest[at + 6 + j] : rest[at + 3 * (vertex - 1) + j];
}
