import { add, both, div, mul, sub } from "./lanes";

// Series of angles in two lanes, with errors of a few units in the last place.

/** Largest angle of `sine` and `cosine` [rad]. */
export const LARGEST: f64 = 0.7853981633974483;

/** x − x³/3! + x⁵/5! − … */
export function sine(x: v128): v128 {
  const s = mul(x, x);
  let sum = both(1 / 355687428096000.0);
  sum = add(both(-1 / 1307674368000.0), mul(s, sum));
  sum = add(both(1 / 6227020800.0), mul(s, sum));
  sum = add(both(-1 / 39916800.0), mul(s, sum));
  sum = add(both(1 / 362880.0), mul(s, sum));
  sum = add(both(-1 / 5040.0), mul(s, sum));
  sum = add(both(1 / 120.0), mul(s, sum));
  sum = add(both(-1 / 6.0), mul(s, sum));
  return add(x, mul(mul(x, s), sum));
}

/** 1 − x²/2! + x⁴/4! − … */
export function cosine(x: v128): v128 {
  const s = mul(x, x);
  let sum = both(-1 / 6402373705728000.0);
  sum = add(both(1 / 20922789888000.0), mul(s, sum));
  sum = add(both(-1 / 87178291200.0), mul(s, sum));
  sum = add(both(1 / 479001600.0), mul(s, sum));
  sum = add(both(-1 / 3628800.0), mul(s, sum));
  sum = add(both(1 / 40320.0), mul(s, sum));
  sum = add(both(-1 / 720.0), mul(s, sum));
  sum = add(both(1 / 24.0), mul(s, sum));
  return add(sub(both(1), mul(both(0.5), s)), mul(mul(s, s), sum));
}

/** Angle of (x, y) where x ≥ 0, by its eighth: tan θ/2 = y/(x + √(x² + y²)). */
export function angle(y: v128, x: v128): v128 {
  const root = f64x2.sqrt(add(mul(x, x), mul(y, y)));
  const u = halved(halved(div(y, f64x2.max(add(x, root), both(1e-300)))));
  const s = mul(u, u);
  let sum = both(-1 / 23.0);
  sum = add(both(1 / 21.0), mul(s, sum));
  sum = add(both(-1 / 19.0), mul(s, sum));
  sum = add(both(1 / 17.0), mul(s, sum));
  sum = add(both(-1 / 15.0), mul(s, sum));
  sum = add(both(1 / 13.0), mul(s, sum));
  sum = add(both(-1 / 11.0), mul(s, sum));
  sum = add(both(1 / 9.0), mul(s, sum));
  sum = add(both(-1 / 7.0), mul(s, sum));
  sum = add(both(1 / 5.0), mul(s, sum));
  sum = add(both(-1 / 3.0), mul(s, sum));
  return mul(both(8), add(u, mul(mul(u, s), sum)));
}

/** tan θ/2 of tan θ, where |θ| is at most a right angle's half. */
function halved(u: v128): v128 {
  return div(u, add(both(1), f64x2.sqrt(add(both(1), mul(u, u)))));
}
