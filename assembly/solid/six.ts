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
function weighed<T>(q: usize, r: usize, at: usize, s: v128, ck: v128, k: v128): v128 {
  return add<T>(add<T>(entry(q, at), mul<T>(s, entry(r, at))), mul<T>(ck, k));
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
  const d0 = weighed<T>(q, r, 0, s, ck, k0);
  const i0 = div<T>(one, d0);
  ck = mul<T>(c, k1);
  const t10 = weighed<T>(q, r, 1, s, ck, k0);
  const l10 = mul<T>(t10, i0);
  const d1 = sub<T>(weighed<T>(q, r, 2, s, ck, k1), mul<T>(l10, t10));
  const i1 = div<T>(one, d1);
  ck = mul<T>(c, k2);
  const t20 = weighed<T>(q, r, 3, s, ck, k0);
  const l20 = mul<T>(t20, i0);
  const t21 = sub<T>(weighed<T>(q, r, 4, s, ck, k1), mul<T>(l20, t10));
  const l21 = mul<T>(t21, i1);
  const d2 = sub<T>(sub<T>(weighed<T>(q, r, 5, s, ck, k2), mul<T>(l20, t20)), mul<T>(l21, t21));
  const i2 = div<T>(one, d2);
  ck = mul<T>(c, k3);
  const t30 = weighed<T>(q, r, 6, s, ck, k0);
  const l30 = mul<T>(t30, i0);
  const t31 = sub<T>(weighed<T>(q, r, 7, s, ck, k1), mul<T>(l30, t10));
  const l31 = mul<T>(t31, i1);
  const t32 = sub<T>(sub<T>(weighed<T>(q, r, 8, s, ck, k2), mul<T>(l30, t20)), mul<T>(l31, t21));
  const l32 = mul<T>(t32, i2);
  const d3 = sub<T>(
    sub<T>(sub<T>(weighed<T>(q, r, 9, s, ck, k3), mul<T>(l30, t30)), mul<T>(l31, t31)),
    mul<T>(l32, t32),
  );
  const i3 = div<T>(one, d3);
  ck = mul<T>(c, k4);
  const t40 = weighed<T>(q, r, 10, s, ck, k0);
  const l40 = mul<T>(t40, i0);
  const t41 = sub<T>(weighed<T>(q, r, 11, s, ck, k1), mul<T>(l40, t10));
  const l41 = mul<T>(t41, i1);
  const t42 = sub<T>(sub<T>(weighed<T>(q, r, 12, s, ck, k2), mul<T>(l40, t20)), mul<T>(l41, t21));
  const l42 = mul<T>(t42, i2);
  const t43 = sub<T>(
    sub<T>(sub<T>(weighed<T>(q, r, 13, s, ck, k3), mul<T>(l40, t30)), mul<T>(l41, t31)),
    mul<T>(l42, t32),
  );
  const l43 = mul<T>(t43, i3);
  const d4 = sub<T>(
    sub<T>(sub<T>(sub<T>(weighed<T>(q, r, 14, s, ck, k4), mul<T>(l40, t40)), mul<T>(l41, t41)), mul<T>(l42, t42)),
    mul<T>(l43, t43),
  );
  const i4 = div<T>(one, d4);
  ck = mul<T>(c, k5);
  const t50 = weighed<T>(q, r, 15, s, ck, k0);
  const l50 = mul<T>(t50, i0);
  const t51 = sub<T>(weighed<T>(q, r, 16, s, ck, k1), mul<T>(l50, t10));
  const l51 = mul<T>(t51, i1);
  const t52 = sub<T>(sub<T>(weighed<T>(q, r, 17, s, ck, k2), mul<T>(l50, t20)), mul<T>(l51, t21));
  const l52 = mul<T>(t52, i2);
  const t53 = sub<T>(
    sub<T>(sub<T>(weighed<T>(q, r, 18, s, ck, k3), mul<T>(l50, t30)), mul<T>(l51, t31)),
    mul<T>(l52, t32),
  );
  const l53 = mul<T>(t53, i3);
  const t54 = sub<T>(
    sub<T>(sub<T>(sub<T>(weighed<T>(q, r, 19, s, ck, k4), mul<T>(l50, t40)), mul<T>(l51, t41)), mul<T>(l52, t42)),
    mul<T>(l53, t43),
  );
  const l54 = mul<T>(t54, i4);
  const d5 = sub<T>(
    sub<T>(
      sub<T>(sub<T>(sub<T>(weighed<T>(q, r, 20, s, ck, k5), mul<T>(l50, t50)), mul<T>(l51, t51)), mul<T>(l52, t52)),
      mul<T>(l53, t53),
    ),
    mul<T>(l54, t54),
  );
  const i5 = div<T>(one, d5);
  const z0 = g0;
  const z1 = sub<T>(g1, mul<T>(l10, z0));
  const z2 = sub<T>(sub<T>(g2, mul<T>(l20, z0)), mul<T>(l21, z1));
  const z3 = sub<T>(sub<T>(sub<T>(g3, mul<T>(l30, z0)), mul<T>(l31, z1)), mul<T>(l32, z2));
  const z4 = sub<T>(sub<T>(sub<T>(sub<T>(g4, mul<T>(l40, z0)), mul<T>(l41, z1)), mul<T>(l42, z2)), mul<T>(l43, z3));
  const z5 = sub<T>(
    sub<T>(sub<T>(sub<T>(sub<T>(g5, mul<T>(l50, z0)), mul<T>(l51, z1)), mul<T>(l52, z2)), mul<T>(l53, z3)),
    mul<T>(l54, z4),
  );
  const x5 = mul<T>(z5, i5);
  const x4 = sub<T>(mul<T>(z4, i4), mul<T>(l54, x5));
  const x3 = sub<T>(sub<T>(mul<T>(z3, i3), mul<T>(l43, x4)), mul<T>(l53, x5));
  const x2 = sub<T>(sub<T>(sub<T>(mul<T>(z2, i2), mul<T>(l32, x3)), mul<T>(l42, x4)), mul<T>(l52, x5));
  const x1 = sub<T>(
    sub<T>(sub<T>(sub<T>(mul<T>(z1, i1), mul<T>(l21, x2)), mul<T>(l31, x3)), mul<T>(l41, x4)),
    mul<T>(l51, x5),
  );
  const x0 = sub<T>(
    sub<T>(sub<T>(sub<T>(sub<T>(mul<T>(z0, i0), mul<T>(l10, x1)), mul<T>(l20, x2)), mul<T>(l30, x3)), mul<T>(l40, x4)),
    mul<T>(l50, x5),
  );
  put(to, 0, v128.neg<T>(x0));
  put(to, 1, v128.neg<T>(x1));
  put(to, 2, v128.neg<T>(x2));
  put(to, 3, v128.neg<T>(x3));
  put(to, 4, v128.neg<T>(x4));
  put(to, 5, v128.neg<T>(x5));
  const none = both<T>(0);
  return v128.and(
    v128.and(
      v128.and(
        v128.and(v128.and(v128.gt<T>(d0, none), v128.gt<T>(d1, none)), v128.gt<T>(d2, none)),
        v128.gt<T>(d3, none),
      ),
      v128.gt<T>(d4, none),
    ),
    v128.gt<T>(d5, none),
  );
}

