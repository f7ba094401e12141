import type { ElementTerm } from "../model";

/** out = Gᵢ q, 3 × columns, row-major. */
export function gather(term: ElementTerm, e: number, q: ArrayLike<number>, out: Float64Array): void {
  const { arity, columns, indices, coefficients } = term;
  for (let i = 0; i < 3 * columns; i++) out[i] = 0;
  for (let a = 0; a < arity; a++) {
    const p = 3 * indices[e * arity + a];
    for (let c = 0; c < columns; c++) {
      const g = coefficients[(e * arity + a) * columns + c];
      out[c] += g * q[p];
      out[columns + c] += g * q[p + 1];
      out[2 * columns + c] += g * q[p + 2];
    }
  }
}

/** out += s Gᵢᵀ p for a 3 × columns matrix p. */
export function scatter(term: ElementTerm, e: number, p: ArrayLike<number>, s: number, out: Float64Array): void {
  const { arity, columns, indices, coefficients } = term;
  for (let a = 0; a < arity; a++) {
    const i = 3 * indices[e * arity + a];
    for (let c = 0; c < columns; c++) {
      const g = s * coefficients[(e * arity + a) * columns + c];
      out[i] += g * p[c];
      out[i + 1] += g * p[columns + c];
      out[i + 2] += g * p[2 * columns + c];
    }
  }
}

/** wᵢ of an element with its measure: what GᵢᵀGᵢ is multiplied by in A [N/m · m²]. */
export function elementWeight(term: ElementTerm, e: number): number {
  return term.measures[e] * (term.material?.weight ?? 1);
}
