import { add, both, div, dot, mul, numbers, sub } from "./lanes";
import { entry, form, kronecker, lift, MATRIX, newtonStep } from "./six";

/** No principal stretch is left below this, see untangle.ts. */
const SMALLEST: f64 = 0.02;

/** A number of a corner of each element, of a list with so many bytes a particle; `at` is the corner's place in a list of corners. */
function ofCorners(list: usize, bytes: usize, c0: usize, c1: usize, at: usize): v128 {
  return numbers(list + bytes * <usize>load<u32>(c0 + at), list + bytes * <usize>load<u32>(c1 + at));
}

/** Row of F: coordinates of the corners beside the first one, times Dm⁻¹. */
function row(to: usize, x: usize, c0: usize, c1: usize, r0: usize, r1: usize): void {
  const origin = ofCorners(x, 24, c0, c1, 0);
  const a = sub(ofCorners(x, 24, c0, c1, 4), origin);
  const b = sub(ofCorners(x, 24, c0, c1, 8), origin);
  const c = sub(ofCorners(x, 24, c0, c1, 12), origin);
  for (let j: usize = 0; j < 24; j += 8) {
    const column = dot(
      a,
      b,
      c,
      numbers(r0 + j, r1 + j),
      numbers(r0 + j + 24, r1 + j + 24),
      numbers(r0 + j + 48, r1 + j + 48),
    );
    v128.store(to + 2 * j, column);
  }
}

/** F, nine vectors by rows. */
function gradient(to: usize, x: usize, c0: usize, c1: usize, r0: usize, r1: usize): void {
  row(to, x, c0, c1, r0, r1);
  row(to + 48, x + 8, c0, c1, r0, r1);
  row(to + 96, x + 16, c0, c1, r0, r1);
}

/** Entry (p, q) of Σ wₐ gₐ gₐᵀ. */
function weighed(w0: v128, w1: v128, w2: v128, w3: v128, p: usize, q: usize): v128 {
  const first = add(mul(mul(w0, v128.load(p)), v128.load(q)), mul(mul(w1, v128.load(p, 48)), v128.load(q, 48)));
  const second = add(
    mul(mul(w2, v128.load(p, 96)), v128.load(q, 96)),
    mul(mul(w3, v128.load(p, 144)), v128.load(q, 144)),
  );
  return add(first, second);
}

/** Row c of Σ dₐ gₐᵀ, column q. */
function spread(t0: usize, t1: usize, c: usize, g: usize): v128 {
  const first = add(
    mul(numbers(t0 + c, t1 + c), v128.load(g)),
    mul(numbers(t0 + c + 24, t1 + c + 24), v128.load(g, 48)),
  );
  const second = add(
    mul(numbers(t0 + c + 48, t1 + c + 48), v128.load(g, 96)),
    mul(numbers(t0 + c + 72, t1 + c + 72), v128.load(g, 144)),
  );
  return add(first, second);
}

