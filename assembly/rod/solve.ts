import { add, both, div, dot, mul, numbers, sub } from "./lanes";
import { derive, ROW, strains } from "./turn";

// Places in the scratch, 16 bytes an entry.

/** coordinates, those at the start of the step, and those moved: eleven each, after the displacements */
const X: usize = 176;
const START: usize = 352;
const MOVED: usize = 528;
/** rest data and two frames */
const REST: usize = 704;
/** W of particles and turns, and dᵢ */
const W: usize = 944;
const TRACKED: usize = 1024;
/** of `strains` */
const WORK: usize = 1200;
const ROWS: usize = 1392;
const S: usize = 1680;
const S0: usize = 1728;
const JACOBIAN: usize = 1776;
const WEIGHTED: usize = 2304;

/** Numbers of each joint's list of three particles or two edges. */
function ofList(list: usize, bytes: usize, c0: usize, c1: usize, at: usize): v128 {
  return numbers(list + bytes * <usize>load<u32>(c0 + at), list + bytes * <usize>load<u32>(c1 + at));
}

/** Σ of products of rows i and j of eleven numbers. */
function product(a: usize, b: usize): v128 {
  let sum = mul(v128.load(a), v128.load(b));
  for (let c: usize = 16; c < ROW; c += 16) sum = add(sum, mul(v128.load(a + c), v128.load(b + c)));
  return sum;
}

/** ψ with the damping potential. */
function potential(scratch: usize, viscosity: v128): v128 {
  const a = v128.load(scratch, S);
  const b = v128.load(scratch, S + 16);
  const c = v128.load(scratch, S + 32);
  const da = sub(a, v128.load(scratch, S0));
  const db = sub(b, v128.load(scratch, S0 + 16));
  const dc = sub(c, v128.load(scratch, S0 + 32));
  return mul(both(0.5), add(dot(a, b, c, a, b, c), mul(viscosity, dot(da, db, dc, da, db, dc))));
}

