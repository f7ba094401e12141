import { add, both, div, less, more, mul, sub } from "./lanes";

// Symmetric 6 × 6 matrices of two elements: the lower triangle by rows in the memory, 16 bytes an entry.

/** Bytes of a matrix. */
export const MATRIX: usize = 336;

/** Entry at row × (row + 1) / 2 + column. */
export function entry(a: usize, at: usize): v128 {
  return v128.load(a + 16 * at);
}

function put(a: usize, at: usize, value: v128): void {
  v128.store(a + 16 * at, value);
}

function sum4<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return add<T>(add<T>(a, b), add<T>(c, d));
}

/** The matrix of the quadratic form tr(Λ A Λ B), see `kronecker` in neo-hookean-solve.ts. */
export function kronecker<T>(
  out: usize,
  a0: v128,
  a1: v128,
  a2: v128,
  a3: v128,
  a4: v128,
  a5: v128,
  b0: v128,
  b1: v128,
  b2: v128,
  b3: v128,
  b4: v128,
  b5: v128,
): void {
  const half = both<T>(0.5);
  const quarter = both<T>(0.25);
  put(out, 0, mul<T>(a0, b0));
  put(out, 1, mul<T>(a3, b3));
  put(out, 2, mul<T>(a1, b1));
  put(out, 3, mul<T>(a5, b5));
  put(out, 4, mul<T>(a4, b4));
  put(out, 5, mul<T>(a2, b2));
  put(out, 6, mul<T>(half, add<T>(mul<T>(a0, b3), mul<T>(a3, b0))));
  put(out, 7, mul<T>(half, add<T>(mul<T>(a3, b1), mul<T>(a1, b3))));
  put(out, 8, mul<T>(half, add<T>(mul<T>(a5, b4), mul<T>(a4, b5))));
  put(out, 9, mul<T>(quarter, sum4<T>(mul<T>(a0, b1), mul<T>(a1, b0), mul<T>(a3, b3), mul<T>(a3, b3))));
  put(out, 10, mul<T>(half, add<T>(mul<T>(a3, b5), mul<T>(a5, b3))));
  put(out, 11, mul<T>(half, add<T>(mul<T>(a1, b4), mul<T>(a4, b1))));
  put(out, 12, mul<T>(half, add<T>(mul<T>(a4, b2), mul<T>(a2, b4))));
  put(out, 13, mul<T>(quarter, sum4<T>(mul<T>(a3, b4), mul<T>(a1, b5), mul<T>(a5, b1), mul<T>(a4, b3))));
  put(out, 14, mul<T>(quarter, sum4<T>(mul<T>(a1, b2), mul<T>(a2, b1), mul<T>(a4, b4), mul<T>(a4, b4))));
  put(out, 15, mul<T>(half, add<T>(mul<T>(a5, b0), mul<T>(a0, b5))));
  put(out, 16, mul<T>(half, add<T>(mul<T>(a4, b3), mul<T>(a3, b4))));
  put(out, 17, mul<T>(half, add<T>(mul<T>(a2, b5), mul<T>(a5, b2))));
  put(out, 18, mul<T>(quarter, sum4<T>(mul<T>(a5, b3), mul<T>(a4, b0), mul<T>(a0, b4), mul<T>(a3, b5))));
  put(out, 19, mul<T>(quarter, sum4<T>(mul<T>(a4, b5), mul<T>(a2, b3), mul<T>(a3, b2), mul<T>(a5, b4))));
  put(out, 20, mul<T>(quarter, sum4<T>(mul<T>(a2, b0), mul<T>(a0, b2), mul<T>(a5, b5), mul<T>(a5, b5))));
}

/** Entry of Q + s R + c k kᵀ; `ck` is c times the entry of k for the row. */
function cell<T>(q: usize, r: usize, at: usize, s: v128, ck: v128, k: v128): v128 {
  return more<T>(more<T>(entry(q, at), s, entry(r, at)), ck, k);
}

/**
 * x = −(Q + s R + c k kᵀ)⁻¹ g by LDLᵀ.
 *
 * @param to six vectors: changed
 * @returns all bits of an element set whose matrix is positive definite
 */