/** Displacements of two elements, twelve vectors at `scratch`. @returns a bit for each that is solved */
export function solve(
  c0: usize,
  c1: usize,
  r0: usize,
  r1: usize,
  t0: usize,
  t1: usize,
  x: usize,
  x0: usize,
  w: usize,
  mu: f64,
  bulk: f64,
  viscosity: f64,
  isLogarithmic: i32,
  scratch: usize,
): i32 {
  const one = both(1);
  const half = both(0.5);
  const none = both(0);
  /** gₐ, three vectors a corner */
  const g = scratch + 192;
  const q = scratch + 384;
  const kk = q + MATRIX;
  const step = kk + MATRIX;

  const w0 = ofCorners(w, 8, c0, c1, 0);
  const w1 = ofCorners(w, 8, c0, c1, 4);
  const w2 = ofCorners(w, 8, c0, c1, 8);
  const w3 = ofCorners(w, 8, c0, c1, 12);

  const b00 = numbers(r0, r1);
  const b01 = numbers(r0 + 8, r1 + 8);
  const b02 = numbers(r0 + 16, r1 + 16);
  const b10 = numbers(r0 + 24, r1 + 24);
  const b11 = numbers(r0 + 32, r1 + 32);
  const b12 = numbers(r0 + 40, r1 + 40);
  const b20 = numbers(r0 + 48, r1 + 48);
  const b21 = numbers(r0 + 56, r1 + 56);
  const b22 = numbers(r0 + 64, r1 + 64);
  const volume = numbers(r0 + 72, r1 + 72);

  // F
  const f = step;
  gradient(f, x, c0, c1, r0, r1);
  const f00 = v128.load(f);
  const f01 = v128.load(f, 16);
  const f02 = v128.load(f, 32);
  const f10 = v128.load(f, 48);
  const f11 = v128.load(f, 64);
  const f12 = v128.load(f, 80);
  const f20 = v128.load(f, 96);
  const f21 = v128.load(f, 112);
  const f22 = v128.load(f, 128);
  const jacobian = add(
    sub(mul(f00, sub(mul(f11, f22), mul(f12, f21))), mul(f01, sub(mul(f10, f22), mul(f12, f20)))),
    mul(f02, sub(mul(f10, f21), mul(f11, f20))),
  );

  // C, E
  const k0 = dot(f00, f10, f20, f00, f10, f20);
  const k1 = dot(f01, f11, f21, f01, f11, f21);
  const k2 = dot(f02, f12, f22, f02, f12, f22);
  const k3 = dot(f00, f10, f20, f01, f11, f21);
  const k4 = dot(f01, f11, f21, f02, f12, f22);
  const k5 = dot(f02, f12, f22, f00, f10, f20);
  const e0 = mul(half, sub(k0, one));
  const e1 = mul(half, sub(k1, one));
  const e2 = mul(half, sub(k2, one));
  const e3 = mul(half, k3);
  const e4 = mul(half, k4);
  const e5 = mul(half, k5);
  const squares = add(add(k0, k1), k2);
  let solved = f64x2.ge(mul(both(2), jacobian), mul(both(SMALLEST), squares));
  solved = v128.and(solved, f64x2.gt(jacobian, none));

  // gₐ
  v128.store(g, f64x2.neg(add(add(b00, b10), b20)));
  v128.store(g, f64x2.neg(add(add(b01, b11), b21)), 16);
  v128.store(g, f64x2.neg(add(add(b02, b12), b22)), 32);
  v128.store(g, b00, 48);
  v128.store(g, b01, 64);
  v128.store(g, b02, 80);
  v128.store(g, b10, 96);
  v128.store(g, b11, 112);
  v128.store(g, b12, 128);
  v128.store(g, b20, 144);
  v128.store(g, b21, 160);
  v128.store(g, b22, 176);

  // M, N = M + Vµ M²
  const m0 = weighed(w0, w1, w2, w3, g, g);
  const m1 = weighed(w0, w1, w2, w3, g + 16, g + 16);
  const m2 = weighed(w0, w1, w2, w3, g + 32, g + 32);
  const m3 = weighed(w0, w1, w2, w3, g, g + 16);
  const m4 = weighed(w0, w1, w2, w3, g + 16, g + 32);
  const m5 = weighed(w0, w1, w2, w3, g + 32, g);
  solved = v128.and(solved, f64x2.gt(add(add(m0, m1), m2), none));
  const vmu = mul(volume, both(mu));
  const n0 = add(m0, mul(vmu, dot(m0, m3, m5, m0, m3, m5)));
  const n1 = add(m1, mul(vmu, dot(m3, m1, m4, m3, m1, m4)));
  const n2 = add(m2, mul(vmu, dot(m5, m4, m2, m5, m4, m2)));
  const n3 = add(m3, mul(vmu, dot(m0, m3, m5, m3, m1, m4)));
  const n4 = add(m4, mul(vmu, dot(m3, m1, m4, m5, m4, m2)));
  const n5 = add(m5, mul(vmu, dot(m5, m4, m2, m0, m3, m5)));

  // base = B + 2Vµ sym(EM)
  let d0 = spread(t0, t1, 0, g);
  let d1 = spread(t0, t1, 8, g);
  let d2 = spread(t0, t1, 16, g);
  let base0 = dot(f00, f10, f20, d0, d1, d2);
  let base3 = dot(f01, f11, f21, d0, d1, d2);
  let base5 = dot(f02, f12, f22, d0, d1, d2);
  d0 = spread(t0, t1, 0, g + 16);
  d1 = spread(t0, t1, 8, g + 16);
  d2 = spread(t0, t1, 16, g + 16);
  let base1 = dot(f01, f11, f21, d0, d1, d2);
  base3 = add(base3, dot(f00, f10, f20, d0, d1, d2));
  let base4 = dot(f02, f12, f22, d0, d1, d2);
  d0 = spread(t0, t1, 0, g + 32);
  d1 = spread(t0, t1, 8, g + 32);
  d2 = spread(t0, t1, 16, g + 32);
  let base2 = dot(f02, f12, f22, d0, d1, d2);
  base4 = add(base4, dot(f01, f11, f21, d0, d1, d2));
  base5 = add(base5, dot(f00, f10, f20, d0, d1, d2));
  const two = both(2);
  base0 = add(base0, mul(vmu, mul(two, dot(e0, e3, e5, m0, m3, m5))));
  base1 = add(base1, mul(vmu, mul(two, dot(e3, e1, e4, m3, m1, m4))));
  base2 = add(base2, mul(vmu, mul(two, dot(e5, e4, e2, m5, m4, m2))));
  base3 = add(mul(half, base3), mul(vmu, add(dot(e0, e3, e5, m3, m1, m4), dot(e3, e1, e4, m0, m3, m5))));
  base4 = add(mul(half, base4), mul(vmu, add(dot(e3, e1, e4, m5, m4, m2), dot(e5, e4, e2, m3, m1, m4))));
  base5 = add(mul(half, base5), mul(vmu, add(dot(e5, e4, e2, m0, m3, m5), dot(e0, e3, e5, m5, m4, m2))));

  kronecker(q, k0, k1, k2, k3, k4, k5, n0, n1, n2, n3, n4, n5);
  if (viscosity > 0) {
    kronecker(kk, k0, k1, k2, k3, k4, k5, m0, m1, m2, m3, m4, m5);
    // The change of strain in the time step.
    gradient(f, x0, c0, c1, r0, r1);
    const s00 = v128.load(f);
    const s01 = v128.load(f, 16);
    const s02 = v128.load(f, 32);
    const s10 = v128.load(f, 48);
    const s11 = v128.load(f, 64);
    const s12 = v128.load(f, 80);
    const s20 = v128.load(f, 96);
    const s21 = v128.load(f, 112);
    const s22 = v128.load(f, 128);
    v128.store(step, mul(half, sub(k0, dot(s00, s10, s20, s00, s10, s20))));
    v128.store(step, mul(half, sub(k1, dot(s01, s11, s21, s01, s11, s21))), 16);
    v128.store(step, mul(half, sub(k2, dot(s02, s12, s22, s02, s12, s22))), 32);
    v128.store(step, mul(half, sub(k3, dot(s00, s10, s20, s01, s11, s21))), 48);
    v128.store(step, mul(half, sub(k4, dot(s01, s11, s21, s02, s12, s22))), 64);
    v128.store(step, mul(half, sub(k5, dot(s02, s12, s22, s00, s10, s20))), 80);
    damp(q, kk, step, mul(volume, both(viscosity)), mu, isLogarithmic ? bulk : bulk - mu);
    base0 = add(base0, v128.load(step, 96));
    base1 = add(base1, v128.load(step, 112));
    base2 = add(base2, v128.load(step, 128));
    base3 = add(base3, v128.load(step, 144));
    base4 = add(base4, v128.load(step, 160));
    base5 = add(base5, v128.load(step, 176));
  }
  lift(q, 1e-11);

  // J − 1 without cancellation, see `determinantExcess`
  const a = mul(two, e0);
  const b = mul(two, e1);
  const c = mul(two, e2);
  const minors = sub(add(add(mul(a, b), mul(b, c)), mul(c, a)), add(add(mul(k3, k3), mul(k4, k4)), mul(k5, k5)));
  let excess = add(add(add(add(a, b), c), minors), mul(mul(a, b), c));
  excess = add(excess, mul(two, mul(mul(k3, k4), k5)));
  excess = sub(excess, add(add(mul(mul(a, k4), k4), mul(mul(b, k5), k5)), mul(mul(c, k3), k3)));
  const near = div(excess, add(one, f64x2.sqrt(add(one, excess))));
  const j = v128.bitselect(near, sub(jacobian, one), f64x2.lt(f64x2.abs(excess), half));
  let log = none;
  if (isLogarithmic) log = logarithms(j);

  // J f'(J) + µ, and d/d ln J of J f'(J)
  const lambda = both(bulk);
  const mus = both(mu);
  const jOne = add(one, j);
  const pressure = isLogarithmic ? mul(lambda, log) : mul(j, sub(mul(lambda, jOne), mus));
  const curvature = isLogarithmic ? lambda : mul(sub(mul(lambda, add(jOne, j)), mus), jOne);
  const push = mul(volume, pressure);
  const g0 = add(base0, mul(push, m0));
  const g1 = add(base1, mul(push, m1));
  const g2 = add(base2, mul(push, m2));
  const g3 = add(base3, mul(push, m3));
  const g4 = add(base4, mul(push, m4));
  const g5 = add(base5, mul(push, m5));
  kronecker(kk, m0, m1, m2, m3, m4, m5, m0, m1, m2, m3, m4, m5);
  const isDefinite = newtonStep(
    step,
    q,
    kk,
    mul(volume, sub(mus, pressure)),
    mul(volume, curvature),
    m0,
    m1,
    m2,
    m3,
    m4,
    m5,
    g0,
    g1,
    g2,
    g3,
    g4,
    g5,
  );
  solved = v128.and(solved, isDefinite);
  let s0 = v128.load(step);
  let s1 = v128.load(step, 16);
  let s2 = v128.load(step, 32);
  let s3 = v128.load(step, 48);
  let s4 = v128.load(step, 64);
  let s5 = v128.load(step, 80);
  let slope = add(dot(g0, g1, g2, s0, s1, s2), dot(g3, g4, g5, s3, s4, s5));
  const moves = f64x2.lt(slope, mul(both(-1e-24), vmu));
  s0 = v128.and(s0, moves);
  s1 = v128.and(s1, moves);
  s2 = v128.and(s2, moves);
  s3 = v128.and(s3, moves);
  s4 = v128.and(s4, moves);
  s5 = v128.and(s5, moves);
  slope = v128.and(slope, moves);

  // φ(Λ) − φ(0)
  const h3 = mul(half, s3);
  const h4 = mul(half, s4);
  const h5 = mul(half, s5);
  const y00 = dot(s0, h3, h5, m0, m3, m5);
  const y01 = dot(s0, h3, h5, m3, m1, m4);
  const y02 = dot(s0, h3, h5, m5, m4, m2);
  const y10 = dot(h3, s1, h4, m0, m3, m5);
  const y11 = dot(h3, s1, h4, m3, m1, m4);
  const y12 = dot(h3, s1, h4, m5, m4, m2);
  const y20 = dot(h5, h4, s2, m0, m3, m5);
  const y21 = dot(h5, h4, s2, m3, m1, m4);
  const y22 = dot(h5, h4, s2, m5, m4, m2);
  const first = add(add(y00, y11), y22);
  const x01 = sub(mul(y00, y11), mul(y01, y10));
  const x12 = sub(mul(y11, y22), mul(y12, y21));
  const x20 = sub(mul(y22, y00), mul(y20, y02));
  const cubic = add(
    sub(mul(y00, x12), mul(y01, sub(mul(y10, y22), mul(y12, y20)))),
    mul(y02, sub(mul(y10, y21), mul(y11, y20))),
  );
  const higher = add(add(add(x01, x12), x20), cubic);
  const delta = add(first, higher);
  solved = v128.and(solved, f64x2.gt(delta, both(-1)));
  let value = add(dot(base0, base1, base2, s0, s1, s2), dot(base3, base4, base5, s3, s4, s5));
  value = add(value, form(q, s0, s1, s2, s3, s4, s5));
  let gain: v128;
  let rise: v128;
  if (isLogarithmic) {
    gain = logarithms(delta);
    rise = add(mul(mus, sub(first, gain)), mul(mul(half, lambda), mul(gain, add(mul(two, log), gain))));
  } else {
    gain = mul(jOne, delta);
    rise = sub(mul(mul(half, lambda), mul(gain, add(mul(two, j), gain))), mul(mus, add(higher, mul(j, delta))));
  }
  value = add(value, mul(volume, rise));
  solved = v128.and(solved, f64x2.le(value, mul(both(1e-4), slope)));

  // Δdₐ = wₐ F Λ gₐ (18)
  const l00 = dot(f00, f01, f02, s0, h3, h5);
  const l01 = dot(f00, f01, f02, h3, s1, h4);
  const l02 = dot(f00, f01, f02, h5, h4, s2);
  const l10 = dot(f10, f11, f12, s0, h3, h5);
  const l11 = dot(f10, f11, f12, h3, s1, h4);
  const l12 = dot(f10, f11, f12, h5, h4, s2);
  const l20 = dot(f20, f21, f22, s0, h3, h5);
  const l21 = dot(f20, f21, f22, h3, s1, h4);
  const l22 = dot(f20, f21, f22, h5, h4, s2);
  for (let at: usize = 0; at < 4; at++) {
    const wa = at === 0 ? w0 : at === 1 ? w1 : at === 2 ? w2 : w3;
    const gx = v128.load(g + 48 * at);
    const gy = v128.load(g + 48 * at, 16);
    const gz = v128.load(g + 48 * at, 32);
    v128.store(scratch + 48 * at, mul(wa, dot(l00, l01, l02, gx, gy, gz)));
    v128.store(scratch + 48 * at, mul(wa, dot(l10, l11, l12, gx, gy, gz)), 16);
    v128.store(scratch + 48 * at, mul(wa, dot(l20, l21, l22, gx, gy, gz)), 32);
  }
  return v128.bitmask<i64>(solved);
}

