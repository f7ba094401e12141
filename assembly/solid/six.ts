import { add, both, div, mul, sub } from "./lanes";

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

function sum4(a: v128, b: v128, c: v128, d: v128): v128 {
  return add(add(a, b), add(c, d));
}

/** The matrix of the quadratic form tr(Λ A Λ B), see `kronecker` in neo-hookean-solve.ts. */
export function kronecker(
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
  const half = both(0.5);
  const quarter = both(0.25);
  put(out, 0, mul(a0, b0));
  put(out, 1, mul(a3, b3));
  put(out, 2, mul(a1, b1));
  put(out, 3, mul(a5, b5));
  put(out, 4, mul(a4, b4));
  put(out, 5, mul(a2, b2));
  put(out, 6, mul(half, add(mul(a0, b3), mul(a3, b0))));
  put(out, 7, mul(half, add(mul(a3, b1), mul(a1, b3))));
  put(out, 8, mul(half, add(mul(a5, b4), mul(a4, b5))));
  put(out, 9, mul(quarter, sum4(mul(a0, b1), mul(a1, b0), mul(a3, b3), mul(a3, b3))));
  put(out, 10, mul(half, add(mul(a3, b5), mul(a5, b3))));
  put(out, 11, mul(half, add(mul(a1, b4), mul(a4, b1))));
  put(out, 12, mul(half, add(mul(a4, b2), mul(a2, b4))));
  put(out, 13, mul(quarter, sum4(mul(a3, b4), mul(a1, b5), mul(a5, b1), mul(a4, b3))));
  put(out, 14, mul(quarter, sum4(mul(a1, b2), mul(a2, b1), mul(a4, b4), mul(a4, b4))));
  put(out, 15, mul(half, add(mul(a5, b0), mul(a0, b5))));
  put(out, 16, mul(half, add(mul(a4, b3), mul(a3, b4))));
  put(out, 17, mul(half, add(mul(a2, b5), mul(a5, b2))));
  put(out, 18, mul(quarter, sum4(mul(a5, b3), mul(a4, b0), mul(a0, b4), mul(a3, b5))));
  put(out, 19, mul(quarter, sum4(mul(a4, b5), mul(a2, b3), mul(a3, b2), mul(a5, b4))));
  put(out, 20, mul(quarter, sum4(mul(a2, b0), mul(a0, b2), mul(a5, b5), mul(a5, b5))));
}

/** Entry of Q + s R + c k kᵀ; `ck` is c times the entry of k for the row. */
function weighed(q: usize, r: usize, at: usize, s: v128, ck: v128, k: v128): v128 {
  return add(add(entry(q, at), mul(s, entry(r, at))), mul(ck, k));
}

/**
 * x = −(Q + s R + c k kᵀ)⁻¹ g by LDLᵀ.
 *
 * @param to six vectors: changed
 * @returns all bits of an element set whose matrix is positive definite
 */