/** ½ xᵀ Q x */
export function form<T>(q: usize, x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128): v128 {
  const half = both<T>(0.5);
  let sum = mul<T>(half, mul<T>(x0, mul<T>(entry(q, 0), x0)));
  sum = add<T>(sum, mul<T>(x1, add<T>(mul<T>(entry(q, 1), x0), mul<T>(half, mul<T>(entry(q, 2), x1)))));
  sum = add<T>(
    sum,
    mul<T>(x2, add<T>(add<T>(mul<T>(entry(q, 3), x0), mul<T>(entry(q, 4), x1)), mul<T>(half, mul<T>(entry(q, 5), x2)))),
  );
  sum = add<T>(
    sum,
    mul<T>(
      x3,
      add<T>(
        add<T>(add<T>(mul<T>(entry(q, 6), x0), mul<T>(entry(q, 7), x1)), mul<T>(entry(q, 8), x2)),
        mul<T>(half, mul<T>(entry(q, 9), x3)),
      ),
    ),
  );
  sum = add<T>(
    sum,
    mul<T>(
      x4,
      add<T>(
        add<T>(
          add<T>(add<T>(mul<T>(entry(q, 10), x0), mul<T>(entry(q, 11), x1)), mul<T>(entry(q, 12), x2)),
          mul<T>(entry(q, 13), x3),
        ),
        mul<T>(half, mul<T>(entry(q, 14), x4)),
      ),
    ),
  );
  sum = add<T>(
    sum,
    mul<T>(
      x5,
      add<T>(
        add<T>(
          add<T>(
            add<T>(add<T>(mul<T>(entry(q, 15), x0), mul<T>(entry(q, 16), x1)), mul<T>(entry(q, 17), x2)),
            mul<T>(entry(q, 18), x3),
          ),
          mul<T>(entry(q, 19), x4),
        ),
        mul<T>(half, mul<T>(entry(q, 20), x5)),
      ),
    ),
  );
  return sum;
}

/** Adds a value to the diagonal that is `share` of the trace. */
export function lift<T>(q: usize, share: f64): void {
  let trace = add<T>(add<T>(entry(q, 0), entry(q, 2)), add<T>(entry(q, 5), entry(q, 9)));
  trace = mul<T>(both<T>(share), add<T>(trace, add<T>(entry(q, 14), entry(q, 20))));
  for (let r: usize = 0, at: usize = 0; r < 6; r++, at += r + 1) put(q, at, add<T>(entry(q, at), trace));
}