export function newtonStep<T>(
  to: usize,
  q: usize,
  r: usize,
  s: v128,
  c: v128,
  k0: v128,
  k1: v128,
  k2: v128,
  k3: v128,
  k4: v128,
  k5: v128,
  g0: v128,
  g1: v128,
  g2: v128,
  g3: v128,
  g4: v128,
  g5: v128,
): v128 {
  const one = both<T>(1);
  let ck = mul<T>(c, k0);
  const d0 = cell<T>(q, r, 0, s, ck, k0);
  const i0 = div<T>(one, d0);
  ck = mul<T>(c, k1);
  const t10 = cell<T>(q, r, 1, s, ck, k0);
  const l10 = mul<T>(t10, i0);
  const d1 = less<T>(cell<T>(q, r, 2, s, ck, k1), l10, t10);
  const i1 = div<T>(one, d1);
  ck = mul<T>(c, k2);
  const t20 = cell<T>(q, r, 3, s, ck, k0);
  const l20 = mul<T>(t20, i0);
  const t21 = less<T>(cell<T>(q, r, 4, s, ck, k1), l20, t10);
  const l21 = mul<T>(t21, i1);
  const d2 = less<T>(less<T>(cell<T>(q, r, 5, s, ck, k2), l20, t20), l21, t21);
  const i2 = div<T>(one, d2);
  ck = mul<T>(c, k3);
  const t30 = cell<T>(q, r, 6, s, ck, k0);
  const l30 = mul<T>(t30, i0);
  const t31 = less<T>(cell<T>(q, r, 7, s, ck, k1), l30, t10);
  const l31 = mul<T>(t31, i1);
  const t32 = less<T>(less<T>(cell<T>(q, r, 8, s, ck, k2), l30, t20), l31, t21);
  const l32 = mul<T>(t32, i2);
  const d3 = less<T>(less<T>(less<T>(cell<T>(q, r, 9, s, ck, k3), l30, t30), l31, t31), l32, t32);
  const i3 = div<T>(one, d3);
  ck = mul<T>(c, k4);
  const t40 = cell<T>(q, r, 10, s, ck, k0);
  const l40 = mul<T>(t40, i0);
  const t41 = less<T>(cell<T>(q, r, 11, s, ck, k1), l40, t10);
  const l41 = mul<T>(t41, i1);
  const t42 = less<T>(less<T>(cell<T>(q, r, 12, s, ck, k2), l40, t20), l41, t21);
  const l42 = mul<T>(t42, i2);
  const t43 = less<T>(less<T>(less<T>(cell<T>(q, r, 13, s, ck, k3), l40, t30), l41, t31), l42, t32);
  const l43 = mul<T>(t43, i3);
  const d4 = less<T>(less<T>(less<T>(less<T>(cell<T>(q, r, 14, s, ck, k4), l40, t40), l41, t41), l42, t42), l43, t43);
  const i4 = div<T>(one, d4);
  ck = mul<T>(c, k5);
  const t50 = cell<T>(q, r, 15, s, ck, k0);
  const l50 = mul<T>(t50, i0);
  const t51 = less<T>(cell<T>(q, r, 16, s, ck, k1), l50, t10);
  const l51 = mul<T>(t51, i1);
  const t52 = less<T>(less<T>(cell<T>(q, r, 17, s, ck, k2), l50, t20), l51, t21);
  const l52 = mul<T>(t52, i2);
  const t53 = less<T>(less<T>(less<T>(cell<T>(q, r, 18, s, ck, k3), l50, t30), l51, t31), l52, t32);
  const l53 = mul<T>(t53, i3);
  const t54 = less<T>(less<T>(less<T>(less<T>(cell<T>(q, r, 19, s, ck, k4), l50, t40), l51, t41), l52, t42), l53, t43);
  const l54 = mul<T>(t54, i4);
  const d5 = less<T>(
    less<T>(less<T>(less<T>(less<T>(cell<T>(q, r, 20, s, ck, k5), l50, t50), l51, t51), l52, t52), l53, t53),
    l54,
    t54,
  );
  const i5 = div<T>(one, d5);
  const z0 = g0;
  const z1 = less<T>(g1, l10, z0);
  const z2 = less<T>(less<T>(g2, l20, z0), l21, z1);
  const z3 = less<T>(less<T>(less<T>(g3, l30, z0), l31, z1), l32, z2);
  const z4 = less<T>(less<T>(less<T>(less<T>(g4, l40, z0), l41, z1), l42, z2), l43, z3);
  const z5 = less<T>(less<T>(less<T>(less<T>(less<T>(g5, l50, z0), l51, z1), l52, z2), l53, z3), l54, z4);
  const x5 = mul<T>(z5, i5);
  const x4 = sub<T>(mul<T>(z4, i4), mul<T>(l54, x5));
  const x3 = less<T>(sub<T>(mul<T>(z3, i3), mul<T>(l43, x4)), l53, x5);
  const x2 = less<T>(less<T>(sub<T>(mul<T>(z2, i2), mul<T>(l32, x3)), l42, x4), l52, x5);
  const x1 = less<T>(less<T>(less<T>(sub<T>(mul<T>(z1, i1), mul<T>(l21, x2)), l31, x3), l41, x4), l51, x5);
  const x0 = less<T>(
    less<T>(less<T>(less<T>(sub<T>(mul<T>(z0, i0), mul<T>(l10, x1)), l20, x2), l30, x3), l40, x4),
    l50,
    x5,
  );
  put(to, 0, v128.neg<T>(x0));
  put(to, 1, v128.neg<T>(x1));
  put(to, 2, v128.neg<T>(x2));
  put(to, 3, v128.neg<T>(x3));
  put(to, 4, v128.neg<T>(x4));
  put(to, 5, v128.neg<T>(x5));
  const none = both<T>(0);
  let isDefinite = v128.and(v128.gt<T>(d0, none), v128.gt<T>(d1, none));
  isDefinite = v128.and(v128.and(isDefinite, v128.gt<T>(d2, none)), v128.gt<T>(d3, none));
  return v128.and(v128.and(isDefinite, v128.gt<T>(d4, none)), v128.gt<T>(d5, none));
}

