import { add, addTo, dotOf, mul, sub } from "./vectors";

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
  const third = f32x4.splat(1 / 3);
  for (let f = faces; f !== faceEnd; f += (f & 15) === 12 ? 36 : 4) {
    const p = <usize>load<u32>(f);
    const q = <usize>load<u32>(f, 16);
    const r = <usize>load<u32>(f, 32);
    const e1 = sub(v128.load(q), v128.load(p));
    const e2 = sub(v128.load(r), v128.load(p));
    const n = turned(sub(mul(e1, turned(e2)), mul(turned(e1), e2)));
    const sum = add(add(v128.load(v + p / 2), v128.load(v + q / 2)), v128.load(v + r / 2));
    const u = sub(wind, mul(third, sum));
    const area = sqrt<f32>(dotOf(n, n));
    const speed = sqrt<f32>(dotOf(u, u));
    if (!(area > 0) || !(speed > 0)) continue;
    const across = dotOf(n, u) / area;
    const normal = abs<f32>(across);
    const rate = k * normal;
    const damped = rate / (1 + interval * rate * (drag + lift));
    // The normal on the lee side.
    const side = copysign<f32>((damped * lift * speed) / area, across);
    const along = damped * (drag - (lift * normal) / speed);
    const force = add(mul(f32x4.splat(along), u), mul(f32x4.splat(side), n));
    push(a, shares, p, force);
    push(a, shares, q, force);
    push(a, shares, r, force);
  }
}

/** A particle takes the mean over its faces. */
function push(a: usize, shares: usize, p: usize, force: v128): void {
  addTo(a + p / 2, mul(v128.load32_splat(shares + p / 8), force));
}

/** y, z, x */
function turned(v: v128): v128 {
  return v128.shuffle<i32>(v, v, 1, 2, 0, 3);
}
