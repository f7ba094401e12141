import { RECORD, add, addTo, dot, first, high, low, mul, second, sub } from "./vectors";

/**
 * Adds lift and drag of the air to the accelerations of the corners of faces, four faces at a time: `faceAirAcceleration` of
 * src/solvers/air.ts has the formula.
 *
 * @param faces blocks of four faces: places of records of their corners
 * @param v velocities, `a` sums of accelerations, four numbers a particle
 * @param wx wind [m/s]
 * @param k half the density of the air over the areal mass [1/m]
 */
export function blow(
  faces: usize,
  faceEnd: usize,
  v: usize,
  a: usize,
  wx: f32,
  wy: f32,
  wz: f32,
  k: f32,
  drag: f32,
  lift: f32,
  interval: f32,
): void {
  const none = f32x4.splat(0);
  const third = f32x4.splat(1 / 3);
  for (let f = faces; f !== faceEnd; f += 48) {
    let p = edge(f, 16);
    let q = edge(f + 4, 16);
    let r = edge(f + 8, 16);
    let s = edge(f + 12, 16);
    let pq = low(p, q);
    let rs = low(r, s);
    const e1x = first(pq, rs);
    const e1y = second(pq, rs);
    const e1z = first(high(p, q), high(r, s));
    p = edge(f, 32);
    q = edge(f + 4, 32);
    r = edge(f + 8, 32);
    s = edge(f + 12, 32);
    pq = low(p, q);
    rs = low(r, s);
    const e2x = first(pq, rs);
    const e2y = second(pq, rs);
    const e2z = first(high(p, q), high(r, s));
    p = speeds(f, v);
    q = speeds(f + 4, v);
    r = speeds(f + 8, v);
    s = speeds(f + 12, v);
    pq = low(p, q);
    rs = low(r, s);
    const ux = sub(f32x4.splat(wx), mul(third, first(pq, rs)));
    const uy = sub(f32x4.splat(wy), mul(third, second(pq, rs)));
    const uz = sub(f32x4.splat(wz), mul(third, first(high(p, q), high(r, s))));
    const nx = sub(mul(e1y, e2z), mul(e1z, e2y));
    const ny = sub(mul(e1z, e2x), mul(e1x, e2z));
    const nz = sub(mul(e1x, e2y), mul(e1y, e2x));
    const area = f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz));
    const speed = f32x4.sqrt(dot(ux, uy, uz, ux, uy, uz));
    const isFelt = v128.and(f32x4.gt(area, none), f32x4.gt(speed, none));
    const across = f32x4.div(dot(nx, ny, nz, ux, uy, uz), area);
    const normal = f32x4.abs(across);
    const rate = mul(f32x4.splat(k), normal);
    const damped = f32x4.div(rate, add(f32x4.splat(1), mul(rate, f32x4.splat(interval * (drag + lift)))));
    const along = mul(damped, sub(f32x4.splat(drag), f32x4.div(mul(f32x4.splat(lift), normal), speed)));
    // The normal on the lee side.
    const size = f32x4.div(mul(damped, mul(f32x4.splat(lift), speed)), area);
    const side = v128.bitselect(f32x4.neg(size), size, f32x4.lt(across, none));
    const x = v128.and(isFelt, add(mul(along, ux), mul(side, nx)));
    const y = v128.and(isFelt, add(mul(along, uy), mul(side, ny)));
    const z = v128.and(isFelt, add(mul(along, uz), mul(side, nz)));
    const xy = low(x, y);
    const zn = low(z, none);
    toCorners(f, a, first(xy, zn));
    toCorners(f + 4, a, second(xy, zn));
    const xy2 = high(x, y);
    const zn2 = high(z, none);
    toCorners(f + 8, a, first(xy2, zn2));
    toCorners(f + 12, a, second(xy2, zn2));
  }
}

/** From sums over faces to accelerations: their means, by one over the number of faces of each particle, and gravity. */
export function weigh(end: usize, a: usize, shares: usize, gx: f32, gy: f32, gz: f32): void {
  const gravity = f32x4(gx, gy, gz, 0);
  for (let p: usize = 0; p !== end; p += RECORD) {
    v128.store(a, add(gravity, mul(v128.load32_splat(shares), v128.load(a))));
    a += 16;
    shares += 4;
  }
}

/** From the first corner of a face to another one. */
function edge(face: usize, corner: usize): v128 {
  return sub(v128.load(<usize>load<u32>(face + corner)), v128.load(<usize>load<u32>(face)));
}

/** Sum of the velocities of its corners. */
function speeds(face: usize, v: usize): v128 {
  const sum = add(v128.load(v + <usize>load<u32>(face) / 2), v128.load(v + <usize>load<u32>(face, 16) / 2));
  return add(sum, v128.load(v + <usize>load<u32>(face, 32) / 2));
}

function toCorners(face: usize, a: usize, value: v128): void {
  addTo(a + <usize>load<u32>(face) / 2, value);
  addTo(a + <usize>load<u32>(face, 16) / 2, value);
  addTo(a + <usize>load<u32>(face, 32) / 2, value);
}
