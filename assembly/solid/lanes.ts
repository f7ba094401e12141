// Numbers of several elements in a vector: of two in f64, of four in f32.

export function add<T>(a: v128, b: v128): v128 {
  return v128.add<T>(a, b);
}

export function sub<T>(a: v128, b: v128): v128 {
  return v128.sub<T>(a, b);
}

export function mul<T>(a: v128, b: v128): v128 {
  return v128.mul<T>(a, b);
}

export function div<T>(a: v128, b: v128): v128 {
  return v128.div<T>(a, b);
}

/** a − b c */
export function less<T>(a: v128, b: v128, c: v128): v128 {
  return sub<T>(a, mul<T>(b, c));
}

/** a + b c */
export function more<T>(a: v128, b: v128, c: v128): v128 {
  return add<T>(a, mul<T>(b, c));
}

export function both<T>(value: f64): v128 {
  return v128.splat<T>(<T>value);
}

export function dot<T>(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add<T>(add<T>(mul<T>(ax, bx), mul<T>(ay, by)), mul<T>(az, bz));
}

/** Two f64 of the memory. */
export function pair(first: usize, second: usize): v128 {
  return v128.load64_lane(second, v128.load64_zero(first), 1);
}

/** Numbers of two elements in f64, and of two more, as one vector; in f64 the first two alone. */
export function joined<T>(low: v128, high: v128): v128 {
  if (sizeof<T>() === 8) return low;
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** A number of each element, which is in f64 in the memory. */
export function numbers<T>(p0: usize, p1: usize, p2: usize, p3: usize): v128 {
  if (sizeof<T>() === 8) return pair(p0, p1);
  return joined<T>(pair(p0, p1), pair(p2, p3));
}
