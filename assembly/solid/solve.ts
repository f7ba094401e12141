import { CHANGE, DEFORMATION, FREE, MASSES, MOVED, TRACKED, VOLUME } from "./gather";
import { add, both, div, dot, more, mul, sub } from "./lanes";
import { entry, form, kronecker, lift, MATRIX, newtonStep } from "./six";

/** No principal stretch is left below this, see untangle.ts. */
const SMALLEST: f64 = 0.02;
/** The same in f32: flatter elements lose so many digits that they turn inside out. */
const SMALLEST_SINGLE: f64 = 0.2;

/**
 * Solves some elements, in f64 two: takes what `gather` finds, and leaves FΛ.
 *
 * @param isCold see `ElementScratch`
 * @returns all bits of an element set that is solved
 */
export function solve<T>(scratch: usize, mu: f64, bulk: f64, viscosity: f64, isCold: i32, isLogarithmic: i32): v128 {
  const one = both<T>(1);
  const half = both<T>(0.5);
  const none = both<T>(0);
  const q = scratch + FREE;
  const kk = q + MATRIX;
  const step = kk + MATRIX;
  const volume = v128.load(scratch + VOLUME);
  const f = scratch + DEFORMATION;
  const f00 = v128.load(f);
  const f01 = v128.load(f, 16);
  const f02 = v128.load(f, 32);
  const f10 = v128.load(f, 48);
  const f11 = v128.load(f, 64);
  const f12 = v128.load(f, 80);
  const f20 = v128.load(f, 96);
  const f21 = v128.load(f, 112);
  const f22 = v128.load(f, 128);
  const jacobian = more<T>(
    sub<T>(
      mul<T>(f00, sub<T>(mul<T>(f11, f22), mul<T>(f12, f21))),
      mul<T>(f01, sub<T>(mul<T>(f10, f22), mul<T>(f12, f20))),
    ),
    f02,
    sub<T>(mul<T>(f10, f21), mul<T>(f11, f20)),
  );

  // C, E
  const k0 = dot<T>(f00, f10, f20, f00, f10, f20);
  const k1 = dot<T>(f01, f11, f21, f01, f11, f21);
  const k2 = dot<T>(f02, f12, f22, f02, f12, f22);
  const k3 = dot<T>(f00, f10, f20, f01, f11, f21);
  const k4 = dot<T>(f01, f11, f21, f02, f12, f22);
  const k5 = dot<T>(f02, f12, f22, f00, f10, f20);
  const e0 = mul<T>(half, sub<T>(k0, one));
  const e1 = mul<T>(half, sub<T>(k1, one));
  const e2 = mul<T>(half, sub<T>(k2, one));
  const e3 = mul<T>(half, k3);
  const e4 = mul<T>(half, k4);
  const e5 = mul<T>(half, k5);
  const squares = add<T>(add<T>(k0, k1), k2);
  const smallest = both<T>(sizeof<T>() === 4 ? SMALLEST_SINGLE : SMALLEST);
  let solved = v128.ge<T>(mul<T>(both<T>(2), jacobian), mul<T>(smallest, squares));
  solved = v128.and(solved, v128.gt<T>(jacobian, none));
  // M, N = M + Vµ M²
  const m = scratch + MASSES;
  const part = both<T>(isCold ? 0.5 : 1);
  const m0 = mul<T>(part, v128.load(m));
  const m1 = mul<T>(part, v128.load(m, 16));
  const m2 = mul<T>(part, v128.load(m, 32));
  const m3 = mul<T>(part, v128.load(m, 48));
  const m4 = mul<T>(part, v128.load(m, 64));
  const m5 = mul<T>(part, v128.load(m, 80));
  solved = v128.and(solved, v128.gt<T>(add<T>(add<T>(m0, m1), m2), none));
  const vmu = mul<T>(volume, both<T>(mu));
  const n0 = add<T>(m0, mul<T>(vmu, dot<T>(m0, m3, m5, m0, m3, m5)));
  const n1 = add<T>(m1, mul<T>(vmu, dot<T>(m3, m1, m4, m3, m1, m4)));
  const n2 = add<T>(m2, mul<T>(vmu, dot<T>(m5, m4, m2, m5, m4, m2)));
  const n3 = add<T>(m3, mul<T>(vmu, dot<T>(m0, m3, m5, m3, m1, m4)));
  const n4 = add<T>(m4, mul<T>(vmu, dot<T>(m3, m1, m4, m5, m4, m2)));
  const n5 = add<T>(m5, mul<T>(vmu, dot<T>(m5, m4, m2, m0, m3, m5)));

  // base = B + 2Vµ sym(EM)
  const t = scratch + TRACKED;
  let d0 = v128.load(t);
  let d1 = v128.load(t, 48);
  let d2 = v128.load(t, 96);
  let base0 = dot<T>(f00, f10, f20, d0, d1, d2);
  let base3 = dot<T>(f01, f11, f21, d0, d1, d2);
  let base5 = dot<T>(f02, f12, f22, d0, d1, d2);
  d0 = v128.load(t, 16);
  d1 = v128.load(t, 64);
  d2 = v128.load(t, 112);
  let base1 = dot<T>(f01, f11, f21, d0, d1, d2);
  base3 = add<T>(base3, dot<T>(f00, f10, f20, d0, d1, d2));
  let base4 = dot<T>(f02, f12, f22, d0, d1, d2);
  d0 = v128.load(t, 32);
  d1 = v128.load(t, 80);
  d2 = v128.load(t, 128);
  let base2 = dot<T>(f02, f12, f22, d0, d1, d2);
  base4 = add<T>(base4, dot<T>(f01, f11, f21, d0, d1, d2));
  base5 = add<T>(base5, dot<T>(f00, f10, f20, d0, d1, d2));
  const two = both<T>(2);
  base0 = add<T>(base0, mul<T>(vmu, mul<T>(two, dot<T>(e0, e3, e5, m0, m3, m5))));
  base1 = add<T>(base1, mul<T>(vmu, mul<T>(two, dot<T>(e3, e1, e4, m3, m1, m4))));
  base2 = add<T>(base2, mul<T>(vmu, mul<T>(two, dot<T>(e5, e4, e2, m5, m4, m2))));
  base3 = add<T>(
    mul<T>(half, base3),
    mul<T>(vmu, add<T>(dot<T>(e0, e3, e5, m3, m1, m4), dot<T>(e3, e1, e4, m0, m3, m5))),
  );
  base4 = add<T>(
    mul<T>(half, base4),
    mul<T>(vmu, add<T>(dot<T>(e3, e1, e4, m5, m4, m2), dot<T>(e5, e4, e2, m3, m1, m4))),
  );
  base5 = add<T>(
    mul<T>(half, base5),
    mul<T>(vmu, add<T>(dot<T>(e5, e4, e2, m0, m3, m5), dot<T>(e0, e3, e5, m5, m4, m2))),
  );

  kronecker<T>(q, k0, k1, k2, k3, k4, k5, n0, n1, n2, n3, n4, n5);
  if (viscosity > 0) {
    kronecker<T>(kk, k0, k1, k2, k3, k4, k5, m0, m1, m2, m3, m4, m5);
    // The change of strain in the time step.
    const s = scratch + CHANGE;
    const s00 = v128.load(s);
    const s01 = v128.load(s, 16);
    const s02 = v128.load(s, 32);
    const s10 = v128.load(s, 48);
    const s11 = v128.load(s, 64);
    const s12 = v128.load(s, 80);
    const s20 = v128.load(s, 96);
    const s21 = v128.load(s, 112);
    const s22 = v128.load(s, 128);
    // F at the middle of the step
    const p00 = sub<T>(f00, mul<T>(half, s00));
    const p01 = sub<T>(f01, mul<T>(half, s01));
    const p02 = sub<T>(f02, mul<T>(half, s02));
    const p10 = sub<T>(f10, mul<T>(half, s10));
    const p11 = sub<T>(f11, mul<T>(half, s11));
    const p12 = sub<T>(f12, mul<T>(half, s12));
    const p20 = sub<T>(f20, mul<T>(half, s20));
    const p21 = sub<T>(f21, mul<T>(half, s21));
    const p22 = sub<T>(f22, mul<T>(half, s22));
    v128.store(step, dot<T>(p00, p10, p20, s00, s10, s20));
    v128.store(step, dot<T>(p01, p11, p21, s01, s11, s21), 16);
    v128.store(step, dot<T>(p02, p12, p22, s02, s12, s22), 32);
    v128.store(
      step,
      mul<T>(half, add<T>(dot<T>(p00, p10, p20, s01, s11, s21), dot<T>(p01, p11, p21, s00, s10, s20))),
      48,
    );
    v128.store(
      step,
      mul<T>(half, add<T>(dot<T>(p01, p11, p21, s02, s12, s22), dot<T>(p02, p12, p22, s01, s11, s21))),
      64,
    );
    v128.store(
      step,
      mul<T>(half, add<T>(dot<T>(p02, p12, p22, s00, s10, s20), dot<T>(p00, p10, p20, s02, s12, s22))),
      80,
    );
    damp<T>(q, kk, step, mul<T>(volume, both<T>(viscosity)), mu, isLogarithmic ? bulk : bulk - mu);
    base0 = add<T>(base0, v128.load(step, 96));
    base1 = add<T>(base1, v128.load(step, 112));
    base2 = add<T>(base2, v128.load(step, 128));
    base3 = add<T>(base3, v128.load(step, 144));
    base4 = add<T>(base4, v128.load(step, 160));
    base5 = add<T>(base5, v128.load(step, 176));
  }
  lift<T>(q, sizeof<T>() === 8 ? 1e-11 : 1e-7);

  // J − 1 without cancellation, see `determinantExcess`
  const a = mul<T>(two, e0);
  const b = mul<T>(two, e1);
  const c = mul<T>(two, e2);
  const minors = sub<T>(
    more<T>(add<T>(mul<T>(a, b), mul<T>(b, c)), c, a),
    more<T>(add<T>(mul<T>(k3, k3), mul<T>(k4, k4)), k5, k5),
  );
  let excess = add<T>(add<T>(add<T>(add<T>(a, b), c), minors), mul<T>(mul<T>(a, b), c));
  excess = add<T>(excess, mul<T>(two, mul<T>(mul<T>(k3, k4), k5)));
  excess = sub<T>(excess, more<T>(add<T>(mul<T>(mul<T>(a, k4), k4), mul<T>(mul<T>(b, k5), k5)), mul<T>(c, k3), k3));
  const near = div<T>(excess, add<T>(one, v128.sqrt<T>(add<T>(one, excess))));
  const j = v128.bitselect(near, sub<T>(jacobian, one), v128.lt<T>(v128.abs<T>(excess), half));
  let log = none;
  if (isLogarithmic) log = logarithms<T>(j);

  // J f'(J) + µ, and d/d ln J of J f'(J)
  const lambda = both<T>(bulk);
  const mus = both<T>(mu);
  const jOne = add<T>(one, j);
  const pressure = isLogarithmic ? mul<T>(lambda, log) : mul<T>(j, sub<T>(mul<T>(lambda, jOne), mus));
  const curvature = isLogarithmic ? lambda : mul<T>(sub<T>(mul<T>(lambda, add<T>(jOne, j)), mus), jOne);
  const push = mul<T>(volume, pressure);
  const g0 = add<T>(base0, mul<T>(push, m0));
  const g1 = add<T>(base1, mul<T>(push, m1));
  const g2 = add<T>(base2, mul<T>(push, m2));
  const g3 = add<T>(base3, mul<T>(push, m3));
  const g4 = add<T>(base4, mul<T>(push, m4));
  const g5 = add<T>(base5, mul<T>(push, m5));
  kronecker<T>(kk, m0, m1, m2, m3, m4, m5, m0, m1, m2, m3, m4, m5);
  const isDefinite = newtonStep<T>(
    step,
    q,
    kk,
    mul<T>(volume, sub<T>(mus, pressure)),
    mul<T>(volume, curvature),
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
  let slope = add<T>(dot<T>(g0, g1, g2, s0, s1, s2), dot<T>(g3, g4, g5, s3, s4, s5));
  const moves = v128.lt<T>(slope, mul<T>(both<T>(-1e-24), vmu));
  s0 = v128.and(s0, moves);
  s1 = v128.and(s1, moves);
  s2 = v128.and(s2, moves);
  s3 = v128.and(s3, moves);
  s4 = v128.and(s4, moves);
  s5 = v128.and(s5, moves);
  slope = v128.and(slope, moves);

  // φ(Λ) − φ(0)
  let h3 = mul<T>(half, s3);
  let h4 = mul<T>(half, s4);
  let h5 = mul<T>(half, s5);
  const y00 = dot<T>(s0, h3, h5, m0, m3, m5);
  const y01 = dot<T>(s0, h3, h5, m3, m1, m4);
  const y02 = dot<T>(s0, h3, h5, m5, m4, m2);
  const y10 = dot<T>(h3, s1, h4, m0, m3, m5);
  const y11 = dot<T>(h3, s1, h4, m3, m1, m4);
  const y12 = dot<T>(h3, s1, h4, m5, m4, m2);
  const y20 = dot<T>(h5, h4, s2, m0, m3, m5);
  const y21 = dot<T>(h5, h4, s2, m3, m1, m4);
  const y22 = dot<T>(h5, h4, s2, m5, m4, m2);
  const first = add<T>(add<T>(y00, y11), y22);
  const x01 = sub<T>(mul<T>(y00, y11), mul<T>(y01, y10));
  const x12 = sub<T>(mul<T>(y11, y22), mul<T>(y12, y21));
  const x20 = sub<T>(mul<T>(y22, y00), mul<T>(y20, y02));
  const cubic = more<T>(
    sub<T>(mul<T>(y00, x12), mul<T>(y01, sub<T>(mul<T>(y10, y22), mul<T>(y12, y20)))),
    y02,
    sub<T>(mul<T>(y10, y21), mul<T>(y11, y20)),
  );
  const minor = add<T>(add<T>(x01, x12), x20);
  const higher = add<T>(minor, cubic);
  const delta = add<T>(first, higher);
  solved = v128.and(solved, v128.gt<T>(delta, both<T>(-1)));
  let value = add<T>(dot<T>(base0, base1, base2, s0, s1, s2), dot<T>(base3, base4, base5, s3, s4, s5));
  value = add<T>(value, form<T>(q, s0, s1, s2, s3, s4, s5));
  let gain: v128;
  let rise: v128;
  if (isLogarithmic) {
    gain = logarithms<T>(delta);
    rise = add<T>(
      mul<T>(mus, sub<T>(first, gain)),
      mul<T>(mul<T>(half, lambda), mul<T>(gain, add<T>(mul<T>(two, log), gain))),
    );
  } else {
    gain = mul<T>(jOne, delta);
    rise = sub<T>(
      mul<T>(mul<T>(half, lambda), mul<T>(gain, add<T>(mul<T>(two, j), gain))),
      mul<T>(mus, more<T>(higher, j, delta)),
    );
  }
  value = add<T>(value, mul<T>(volume, rise));
  solved = v128.and(solved, v128.le<T>(value, mul<T>(both<T>(1e-4), slope)));

  if (isCold) {
    const twice = more<T>(mul<T>(two, first), both<T>(4), more<T>(minor, two, cubic));
    solved = v128.and(solved, v128.gt<T>(twice, both<T>(-1)));
    // tr(C Λ M Λ)
    const straight = dot<T>(
      k0,
      k1,
      k2,
      dot<T>(y00, y01, y02, s0, h3, h5),
      dot<T>(y10, y11, y12, h3, s1, h4),
      dot<T>(y20, y21, y22, h5, h4, s2),
    );
    const aslant = dot<T>(
      k3,
      k4,
      k5,
      dot<T>(y00, y01, y02, h3, s1, h4),
      dot<T>(y10, y11, y12, h5, h4, s2),
      dot<T>(y00, y01, y02, h5, h4, s2),
    );
    const inertia = more<T>(straight, two, aslant);
    const elastic = sub<T>(sub<T>(none, slope), inertia);
    const part = div<T>(add<T>(elastic, inertia), add<T>(elastic, elastic));
    const kept = v128.bitselect(part, one, v128.gt<T>(elastic, inertia));
    s0 = mul<T>(kept, s0);
    s1 = mul<T>(kept, s1);
    s2 = mul<T>(kept, s2);
    h3 = mul<T>(kept, h3);
    h4 = mul<T>(kept, h4);
    h5 = mul<T>(kept, h5);
  }

  // FΛ
  const l = scratch + MOVED;
  v128.store(l, dot<T>(f00, f01, f02, s0, h3, h5));
  v128.store(l, dot<T>(f00, f01, f02, h3, s1, h4), 16);
  v128.store(l, dot<T>(f00, f01, f02, h5, h4, s2), 32);
  v128.store(l, dot<T>(f10, f11, f12, s0, h3, h5), 48);
  v128.store(l, dot<T>(f10, f11, f12, h3, s1, h4), 64);
  v128.store(l, dot<T>(f10, f11, f12, h5, h4, s2), 80);
  v128.store(l, dot<T>(f20, f21, f22, s0, h3, h5), 96);
  v128.store(l, dot<T>(f20, f21, f22, h3, s1, h4), 112);
  v128.store(l, dot<T>(f20, f21, f22, h5, h4, s2), 128);
  return solved;
}

/** ln(1 + x) */
function logarithms<T>(x: v128): v128 {
  if (sizeof<T>() === 8) {
    const first = NativeMath.log1p(f64x2.extract_lane(x, 0));
    return f64x2.replace_lane(f64x2.splat(first), 1, NativeMath.log1p(f64x2.extract_lane(x, 1)));
  }
  let out = f32x4.splat(<f32>NativeMath.log1p(f32x4.extract_lane(x, 0)));
  out = f32x4.replace_lane(out, 1, <f32>NativeMath.log1p(f32x4.extract_lane(x, 1)));
  out = f32x4.replace_lane(out, 2, <f32>NativeMath.log1p(f32x4.extract_lane(x, 2)));
  return f32x4.replace_lane(out, 3, <f32>NativeMath.log1p(f32x4.extract_lane(x, 3)));
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
function damp<T>(q: usize, gram: usize, strain: usize, viscosity: v128, mu: f64, lame: f64): void {
  const soft = both<T>(2 * mu);
  const shear = both<T>(4 * mu);
  for (let r: usize = 0; r < 6; r++) {
    const bulk = mul<T>(both<T>(lame), add<T>(add<T>(at(gram, r, 0), at(gram, r, 1)), at(gram, r, 2)));
    let base = both<T>(0);
    for (let i: usize = 0; i < 6; i++) {
      const own = at(gram, r, i);
      const h = mul<T>(viscosity, i < 3 ? add<T>(mul<T>(soft, own), bulk) : mul<T>(shear, own));
      base = add<T>(base, mul<T>(h, v128.load(strain + 16 * i)));
      for (let c: usize = 0; c <= r; c++) {
        const to = q + 16 * ((r * (r + 1)) / 2 + c);
        v128.store(to, add<T>(v128.load(to), mul<T>(h, at(gram, i, c))));
      }
    }
    v128.store(strain + 16 * r, base, 96);
  }
}