/** ln(1 + x) of two numbers. */
function logarithms(x: v128): v128 {
  const first = NativeMath.log1p(f64x2.extract_lane(x, 0));
  return f64x2.replace_lane(f64x2.splat(first), 1, NativeMath.log1p(f64x2.extract_lane(x, 1)));
}

/** Column i of a symmetric matrix in row r. */
function at(gram: usize, r: usize, i: usize): v128 {
  return r < i ? entry(gram, (i * (i + 1)) / 2 + r) : entry(gram, (r * (r + 1)) / 2 + i);
}

/**
 * Kelvin-Voigt damping, see `addDamping` in neo-hookean-solve.ts.
 *
 * @param q Q: changed
 * @param gram S W Sᵀ
 * @param strain six vectors; six more follow them, which are what the base gets: changed
 */
function damp(q: usize, gram: usize, strain: usize, viscosity: v128, mu: f64, lame: f64): void {
  const soft = both(2 * mu);
  const shear = both(4 * mu);
  for (let r: usize = 0; r < 6; r++) {
    const bulk = mul(both(lame), add(add(at(gram, r, 0), at(gram, r, 1)), at(gram, r, 2)));
    let base = both(0);
    for (let i: usize = 0; i < 6; i++) {
      const own = at(gram, r, i);
      const h = mul(viscosity, i < 3 ? add(mul(soft, own), bulk) : mul(shear, own));
      base = add(base, mul(h, v128.load(strain + 16 * i)));
      for (let c: usize = 0; c <= r; c++) {
        const to = q + 16 * ((r * (r + 1)) / 2 + c);
        v128.store(to, add(v128.load(to), mul(h, at(gram, i, c))));
      }
    }
    v128.store(strain + 16 * r, base, 96);
  }
}
