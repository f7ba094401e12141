import { add, both, dot, joined, mul, numbers, pair, sub } from "./lanes";

/**
 * Elements of four vertices, and points of quadratic ones of ten: what the solve needs of them, and what it moves.
 *
 * Places in the scratch memory, in bytes; vectors have a number of each of the elements. The vectors of vertices come first.
 */
const RESULT: usize = 0;
/** gₐ, three vectors a vertex */
const GRADIENTS: usize = 480;
const WEIGHTS: usize = 960;
/** F, by rows */
export const DEFORMATION: usize = 1120;
/** M, see neo-hookean-solve.ts */
export const MASSES: usize = 1264;
/** Σ dₐ gₐᵀ of the tracked displacements, by rows */
export const TRACKED: usize = 1360;
/** change of F in the time step, by rows */
export const CHANGE: usize = 1504;
export const VOLUME: usize = 1648;
/** FΛ of the solution, by rows */
export const MOVED: usize = 1664;
/** the first place that is free */
export const FREE: usize = 1808;

/** Place of a vertex' entry in a list with so many bytes a particle; `corner` is the place of its number. */
function place(list: usize, bytes: usize, corner: usize): usize {
  return list + bytes * <usize>load<u32>(corner);
}

/** A coordinate of a vertex of two elements beside the first vertex, in f64. */
function side(x: usize, c0: usize, c1: usize, at: usize): v128 {
  const corner = pair(place(x, 24, c0 + at), place(x, 24, c1 + at));
  return f64x2.sub(corner, pair(place(x, 24, c0), place(x, 24, c1)));
}

/** The same of all elements; less that at x₀, where there is one. */
function sides<T>(x: usize, x0: usize, c0: usize, c1: usize, c2: usize, c3: usize, at: usize): v128 {
  let low = side(x, c0, c1, at);
  if (x0 !== 0) low = f64x2.sub(low, side(x0, c0, c1, at));
  if (sizeof<T>() === 8) return low;
  let high = side(x, c2, c3, at);
  if (x0 !== 0) high = f64x2.sub(high, side(x0, c2, c3, at));
  return joined<T>(low, high);
}

/** Rows of Σ (xₐ − x₁) gₐᵀ; less that at x₀, where there is one. */
function spread<T>(
  to: usize,
  g: usize,
  nodes: usize,
  x: usize,
  x0: usize,
  c0: usize,
  c1: usize,
  c2: usize,
  c3: usize,
): void {
  for (let i: usize = 0; i < 24; i += 8) {
    const from = x0 === 0 ? 0 : x0 + i;
    let sum0 = both<T>(0);
    let sum1 = sum0;
    let sum2 = sum0;
    for (let a: usize = 1; a < nodes; a++) {
      const way = sides<T>(x + i, from, c0, c1, c2, c3, 4 * a);
      const at = g + 48 * a;
      sum0 = add<T>(sum0, mul<T>(way, v128.load(at)));
      sum1 = add<T>(sum1, mul<T>(way, v128.load(at, 16)));
      sum2 = add<T>(sum2, mul<T>(way, v128.load(at, 32)));
    }
    const row = to + 6 * i;
    v128.store(row, sum0);
    v128.store(row, sum1, 16);
    v128.store(row, sum2, 32);
  }
}

/**
 * Fills the scratch memory. The places are those of the vertices, rest data and tracked displacements of each element.
 *
 * @param nodes vertices of an element
 * @param x0 0 where nothing is damped
 * @returns all bits of an element set that f32 does not spoil
 */
