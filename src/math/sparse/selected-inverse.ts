/**
 * Z = A⁻¹ at the places of the blocks of A = L Lᵀ alone (Takahashi, Fagan and Chen 1973). Since Z L = L⁻ᵀ, a column k with
 * the rows R below its diagonal has
 *
 *     Z_Rk = −Z_RR T,   Z_kk = L_kk⁻ᵀ L_kk⁻¹ − Z_Rkᵀ T,   T = L_Rk L_kk⁻¹
 *
 * and Z_RR is known if columns follow from the last to the first. This takes as much work as the factors.
 */
import { BLOCK, type BlockFactor, N } from "./block-factor";

/** −L_kk⁻¹ */
const negative = new Float64Array(BLOCK);
let t = new Float64Array(0);

/** @param z receives blocks in the layout of the factor's values; those on the diagonal are complete */
export function selectedInverse(factor: BlockFactor, z: Float64Array): void {
  const { values: v, pattern } = factor;
  const { offsets, rows, size } = pattern;
  const position = new Int32Array(size);
  for (let k = size - 1; k >= 0; k--) {
    const from = offsets[k];
    const to = offsets[k + 1];
    const own = BLOCK * (from + k);
    invertLower(v, own);
    if (t.length < BLOCK * (to - from)) t = new Float64Array(2 * BLOCK * (to - from));
    else t.fill(0, 0, BLOCK * (to - from));
    for (let i = from; i < to; i++) subtractProduct(t, BLOCK * (i - from), v, BLOCK * (i + k + 1), N, 1, negative, 0);
    z.fill(0, own, BLOCK * (to + k + 1));
    for (let j = from; j < to; j++) {
      const column = rows[j];
      for (let i = offsets[column]; i < offsets[column + 1]; i++) position[rows[i]] = i + column + 1;
      const target = BLOCK * (j + k + 1);
      const tj = BLOCK * (j - from);
      subtractProduct(z, target, z, BLOCK * (offsets[column] + column), N, 1, t, tj);
      for (let i = j + 1; i < to; i++) {
        const source = BLOCK * position[rows[i]];
        subtractProduct(z, BLOCK * (i + k + 1), z, source, N, 1, t, tj);
        subtractProduct(z, target, z, source, 1, N, t, BLOCK * (i - from));
      }
    }
    for (let i = 0; i < N; i++)
      for (let j = 0; j < N; j++)
        for (let l = 0; l < N; l++) z[own + N * i + j] += negative[N * l + i] * negative[N * l + j];
    for (let i = from; i < to; i++) subtractProduct(z, own, z, BLOCK * (i + k + 1), 1, N, t, BLOCK * (i - from));
  }
}

/** out −= a b, with a as its rows and columns lie apart: transposed if rows lie next to each other. */
function subtractProduct(
  out: Float64Array,
  to: number,
  a: Float64Array,
  at: number,
  row: number,
  column: number,
  b: Float64Array,
  from: number,
): void {
  for (let i = 0; i < N; i++) {
    const o = at + row * i;
    const a0 = a[o];
    const a1 = a[o + column];
    const a2 = a[o + 2 * column];
    const a3 = a[o + 3 * column];
    const a4 = a[o + 4 * column];
    const a5 = a[o + 5 * column];
    for (let j = from; j < from + N; j++)
      out[to + N * i + j - from] -=
        a0 * b[j] + a1 * b[j + N] + a2 * b[j + 2 * N] + a3 * b[j + 3 * N] + a4 * b[j + 4 * N] + a5 * b[j + 5 * N];
  }
}

function invertLower(v: Float64Array, at: number): void {
  negative.fill(0);
  for (let j = 0; j < N; j++)
    for (let i = j; i < N; i++) {
      let sum = i === j ? -1 : 0;
      for (let k = j; k < i; k++) sum -= v[at + N * i + k] * negative[N * k + j];
      negative[N * i + j] = sum / v[at + N * i + i];
    }
}