/** Displacements of two joints, eleven vectors at `scratch`. @returns a bit for each that is solved */
export function solve(
  p0: usize,
  p1: usize,
  e0: usize,
  e1: usize,
  r0: usize,
  r1: usize,
  t0: usize,
  t1: usize,
  a0: usize,
  a1: usize,
  x: usize,
  x0: usize,
  w: usize,
  frames: usize,
  turns: usize,
  wTurns: usize,
  viscosity: f64,
  scratch: usize,
): i32 {
  for (let a: usize = 0; a < 3; a++) {
    v128.store(scratch + 16 * a, ofList(w, 8, p0, p1, 4 * a), W);
    for (let c: usize = 0; c < 3; c++) {
      const to = scratch + 48 * a + 16 * c;
      v128.store(to, ofList(x + 8 * c, 24, p0, p1, 4 * a), X);
      v128.store(to, ofList(x0 + 8 * c, 24, p0, p1, 4 * a), START);
      v128.store(to, numbers(t0 + 24 * a + 8 * c, t1 + 24 * a + 8 * c), TRACKED);
    }
  }
  for (let i: usize = 0; i < 7; i++) v128.store(scratch + 16 * i, numbers(r0 + 8 * i, r1 + 8 * i), REST);
  for (let e: usize = 0; e < 2; e++) {
    v128.store(scratch + 16 * e, ofList(wTurns, 8, e0, e1, 4 * e), W + 48);
    v128.store(scratch + 16 * e, ofList(turns, 8, e0, e1, 4 * e), X + 144);
    v128.store(scratch + 16 * e, numbers(a0 + 8 * e, a1 + 8 * e), TRACKED + 144);
    for (let c: usize = 0; c < 4; c++)
      v128.store(scratch + 64 * e + 16 * c, ofList(frames + 8 * c, 32, e0, e1, 4 * e), REST + 112);
  }

  const rest = scratch + REST;
  const work = scratch + WORK;
  const jacobian = scratch + JACOBIAN;
  const weighted = scratch + WEIGHTED;
  let far = both(0);
  if (viscosity > 0) far = strains(scratch + START, rest, work, 0, false, scratch + S0);
  else memory.fill(scratch + S0, 0, 48);
  far = v128.or(far, strains(scratch + X, rest, work, scratch + ROWS, true, scratch + S));
  derive(jacobian, rest, work, scratch + ROWS);
  for (let i: usize = 0; i < 3 * ROW; i += ROW) {
    for (let a: usize = 0; a < 3; a++)
      for (let c: usize = 0; c < 48; c += 16) {
        const at = i + 48 * a + c;
        v128.store(weighted + at, mul(v128.load(scratch + 16 * a, W), v128.load(jacobian + at)));
      }
    v128.store(weighted + i, mul(v128.load(scratch, W + 48), v128.load(jacobian + i, 144)), 144);
    v128.store(weighted + i, mul(v128.load(scratch, W + 64), v128.load(jacobian + i, 160)), 160);
  }
  const g00 = product(weighted, jacobian);
  const g10 = product(weighted + ROW, jacobian);
  const g11 = product(weighted + ROW, jacobian + ROW);
  const g20 = product(weighted + 2 * ROW, jacobian);
  const g21 = product(weighted + 2 * ROW, jacobian + ROW);
  const g22 = product(weighted + 2 * ROW, jacobian + 2 * ROW);
  const b0 = product(jacobian, scratch + TRACKED);
  const b1 = product(jacobian + ROW, scratch + TRACKED);
  const b2 = product(jacobian + 2 * ROW, scratch + TRACKED);
  const trace = add(add(g00, g11), g22);

  // ∇φ = b + G ∇Û
  const v = both(max(0, viscosity));
  const s0 = v128.load(scratch, S);
  const s1 = v128.load(scratch, S + 16);
  const s2 = v128.load(scratch, S + 32);
  const u0 = add(s0, mul(v, sub(s0, v128.load(scratch, S0))));
  const u1 = add(s1, mul(v, sub(s1, v128.load(scratch, S0 + 16))));
  const u2 = add(s2, mul(v, sub(s2, v128.load(scratch, S0 + 32))));
  const n0 = f64x2.neg(add(b0, dot(g00, g10, g20, u0, u1, u2)));
  const n1 = f64x2.neg(add(b1, dot(g10, g11, g21, u0, u1, u2)));
  const n2 = f64x2.neg(add(b2, dot(g20, g21, g22, u0, u1, u2)));

  // −(G + (1 + viscosity) G Gᵀ)⁻¹ ∇φ by L D Lᵀ
  const k = add(both(1), v);
  const f00 = add(mul(k, dot(g00, g10, g20, g00, g10, g20)), g00);
  const f11 = add(mul(k, dot(g10, g11, g21, g10, g11, g21)), g11);
  const f22 = add(mul(k, dot(g20, g21, g22, g20, g21, g22)), g22);
  const f10 = add(mul(k, dot(g10, g11, g21, g00, g10, g20)), g10);
  const f20 = add(mul(k, dot(g20, g21, g22, g00, g10, g20)), g20);
  const f21 = add(mul(k, dot(g20, g21, g22, g10, g11, g21)), g21);
  // Pinned particles leave directions that move nothing.
  const shift = mul(both(1e-12), add(add(add(f00, f11), f22), trace));
  const d0 = add(f00, shift);
  const l10 = div(f10, d0);
  const l20 = div(f20, d0);
  const d1 = sub(add(f11, shift), mul(l10, f10));
  const m21 = sub(f21, mul(l20, f10));
  const l21 = div(m21, d1);
  const d2 = sub(sub(add(f22, shift), mul(l20, f20)), mul(l21, m21));
  const none = both(0);
  const y1 = sub(n1, mul(l10, n0));
  const y2 = sub(sub(n2, mul(l20, n0)), mul(l21, y1));
  const z2 = div(y2, d2);
  const z1 = sub(div(y1, d1), mul(l21, z2));
  const z0 = sub(sub(div(n0, d0), mul(l10, z1)), mul(l20, z2));
  far = v128.or(far, v128.not(v128.and(v128.and(f64x2.gt(d0, none), f64x2.gt(d1, none)), f64x2.gt(d2, none))));
  const slope = f64x2.neg(dot(n0, n1, n2, z0, z1, z2));

  const objective = potential(scratch, v);
  for (let c: usize = 0; c < ROW; c += 16) {
    const at = weighted + c;
    const d = dot(v128.load(at), v128.load(at, ROW), v128.load(at, 2 * ROW), z0, z1, z2);
    v128.store(scratch + c, d);
    v128.store(scratch + c, add(v128.load(scratch + c, X), d), MOVED);
  }
  far = v128.or(far, strains(scratch + MOVED, rest, work, 0, true, scratch + S));
  const gz0 = dot(g00, g10, g20, z0, z1, z2);
  const gz1 = dot(g10, g11, g21, z0, z1, z2);
  const gz2 = dot(g20, g21, g22, z0, z1, z2);
  const inertia = add(dot(b0, b1, b2, z0, z1, z2), mul(both(0.5), dot(gz0, gz1, gz2, z0, z1, z2)));
  const value = add(inertia, potential(scratch, v));
  const most = add(add(objective, mul(both(1e-4), slope)), mul(both(1e-14), f64x2.abs(objective)));
  const isAccepted = v128.and(f64x2.le(value, most), f64x2.lt(slope, none));
  return i64x2.bitmask(v128.andnot(isAccepted, far));
}
