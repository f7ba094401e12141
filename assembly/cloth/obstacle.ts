import { add, dot, mul, sub } from "./vectors";

// Obstacles: see src/solvers/gpbd/simd/obstacle-block.ts. All points are beside the origin of the body.

/** Bytes of one. */
export const OBSTACLE: usize = 160;

export function number(o: usize, at: usize): v128 {
  return v128.load32_splat(o + 4 * at);
}

/** φ and ∇φ of four points, to `out`. */
export function distance(o: usize, x: v128, y: v128, z: v128, out: usize): void {
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  if (load<u32>(o, 116) === 0) {
    // Points of the axis that are nearest: all one for a sphere.
    const ax = number(o, 0);
    const ay = number(o, 1);
    const az = number(o, 2);
    let dx = sub(x, number(o, 9));
    let dy = sub(y, number(o, 10));
    let dz = sub(z, number(o, 11));
    const half = number(o, 12);
    const along = f32x4.pmin(f32x4.pmax(dot(ax, ay, az, dx, dy, dz), f32x4.neg(half)), half);
    dx = sub(dx, mul(ax, along));
    dy = sub(dy, mul(ay, along));
    dz = sub(dz, mul(az, along));
    const length = f32x4.sqrt(dot(dx, dy, dz, dx, dy, dz));
    v128.store(out, sub(length, number(o, 13)));
    const scale = f32x4.div(one, length);
    v128.store(out, mul(dx, scale), 16);
    v128.store(out, mul(dy, scale), 32);
    v128.store(out, mul(dz, scale), 48);
    return;
  }
  // A point is so far beyond the two sides across each axis. Places of the sides themselves keep these small numbers exact.
  const sx = dot(number(o, 0), number(o, 1), number(o, 2), x, y, z);
  const sy = dot(number(o, 3), number(o, 4), number(o, 5), x, y, z);
  const sz = dot(number(o, 6), number(o, 7), number(o, 8), x, y, z);
  const px = sub(sx, number(o, 9));
  const py = sub(sy, number(o, 10));
  const pz = sub(sz, number(o, 11));
  const mx = sub(number(o, 12), sx);
  const my = sub(number(o, 13), sy);
  const mz = sub(number(o, 14), sz);
  const qx = f32x4.pmax(px, mx);
  const qy = f32x4.pmax(py, my);
  const qz = f32x4.pmax(pz, mz);
  const most = f32x4.pmax(f32x4.pmax(qx, qy), qz);
  const inside = f32x4.le(most, none);
  const isX = f32x4.eq(qx, most);
  const isY = v128.andnot(f32x4.eq(qy, most), isX);
  const isZ = v128.not(v128.or(isX, isY));
  let dx = f32x4.pmax(qx, none);
  let dy = f32x4.pmax(qy, none);
  let dz = f32x4.pmax(qz, none);
  const length = f32x4.sqrt(dot(dx, dy, dz, dx, dy, dz));
  const scale = f32x4.div(one, length);
  const minus = f32x4.splat(-1);
  dx = mul(v128.bitselect(v128.and(one, isX), mul(dx, scale), inside), v128.bitselect(one, minus, f32x4.gt(px, mx)));
  dy = mul(v128.bitselect(v128.and(one, isY), mul(dy, scale), inside), v128.bitselect(one, minus, f32x4.gt(py, my)));
  dz = mul(v128.bitselect(v128.and(one, isZ), mul(dz, scale), inside), v128.bitselect(one, minus, f32x4.gt(pz, mz)));
  v128.store(out, v128.bitselect(most, length, inside));
  v128.store(out, dot(number(o, 0), number(o, 3), number(o, 6), dx, dy, dz), 16);
  v128.store(out, dot(number(o, 1), number(o, 4), number(o, 7), dx, dy, dz), 32);
  v128.store(out, dot(number(o, 2), number(o, 5), number(o, 8), dx, dy, dz), 48);
}

/** Motion of the obstacle's surface in this substep, at a point of it at the end: one coordinate. */
export function motion(o: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  return add(
    dot(number(o, 15 + 3 * row), number(o, 16 + 3 * row), number(o, 17 + 3 * row), x, y, z),
    number(o, 24 + row),
  );
}

/** of particles that several obstacles may touch, or whose contact is for the reference */
export const OTHERS: u8 = 255;
