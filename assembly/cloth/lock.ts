import { add, mul, sub } from "./vectors";

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
