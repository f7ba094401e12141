/**
 * Common parts of energy densities of a solid's Green strain. s = (E_xx, E_yy, E_zz, E_xy, E_yz, E_zx), C = I + 2E.
 *
 * Glossary:
 *   P    C⁻¹, six entries in the order of s         J    volume ratio, √det C
 *   L    ln J                                       D    d²ψ/dE², a tensor with four indices
 *
 * An off-diagonal entry of s represents two entries of E: derivatives by it count both.
 */

/** Rows and columns of the six entries. */
export const rowOf = [0, 1, 2, 0, 1, 2] as const;
export const columnOf = [0, 1, 2, 1, 2, 0] as const;
/** Place of entry (i, j) of a symmetric matrix, at 3i + j. */
export const placeOf = [0, 3, 5, 3, 1, 4, 5, 4, 2] as const;

/** det C − 1, of order s near rest. It is expanded so that no digits cancel. */
export function determinantExcess(s: ArrayLike<number>): number {
  const a = 2 * s[0];
  const b = 2 * s[1];
  const c = 2 * s[2];
  const d = 2 * s[3];
  const e = 2 * s[4];
  const f = 2 * s[5];
  const minors = a * b + b * c + c * a - d * d - e * e - f * f;
  return a + b + c + minors + a * b * c + 2 * d * e * f - a * e * e - b * f * f - c * d * d;
}

/** J − 1 from det C − 1. */
export function volumeExcess(excess: number): number {
  return excess / (1 + Math.sqrt(1 + excess));
}

/** Writes P = C⁻¹ to `out`, six entries. */
export function inverseOfC(s: ArrayLike<number>, out: Float64Array): void {
  const scale = 1 / (1 + determinantExcess(s));
  const a = 1 + 2 * s[0];
  const b = 1 + 2 * s[1];
  const c = 1 + 2 * s[2];
  const d = 2 * s[3];
  const e = 2 * s[4];
  const f = 2 * s[5];
  out[0] = scale * (b * c - e * e);
  out[1] = scale * (a * c - f * f);
  out[2] = scale * (a * b - d * d);
  out[3] = scale * (e * f - d * c);
  out[4] = scale * (d * f - a * e);
  out[5] = scale * (d * e - b * f);
}

/** Derivative by s from ∂ψ/∂E = α I + β P. */
export function stressOf(alpha: number, beta: number, p: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] = alpha + beta * p[i];
    out[3 + i] = 2 * beta * p[3 + i];
  }
}

/** Hessian by s from D_ijkl = a P_ij P_kl + b (P_ik P_jl + P_il P_jk): the whole Hessian of a function of J alone. */
export function hessianOf(a: number, b: number, p: Float64Array, out: Float64Array): void {
  for (let row = 0; row < 6; row++) {
    const i = rowOf[row];
    const j = columnOf[row];
    for (let column = 0; column <= row; column++) {
      const k = rowOf[column];
      const l = columnOf[column];
      const products = p[placeOf[3 * i + k]] * p[placeOf[3 * j + l]] + p[placeOf[3 * i + l]] * p[placeOf[3 * j + k]];
      const both = (row > 2 ? 2 : 1) * (column > 2 ? 2 : 1);
      out[6 * row + column] = out[6 * column + row] = both * (a * p[row] * p[column] + b * products);
    }
  }
}
