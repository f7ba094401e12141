export const RECORD: usize = 32;

export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}

export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}

export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}

// Transposing four vectors a, b, c, d: first pairs of them, then the rows of the pairs.

export function low(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}

export function high(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}

export function first(p: v128, q: v128): v128 {
  return v128.shuffle<i32>(p, q, 0, 1, 4, 5);
}

export function second(p: v128, q: v128): v128 {
  return v128.shuffle<i32>(p, q, 2, 3, 6, 7);
}

/** x, y, z of `a` and the last number of `b`. */
export function withLast(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 1, 2, 7);
}

export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz));
}

/** Of two vectors in x, y, z. */
export function dotOf(v: v128, w: v128): f32 {
  const p = mul(v, w);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

/** Adds a vector to a record's displacement, or to another list of the same form. */
export function addTo(at: usize, v: v128): void {
  v128.store(at, add(v128.load(at), v));
}

/** Adds displacements of four particles. */
export function scatter(i: usize, to: usize, x: v128, y: v128, z: v128): void {
  const none = f32x4.splat(0);
  const p = low(x, y);
  const q = low(z, none);
  const r = high(x, y);
  const s = high(z, none);
  addTo(<usize>load<u32>(i) + to, first(p, q));
  addTo(<usize>load<u32>(i, 4) + to, second(p, q));
  addTo(<usize>load<u32>(i, 8) + to, first(r, s));
  addTo(<usize>load<u32>(i, 12) + to, second(r, s));
}
