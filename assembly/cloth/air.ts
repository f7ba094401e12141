import { add, addTo, dot, first, high, low, mul, second, sub } from "./vectors";

/**
 * Adds lift and drag of the air to the accelerations of the corners of faces: `faceAirAcceleration` of src/solvers/air.ts has the formula.
 *
 * @param faces blocks of four faces: places of records of their corners
 * @param v velocities, `a` accelerations, four numbers a particle; `shares` one over the number of its faces
 * @param wx wind [m/s]
 * @param k half the density of the air over the areal mass [1/m]
 */
export function blow(
  faces: usize,
  faceEnd: usize,
  v: usize,
  a: usize,
  shares: usize,
  wx: f32,
  wy: f32,
  wz: f32,
  k: f32,
  drag: f32,
  lift: f32,
  interval: f32,
): void {
  const wind = f32x4(wx, wy, wz, 0);
  const none = f32x4.splat(0);
  const both = f32x4.splat(drag + lift);
  for (let f = faces; f !== faceEnd; f += 48) {
    const d0 = side(f, 16);
    const d1 = side(f + 4, 16);
    const d2 = side(f + 8, 16);
    const d3 = side(f + 12, 16);
    const e0 = side(f, 32);
    const e1 = side(f + 4, 32);
    const e2 = side(f + 8, 32);
    const e3 = side(f + 12, 32);
    const u0 = beside(f, v, wind);
    const u1 = beside(f + 4, v, wind);
    const u2 = beside(f + 8, v, wind);
    const u3 = beside(f + 12, v, wind);
    let g = low(d0, d1);
    let h = low(d2, d3);
    const dx = first(g, h);
    const dy = second(g, h);
    const dz = first(high(d0, d1), high(d2, d3));
    g = low(e0, e1);
    h = low(e2, e3);
    const ex = first(g, h);
    const ey = second(g, h);
    const ez = first(high(e0, e1), high(e2, e3));
    g = low(u0, u1);
    h = low(u2, u3);
    const ux = first(g, h);
    const uy = second(g, h);
    const uz = first(high(u0, u1), high(u2, u3));
    const nx = sub(mul(dy, ez), mul(dz, ey));
    const ny = sub(mul(dz, ex), mul(dx, ez));
    const nz = sub(mul(dx, ey), mul(dy, ex));
    const area = f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz));
    const speed = f32x4.sqrt(dot(ux, uy, uz, ux, uy, uz));
    const blows = v128.and(f32x4.gt(area, none), f32x4.gt(speed, none));
    if (!v128.any_true(blows)) continue;
    const across = f32x4.div(dot(nx, ny, nz, ux, uy, uz), area);
    const normal = f32x4.abs(across);
    const rate = mul(f32x4.splat(k), normal);
    const damped = f32x4.div(rate, add(f32x4.splat(1), mul(mul(f32x4.splat(interval), rate), both)));
    // The normal on the lee side.
    const size = f32x4.div(mul(mul(damped, f32x4.splat(lift)), speed), area);
    const lee = v128.and(blows, v128.or(size, v128.and(across, f32x4.splat(-0.0))));
    const slowed = f32x4.div(mul(f32x4.splat(lift), normal), speed);
    const along = v128.and(blows, mul(damped, sub(f32x4.splat(drag), slowed)));
    const fx = add(mul(along, ux), mul(lee, nx));
    const fy = add(mul(along, uy), mul(lee, ny));
    const fz = add(mul(along, uz), mul(lee, nz));
    g = low(fx, fy);
    h = low(fz, none);
    push(a, shares, f, first(g, h));
    push(a, shares, f + 4, second(g, h));
    g = high(fx, fy);
    h = high(fz, none);
    push(a, shares, f + 8, first(g, h));
    push(a, shares, f + 12, second(g, h));
  }
}

/** From the first corner of a face to another. */
function side(f: usize, to: usize): v128 {
  return sub(v128.load(<usize>load<u32>(f + to)), v128.load(<usize>load<u32>(f)));
}

/** The wind beside a face. */
function beside(f: usize, v: usize, wind: v128): v128 {
  let sum = v128.load(v + <usize>load<u32>(f) / 2);
  for (let i: usize = 16; i < 48; i += 16) sum = add(sum, v128.load(v + <usize>load<u32>(f + i) / 2));
  return sub(wind, mul(f32x4.splat(1 / 3), sum));
}

/** Corners of a face take the mean over their faces. */
function push(a: usize, shares: usize, f: usize, force: v128): void {
  for (let i: usize = 0; i < 48; i += 16) {
    const p = <usize>load<u32>(f + i);
    addTo(a + p / 2, mul(v128.load32_splat(shares + p / 8), force));
  }
}
