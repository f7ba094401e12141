import { BOX, meets } from "./boxes";
import { OTHERS, distance, motion, number } from "./obstacle";
import { RECORD, add, dot, first, high, low, mul, second, sub } from "./vectors";

const TOUCHING: f32 = 1.05;

/** as in src/collision/contact/sweep.ts */
const SAME_WAY: f32 = 0.99;

const FIND = 0;

const OWNED = 1;

/**
 * Contact of all particles with one obstacle, as `resolveParticleContact`. `flags` has a byte for each particle: the number of the only
 * obstacle that may touch it, or OTHERS.
 *
 * @param mode FIND which particles it may touch, or resolve contact of those that are OWNED by it, or of ALL
 * @param boxes list of particles, see `boxParticles`, or 0; `last` is its end
 * @param out 64 bytes to work with
 * @returns whether there are particles for the reference
 */
export function touch(
  end: usize,
  o: usize,
  owner: u32,
  mode: i32,
  flags: usize,
  boxes: usize,
  last: usize,
  out: usize,
): i32 {
  const none = f32x4.splat(0);
  const thickness = number(o, 27);
  const reach = mul(thickness, f32x4.splat(TOUCHING));
  const moves = load<u32>(o, 120);
  let hard: i32 = 0;
  const flagsOf = flags;
  for (let p: usize = 0; p < end; p += 4 * RECORD) {
    if (mode === OWNED && load<u32>(flags) === 0) {
      flags += 4;
      continue;
    }
    if (boxes !== 0) {
      while (boxes !== last && !meets(o, 1, boxes)) boxes += BOX;
      if (boxes === last) break;
      p = <usize>load<u32>(boxes, 12);
      flags = flagsOf + p / RECORD;
      boxes += BOX;
    }
    const s0 = v128.load(p);
    const s1 = v128.load(p, 32);
    const s2 = v128.load(p, 64);
    const s3 = v128.load(p, 96);
    const u0 = v128.load(p, 16);
    const u1 = v128.load(p, 48);
    const u2 = v128.load(p, 80);
    const u3 = v128.load(p, 112);
    let a = low(u0, u1);
    let b = low(u2, u3);
    const ux = first(a, b);
    const uy = second(a, b);
    const uz = first(high(u0, u1), high(u2, u3));
    a = low(s0, s1);
    b = low(s2, s3);
    const x = add(first(a, b), ux);
    const y = add(second(a, b), uy);
    a = high(s0, s1);
    b = high(s2, s3);
    const z = add(first(a, b), uz);
    const w = second(a, b);
    distance(o, x, y, z, out);
    const phi = v128.load(out);
    // motion beside the obstacle
    let rx = ux;
    let ry = uy;
    let rz = uz;
    if (moves) {
      rx = sub(ux, motion(o, 0, x, y, z));
      ry = sub(uy, motion(o, 1, x, y, z));
      rz = sub(uz, motion(o, 2, x, y, z));
    }
    const length = f32x4.sqrt(dot(rx, ry, rz, rx, ry, rz));
    let near = v128.and(f32x4.le(phi, add(length, reach)), f32x4.gt(w, none));
    if (mode === FIND) {
      const bits = v128.bitmask<i32>(near);
      for (let lane: usize = 0; bits >> <i32>lane !== 0; lane++) {
        if (!((bits >> <i32>lane) & 1)) continue;
        if (load<u8>(flags + lane) !== 0 || owner === OTHERS) {
          store<u8>(flags + lane, OTHERS);
          hard = 1;
        } else store<u8>(flags + lane, <u8>owner);
      }
      flags += 4;
      continue;
    }
    if (mode === OWNED) {
      const owners = i32x4(load<u8>(flags), load<u8>(flags, 1), load<u8>(flags, 2), load<u8>(flags, 3));
      near = v128.and(near, i32x4.eq(owners, i32x4.splat(owner)));
    }
    const nx = v128.load(out, 16);
    const ny = v128.load(out, 32);
    const nz = v128.load(out, 48);
    // mostly the way cannot have met the surface
    const doubtful = v128.andnot(near, f32x4.gt(phi, length));
    if (v128.any_true(doubtful)) {
      distance(o, sub(x, rx), sub(y, ry), sub(z, rz), out);
      const before = v128.load(out);
      const agreement = dot(nx, ny, nz, v128.load(out, 16), v128.load(out, 32), v128.load(out, 48));
      const isOutside = f32x4.gt(before, none);
      const missed = v128.and(f32x4.gt(phi, none), f32x4.gt(add(before, phi), length));
      const isPlain = v128.and(isOutside, v128.or(missed, f32x4.gt(agreement, f32x4.splat(SAME_WAY))));
      const left = v128.bitmask<i32>(v128.andnot(doubtful, isPlain));
      for (let lane: usize = 0; left >> <i32>lane !== 0; lane++)
        if ((left >> <i32>lane) & 1) {
          store<u8>(flags + lane, OTHERS);
          hard = 1;
        }
      near = v128.andnot(near, v128.andnot(doubtful, isPlain));
    }
    flags += 4;
    near = v128.and(near, f32x4.le(phi, reach));
    if (!v128.any_true(near)) continue;
    const push = v128.and(f32x4.pmax(sub(thickness, phi), none), near);
    let tx = add(ux, mul(push, nx));
    let ty = add(uy, mul(push, ny));
    let tz = add(uz, mul(push, nz));
    const limit = mul(number(o, 28), push);
    // sliding over the surface, from the point of it that is below
    let gx = tx;
    let gy = ty;
    let gz = tz;
    if (moves) {
      const bx = sub(x, mul(phi, nx));
      const by = sub(y, mul(phi, ny));
      const bz = sub(z, mul(phi, nz));
      gx = sub(gx, motion(o, 0, bx, by, bz));
      gy = sub(gy, motion(o, 1, bx, by, bz));
      gz = sub(gz, motion(o, 2, bx, by, bz));
    }
    const gn = dot(gx, gy, gz, nx, ny, nz);
    gx = sub(gx, mul(gn, nx));
    gy = sub(gy, mul(gn, ny));
    gz = sub(gz, mul(gn, nz));
    const sliding = f32x4.sqrt(dot(gx, gy, gz, gx, gy, gz));
    const isMore = f32x4.gt(sliding, limit);
    const part = v128.bitselect(f32x4.div(limit, sliding), f32x4.splat(1), isMore);
    tx = v128.bitselect(sub(tx, mul(part, gx)), ux, near);
    ty = v128.bitselect(sub(ty, mul(part, gy)), uy, near);
    tz = v128.bitselect(sub(tz, mul(part, gz)), uz, near);
    const valence = second(high(u0, u1), high(u2, u3));
    a = low(tx, ty);
    b = low(tz, valence);
    v128.store(p, first(a, b), 16);
    v128.store(p, second(a, b), 48);
    a = high(tx, ty);
    b = high(tz, valence);
    v128.store(p, first(a, b), 80);
    v128.store(p, second(a, b), 112);
  }
  return hard;
}