export function gather<T>(
  nodes: usize,
  c0: usize,
  c1: usize,
  c2: usize,
  c3: usize,
  r0: usize,
  r1: usize,
  r2: usize,
  r3: usize,
  t0: usize,
  t1: usize,
  t2: usize,
  t3: usize,
  x: usize,
  x0: usize,
  w: usize,
  scratch: usize,
): v128 {
  const g = scratch + GRADIENTS;
  const none = both<T>(0);
  let g0 = none;
  let g1 = none;
  let g2 = none;
  const end: usize = 24 * (nodes - 1);
  for (let i: usize = 0; i < end; i += 24) {
    const to = g + 48 + 2 * i;
    const gx = numbers<T>(r0 + i, r1 + i, r2 + i, r3 + i);
    const gy = numbers<T>(r0 + i + 8, r1 + i + 8, r2 + i + 8, r3 + i + 8);
    const gz = numbers<T>(r0 + i + 16, r1 + i + 16, r2 + i + 16, r3 + i + 16);
    v128.store(to, gx);
    v128.store(to, gy, 16);
    v128.store(to, gz, 32);
    g0 = sub<T>(g0, gx);
    g1 = sub<T>(g1, gy);
    g2 = sub<T>(g2, gz);
  }
  v128.store(g, g0);
  v128.store(g, g1, 16);
  v128.store(g, g2, 32);
  v128.store(scratch + VOLUME, numbers<T>(r0 + end, r1 + end, r2 + end, r3 + end));
  spread<T>(scratch + DEFORMATION, g, nodes, x, 0, c0, c1, c2, c3);
  if (x0 !== 0) spread<T>(scratch + CHANGE, g, nodes, x, x0, c0, c1, c2, c3);

  let m0 = none;
  let m1 = none;
  let m2 = none;
  let m3 = none;
  let m4 = none;
  let m5 = none;
  let least = both<T>(Infinity);
  let most = none;
  for (let a: usize = 0; a < nodes; a++) {
    const at = 4 * a;
    const wa = numbers<T>(place(w, 8, c0 + at), place(w, 8, c1 + at), place(w, 8, c2 + at), place(w, 8, c3 + at));
    v128.store(scratch + WEIGHTS + 16 * a, wa);
    least = v128.min<T>(least, wa);
    most = v128.max<T>(most, wa);
    const gx = v128.load(g + 48 * a);
    const gy = v128.load(g + 48 * a, 16);
    const gz = v128.load(g + 48 * a, 32);
    const wx = mul<T>(wa, gx);
    const wy = mul<T>(wa, gy);
    const wz = mul<T>(wa, gz);
    m0 = add<T>(m0, mul<T>(wx, gx));
    m1 = add<T>(m1, mul<T>(wy, gy));
    m2 = add<T>(m2, mul<T>(wz, gz));
    m3 = add<T>(m3, mul<T>(wx, gy));
    m4 = add<T>(m4, mul<T>(wy, gz));
    m5 = add<T>(m5, mul<T>(wz, gx));
  }
  const m = scratch + MASSES;
  v128.store(m, m0);
  v128.store(m, m1, 16);
  v128.store(m, m2, 32);
  v128.store(m, m3, 48);
  v128.store(m, m4, 64);
  v128.store(m, m5, 80);

  for (let i: usize = 0; i < 24; i += 8) {
    let sum0 = none;
    let sum1 = none;
    let sum2 = none;
    for (let a: usize = 0; a < nodes; a++) {
      const from = 24 * a + i;
      const d = numbers<T>(t0 + from, t1 + from, t2 + from, t3 + from);
      sum0 = add<T>(sum0, mul<T>(d, v128.load(g + 48 * a)));
      sum1 = add<T>(sum1, mul<T>(d, v128.load(g + 48 * a, 16)));
      sum2 = add<T>(sum2, mul<T>(d, v128.load(g + 48 * a, 32)));
    }
    const row = scratch + TRACKED + 6 * i;
    v128.store(row, sum0);
    v128.store(row, sum1, 16);
    v128.store(row, sum2, 32);
  }
  // Pinned vertices leave directions that move nothing, in which f32 sees no more than rounding.
  if (sizeof<T>() === 8) return v128.eq<T>(none, none);
  return v128.gt<T>(least, mul<T>(both<T>(1e-3), most));
}

/** Δdₐ = wₐ F Λ gₐ (18) of all vertices, three vectors each; in f32 the impulses, from which W makes displacements in f64. */
export function scatter<T>(nodes: usize, scratch: usize): void {
  const l = scratch + MOVED;
  for (let a: usize = 0; a < nodes; a++) {
    const wa = sizeof<T>() === 4 ? both<T>(1) : v128.load(scratch + WEIGHTS + 16 * a);
    const g = scratch + GRADIENTS + 48 * a;
    const gx = mul<T>(wa, v128.load(g));
    const gy = mul<T>(wa, v128.load(g, 16));
    const gz = mul<T>(wa, v128.load(g, 32));
    const to = scratch + RESULT + 48 * a;
    v128.store(to, dot<T>(v128.load(l), v128.load(l, 16), v128.load(l, 32), gx, gy, gz));
    v128.store(to, dot<T>(v128.load(l, 48), v128.load(l, 64), v128.load(l, 80), gx, gy, gz), 16);
    v128.store(to, dot<T>(v128.load(l, 96), v128.load(l, 112), v128.load(l, 128), gx, gy, gz), 32);
  }
}

/**
 * Adds a displacement to the positions and to dᵢ. Impulses in f32 add up to nothing, as that at the first vertex is what the others leave.
 *
 * @param found the scratch memory, at the number of the element
 */
export function move<T>(
  nodes: usize,
  corners: usize,
  tracked: usize,
  x: usize,
  w: usize,
  share: f64,
  found: usize,
): void {
  for (let c: usize = 0; c < 24; c += 8) {
    let rest: f64 = 0;
    for (let a: usize = nodes; a-- > 0;) {
      const p = <usize>load<u32>(corners + 4 * a);
      let delta = share * <f64>load<T>(found + RESULT + 48 * a + 2 * c);
      if (sizeof<T>() === 4) {
        delta = a > 0 ? delta : rest;
        rest -= delta;
        delta *= load<f64>(w + 8 * p);
      }
      const to = x + 24 * p + c;
      store<f64>(to, load<f64>(to) + delta);
      store<f64>(tracked + 24 * a + c, load<f64>(tracked + 24 * a + c) + delta);
    }
  }
}