/** Of ½ xᵀ Q x: adds the part of a row, whose products beside the diagonal are summed in `row`. */
function addRow<T>(sum: v128, row: v128, diagonal: v128, x: v128): v128 {
  return more<T>(sum, x, more<T>(row, both<T>(0.5), mul<T>(diagonal, x)));
}

/** ½ xᵀ Q x */
export function form<T>(q: usize, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128): v128 {
  let sum = mul<T>(both<T>(0.5), mul<T>(x0, mul<T>(entry(q, 0), x0)));
  sum = addRow<T>(sum, mul<T>(entry(q, 1), x0), entry(q, 2), x1);
  sum = addRow<T>(sum, more<T>(mul<T>(entry(q, 3), x0), entry(q, 4), x1), entry(q, 5), x2);
  let row = more<T>(more<T>(mul<T>(entry(q, 6), x0), entry(q, 7), x1), entry(q, 8), x2);
  sum = addRow<T>(sum, row, entry(q, 9), x3);
  row = more<T>(more<T>(mul<T>(entry(q, 10), x0), entry(q, 11), x1), entry(q, 12), x2);
  sum = addRow<T>(sum, more<T>(row, entry(q, 13), x3), entry(q, 14), x4);
  row = more<T>(more<T>(mul<T>(entry(q, 15), x0), entry(q, 16), x1), entry(q, 17), x2);
  return addRow<T>(sum, more<T>(more<T>(row, entry(q, 18), x3), entry(q, 19), x4), entry(q, 20), x5);
}

/** Adds a value to the diagonal that is `share` of the trace. */
export function lift<T>(q: usize, share: f64): void {
  let trace = add<T>(add<T>(entry(q, 0), entry(q, 2)), add<T>(entry(q, 5), entry(q, 9)));
  trace = mul<T>(both<T>(share), add<T>(trace, add<T>(entry(q, 14), entry(q, 20))));
  for (let r: usize = 0, at: usize = 0; r < 6; r++, at += r + 1) put(q, at, add<T>(entry(q, at), trace));
}