export function newtonStep(
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
  const one = both(1);
  let ck = mul(c, k0);
  const d0 = weighed(q, r, 0, s, ck, k0);
  const i0 = div(one, d0);
  ck = mul(c, k1);
  const t10 = weighed(q, r, 1, s, ck, k0);
  const l10 = mul(t10, i0);
  const d1 = sub(weighed(q, r, 2, s, ck, k1), mul(l10, t10));
  const i1 = div(one, d1);
  ck = mul(c, k2);
  const t20 = weighed(q, r, 3, s, ck, k0);
  const l20 = mul(t20, i0);
  const t21 = sub(weighed(q, r, 4, s, ck, k1), mul(l20, t10));
  const l21 = mul(t21, i1);
  const d2 = sub(sub(weighed(q, r, 5, s, ck, k2), mul(l20, t20)), mul(l21, t21));
  const i2 = div(one, d2);
  ck = mul(c, k3);
  const t30 = weighed(q, r, 6, s, ck, k0);
  const l30 = mul(t30, i0);
  const t31 = sub(weighed(q, r, 7, s, ck, k1), mul(l30, t10));
  const l31 = mul(t31, i1);
  const t32 = sub(sub(weighed(q, r, 8, s, ck, k2), mul(l30, t20)), mul(l31, t21));
  const l32 = mul(t32, i2);
  const d3 = sub(sub(sub(weighed(q, r, 9, s, ck, k3), mul(l30, t30)), mul(l31, t31)), mul(l32, t32));
  const i3 = div(one, d3);
  ck = mul(c, k4);
  const t40 = weighed(q, r, 10, s, ck, k0);
  const l40 = mul(t40, i0);
  const t41 = sub(weighed(q, r, 11, s, ck, k1), mul(l40, t10));
  const l41 = mul(t41, i1);
  const t42 = sub(sub(weighed(q, r, 12, s, ck, k2), mul(l40, t20)), mul(l41, t21));
  const l42 = mul(t42, i2);
  const t43 = sub(sub(sub(weighed(q, r, 13, s, ck, k3), mul(l40, t30)), mul(l41, t31)), mul(l42, t32));
  const l43 = mul(t43, i3);
  const d4 = sub(
    sub(sub(sub(weighed(q, r, 14, s, ck, k4), mul(l40, t40)), mul(l41, t41)), mul(l42, t42)),
    mul(l43, t43),
  );
  const i4 = div(one, d4);
  ck = mul(c, k5);
  const t50 = weighed(q, r, 15, s, ck, k0);
  const l50 = mul(t50, i0);
  const t51 = sub(weighed(q, r, 16, s, ck, k1), mul(l50, t10));
  const l51 = mul(t51, i1);
  const t52 = sub(sub(weighed(q, r, 17, s, ck, k2), mul(l50, t20)), mul(l51, t21));
  const l52 = mul(t52, i2);
  const t53 = sub(sub(sub(weighed(q, r, 18, s, ck, k3), mul(l50, t30)), mul(l51, t31)), mul(l52, t32));
  const l53 = mul(t53, i3);
  const t54 = sub(
    sub(sub(sub(weighed(q, r, 19, s, ck, k4), mul(l50, t40)), mul(l51, t41)), mul(l52, t42)),
    mul(l53, t43),
  );
  const l54 = mul(t54, i4);
  const d5 = sub(
    sub(sub(sub(sub(weighed(q, r, 20, s, ck, k5), mul(l50, t50)), mul(l51, t51)), mul(l52, t52)), mul(l53, t53)),
    mul(l54, t54),
  );
  const i5 = div(one, d5);
  const z0 = g0;
  const z1 = sub(g1, mul(l10, z0));
  const z2 = sub(sub(g2, mul(l20, z0)), mul(l21, z1));
  const z3 = sub(sub(sub(g3, mul(l30, z0)), mul(l31, z1)), mul(l32, z2));
  const z4 = sub(sub(sub(sub(g4, mul(l40, z0)), mul(l41, z1)), mul(l42, z2)), mul(l43, z3));
  const z5 = sub(sub(sub(sub(sub(g5, mul(l50, z0)), mul(l51, z1)), mul(l52, z2)), mul(l53, z3)), mul(l54, z4));
  const x5 = mul(z5, i5);
  const x4 = sub(mul(z4, i4), mul(l54, x5));
  const x3 = sub(sub(mul(z3, i3), mul(l43, x4)), mul(l53, x5));
  const x2 = sub(sub(sub(mul(z2, i2), mul(l32, x3)), mul(l42, x4)), mul(l52, x5));
  const x1 = sub(sub(sub(sub(mul(z1, i1), mul(l21, x2)), mul(l31, x3)), mul(l41, x4)), mul(l51, x5));
  const x0 = sub(sub(sub(sub(sub(mul(z0, i0), mul(l10, x1)), mul(l20, x2)), mul(l30, x3)), mul(l40, x4)), mul(l50, x5));
  put(to, 0, f64x2.neg(x0));
  put(to, 1, f64x2.neg(x1));
  put(to, 2, f64x2.neg(x2));
  put(to, 3, f64x2.neg(x3));
  put(to, 4, f64x2.neg(x4));
  put(to, 5, f64x2.neg(x5));
  const none = both(0);
  return v128.and(
    v128.and(
      v128.and(v128.and(v128.and(f64x2.gt(d0, none), f64x2.gt(d1, none)), f64x2.gt(d2, none)), f64x2.gt(d3, none)),
      f64x2.gt(d4, none),
    ),
    f64x2.gt(d5, none),
  );
}

/** ½ xᵀ Q x */
export function form(q: usize, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128): v128 {
  const half = both(0.5);
  let sum = mul(half, mul(x0, mul(entry(q, 0), x0)));
  sum = add(sum, mul(x1, add(mul(entry(q, 1), x0), mul(half, mul(entry(q, 2), x1)))));
  sum = add(sum, mul(x2, add(add(mul(entry(q, 3), x0), mul(entry(q, 4), x1)), mul(half, mul(entry(q, 5), x2)))));
  sum = add(
    sum,
    mul(
      x3,
      add(add(add(mul(entry(q, 6), x0), mul(entry(q, 7), x1)), mul(entry(q, 8), x2)), mul(half, mul(entry(q, 9), x3))),
    ),
  );
  sum = add(
    sum,
    mul(
      x4,
      add(
        add(add(add(mul(entry(q, 10), x0), mul(entry(q, 11), x1)), mul(entry(q, 12), x2)), mul(entry(q, 13), x3)),
        mul(half, mul(entry(q, 14), x4)),
      ),
    ),
  );
  sum = add(
    sum,
    mul(
      x5,
      add(
        add(
          add(add(add(mul(entry(q, 15), x0), mul(entry(q, 16), x1)), mul(entry(q, 17), x2)), mul(entry(q, 18), x3)),
          mul(entry(q, 19), x4),
        ),
        mul(half, mul(entry(q, 20), x5)),
      ),
    ),
  );
  return sum;
}

/** Adds a value to the diagonal that is `share` of the trace. */
export function lift(q: usize, share: f64): void {
  let trace = add(add(entry(q, 0), entry(q, 2)), add(entry(q, 5), entry(q, 9)));
  trace = mul(both(share), add(trace, add(entry(q, 14), entry(q, 20))));
  for (let r: usize = 0, at: usize = 0; r < 6; r++, at += r + 1) put(q, at, add(entry(q, at), trace));
}
