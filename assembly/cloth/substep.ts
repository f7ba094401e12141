import { RECORD, add, addTo, mul, withLast } from "./vectors";

/**
 * x̃ = x⁻ + h v + W f (3).
 *
 * @param x f64 positions, three a particle; `v` velocities and `a` accelerations, four each; `m` inverse masses, 0 where pinned
 * @param reach h / (1 + h c), with the damping c
 */
export function predict(
  end: usize,
  x: usize,
  v: usize,
  a: usize,
  m: usize,
  ox: f64,
  oy: f64,
  oz: f64,
  h: f32,
  reach: f32,
): void {
  const origin = f64x2.replace_lane(f64x2.splat(ox), 1, oy);
  const time = f32x4.splat(h);
  const way = f32x4.splat(reach);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const flat = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(x), origin));
    const inverse = load<f32>(m);
    const place = f32x4.replace_lane(flat, 2, <f32>(load<f64>(x, 16) - oz));
    v128.store(p, f32x4.replace_lane(place, 3, h * reach * inverse));
    const moving = f32x4.gt(f32x4.splat(inverse), f32x4.splat(0));
    const u = v128.and(mul(way, add(v128.load(v), mul(time, v128.load(a)))), moving);
    v128.store(p, withLast(u, v128.load(p, 16)), 16);
    x += 24;
    v += 16;
    a += 16;
    m += 4;
  }
}

/**
 * v = u/h and x = x⁻ + u (2), if all of them are finite; with a `share` below 1 as in cpu/velocities.ts.
 *
 * @param fx velocity by gravity in the substep
 * @returns 0 if not
 */
export function finish(end: usize, x: usize, v: usize, h: f32, share: f32, decay: f32, fx: f32, fy: f32, fz: f32): i32 {
  let sum = f32x4.splat(0);
  for (let p: usize = 0; p !== end; p += RECORD) sum = add(sum, mul(v128.load(p, 16), f32x4.splat(0)));
  if (v128.any_true(f32x4.ne(sum, f32x4.splat(0)))) return 0;
  const time = f32x4.splat(h);
  const part = f32x4.splat(share);
  const kept = f32x4.splat((1 - share) * decay);
  const fall = f32x4(fx, fy, fz, 0);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const u = v128.load(p, 16);
    v128.store(x, f64x2.add(v128.load(x), f64x2.promote_low_f32x4(u)));
    store<f64>(x, load<f64>(x, 16) + <f64>load<f32>(p, 24), 16);
    let after = f32x4.div(u, time);
    if (share < 1 && load<f32>(p, 12) > 0) after = add(mul(part, after), mul(kept, add(v128.load(v), fall)));
    v128.store(v, after);
    x += 24;
    v += 16;
  }
  return 1;
}

/** Takes the places that all elements of a sweep start from. */
export function placeAll(end: usize, sums: usize): void {
  for (let p: usize = 0; p < end; p += RECORD) v128.store(p + sums, add(v128.load(p), v128.load(p, 16)));
}

/** Moves particles by what such a sweep has found, impulses over h², and clears that for the next one. */
export function gatherAll(end: usize, sums: usize): void {
  for (let p: usize = 0; p < end; p += RECORD) {
    addTo(p + 16, mul(v128.load32_splat(p, 12), v128.load(p + sums, 16)));
    v128.store(p + sums, f32x4.splat(0), 16);
  }
}