/**
 * As `touch` to find particles for the reference: those that have gone as far as they can without touching, and whose way meets a box.
 *
 * @param box its lowest corner, and 16 bytes behind it its highest
 */
export function touchBox(end: usize, flags: usize, ways: usize, waits: usize, box: usize): i32 {
  const from = f32x4.replace_lane(v128.load(box), 3, -Infinity);
  const to = f32x4.replace_lane(v128.load(box, 16), 3, Infinity);
  let hard: i32 = 0;
  for (let p: usize = 0; p !== end; p += RECORD) {
    const start = v128.load(p);
    const now = add(start, v128.load(p, 16));
    const meets = v128.and(f32x4.le(f32x4.pmin(start, now), to), f32x4.ge(f32x4.pmax(start, now), from));
    if (v128.bitmask<i32>(meets) === 15 && !(load<f32>(ways, 12) < load<f32>(waits))) {
      store<u8>(flags, OTHERS);
      hard = 1;
    }
    ways += 16;
    waits += 4;
    flags++;
  }
  return hard;
}

/** Box of all ways in this substep: eight numbers to `out`. */
export function boxOfWays(end: usize, out: usize): void {
  let least = f32x4.splat(Infinity);
  let most = f32x4.splat(-Infinity);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const start = v128.load(p);
    const now = add(start, v128.load(p, 16));
    least = f32x4.pmin(least, f32x4.pmin(start, now));
    most = f32x4.pmax(most, f32x4.pmax(start, now));
  }
  v128.store(out, least);
  v128.store(out, most, 16);
}
