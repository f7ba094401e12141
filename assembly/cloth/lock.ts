import { add, mul, sub } from "./vectors";

/**
 * Secant stiffness of a lock, see src/materials/membranes/locking.ts.
 *
 * @param e how far the strain is beyond it, at least 0
 * @param rate of the stiffness, times the area
 * @param g compliance, and so on of all but the lock
 */
export function lockSecant(e: v128, rate: v128, g: v128, stiffness: v128, imbalance: v128): v128 {
  const none = f32x4.splat(0);
  const two = f32x4.splat(2);
  const b = add(f32x4.splat(1), mul(g, stiffness));
  const fall = mul(g, imbalance);
  const c = sub(mul(b, e), fall);
  const root = f32x4.sqrt(add(mul(b, b), mul(mul(two, g), mul(rate, f32x4.pmax(c, none)))));
  const within = add(e, f32x4.div(mul(two, c), add(b, root)));
  const secant = v128.bitselect(within, f32x4.div(mul(mul(e, e), b), fall), f32x4.gt(c, none));
  return v128.and(mul(mul(f32x4.splat(0.5), rate), secant), f32x4.gt(e, none));
}

/**
 * What ⟨b⟩³/6 rises by, above its slope, free of cancellation.
 *
 * @param b strain less that at which it locks
 * @param rise its change
 * @param along the change that the slope takes for it
 */
export function lockRise(b: v128, rise: v128, along: v128): v128 {
  const none = f32x4.splat(0);
  const half = f32x4.splat(0.5);
  const from = f32x4.pmax(b, none);
  const by = f32x4.pmax(add(rise, f32x4.pmin(b, none)), f32x4.neg(from));
  const cubic = mul(mul(by, by), mul(f32x4.splat(1.0 / 6.0), add(mul(f32x4.splat(3), from), by)));
  return add(cubic, mul(mul(half, mul(from, from)), sub(by, along)));
}
