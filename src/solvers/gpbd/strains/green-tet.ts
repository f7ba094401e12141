import { determinant } from "../../../math/determinant";
import { columnOf, placeOf, rowOf } from "../../../materials/green-strain";
import type { StrainMeasure } from "./strain";

const f = new Float64Array(9);
/** of the ten vertices of a quadratic tetrahedron at most */
const g = new Float64Array(30);
/** δF along six displacements; δF S for one of them */
const variations = new Float64Array(54);
const stressed = new Float64Array(9);

/**
 * Green strain of a tetrahedron, or at one point of a quadratic one: s = (E_xx, E_yy, E_zz, E_xy, E_yz, E_zx) with E = ½ (FᵀF − I),
 * F = Σ (xₐ − x₀) gₐᵀ. Rest data: the gradients gₐ of the shape functions of all vertices but the first [1/m]; of a tetrahedron that is
 * Dm⁻¹ row-major.
 */
export const greenStrain = (arity: number): StrainMeasure => ({
  arity,
  dimension: 6,
  strain(x, rest, at, s) {
    deformationGradient(x, rest, at, f, arity);
    for (let i = 0; i < 6; i++) {
      const p = rowOf[i];
      const q = columnOf[i];
      const product = f[p] * f[q] + f[3 + p] * f[3 + q] + f[6 + p] * f[6 + q];
      s[i] = 0.5 * (i < 3 ? product - 1 : product);
    }
  },
  jacobian(x, rest, at, jacobian) {
    deformationGradient(x, rest, at, f, arity);
    shapeGradients(rest, at, arity, g);
    for (let i = 0; i < 6; i++) {
      const [p, q] = [rowOf[i], columnOf[i]];
      for (let vertex = 0; vertex < arity; vertex++) {
        const gp = g[3 * vertex + p];
        const gq = g[3 * vertex + q];
        for (let c = 0; c < 3; c++)
          jacobian[3 * (arity * i + vertex) + c] = 0.5 * (gp * f[3 * c + q] + gq * f[3 * c + p]);
      }
    }
  },
  secondVariation(columns, gradient, rest, at, out) {
    // F changes by δFₖ = Σ cₐ gₐᵀ along column k, E has the second variation sym(δFₖᵀ δF_l), and the stress S is ∂ψ/∂E.
    for (let k = 0; k < 6; k++)
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          const from = 3 * arity * k + c;
          for (let a = 1; a < arity; a++) sum += (columns[from + 3 * a] - columns[from]) * rest[at + 3 * (a - 1) + j];
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
  isUpright(x, rest, at) {
    deformationGradient(x, rest, at, f, arity);
    return determinant(f) > 0;
  },
});

export const greenTet = greenStrain(4);

/** F, row-major, into `out`. */
export function deformationGradient(
  x: ArrayLike<number>,
  rest: Float64Array,
  at: number,
  out: Float64Array,
  arity = 4,
): void {
  for (let c = 0; c < 3; c++) {
    const a = x[3 + c] - x[c];
    const b = x[6 + c] - x[c];
    const d = x[9 + c] - x[c];
    for (let j = 0; j < 3; j++) out[3 * c + j] = a * rest[at + j] + b * rest[at + 3 + j] + d * rest[at + 6 + j];
  }
  for (let v = 4; v < arity; v++)
    for (let c = 0; c < 3; c++) {
      const a = x[3 * v + c] - x[c];
      for (let j = 0; j < 3; j++) out[3 * c + j] += a * rest[at + 3 * (v - 1) + j];
    }
}

/** Material gradients of the shape functions of all vertices, which add up to nothing [1/m], into `out`: arity × 3. */
export function shapeGradients(rest: Float64Array, at: number, arity: number, out: Float64Array): void {
  for (let j = 0; j < 3; j++) {
    out[j] = -rest[at + j] - rest[at + 3 + j] - rest[at + 6 + j];
    for (let v = 1; v < 4; v++) out[3 * v + j] = rest[at + 3 * (v - 1) + j];
    for (let v = 4; v < arity; v++) out[j] -= out[3 * v + j] = rest[at + 3 * (v - 1) + j];
  }
}
