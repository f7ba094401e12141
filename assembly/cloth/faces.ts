import { BOX, meets } from "./boxes";
import { areApart } from "./gaps";
import { OTHERS, distance, motion } from "./obstacle";
import { add, dot, first, high, low, mul, second, sub } from "./vectors";

/**
 * Marks faces of which a point inside may touch an obstacle, by the tests that `resolveFaceContact` begins with.
 *
 * @param from blocks of four faces: three lists of four places
 * @param flags a byte for each face
 * @param boxes list of blocks, see `boxFaces`
 * @param out 352 bytes to work with
 * @returns whether there are any
 */
export function touchFaces(from: usize, o: usize, keep: f32, flags: usize, boxes: usize, end: usize, out: usize): i32 {
  const thickness = f32x4.splat(keep);
  const third = f32x4.splat(1.0 / 3.0);
  const moves = load<u32>(o, 120);
  let any: i32 = 0;
  for (let box = boxes; box !== end; box += BOX) {
    if (!meets(o, 0, box)) continue;
    const place = <usize>load<u32>(box, 12);
    const i = from + place;
    let cx = f32x4.splat(0);
    let cy = cx;
    let cz = cx;
    let moved = cx;
    for (let corner: usize = 0; corner < 3; corner++) {
      const at = i + 16 * corner;
      const p0 = <usize>load<u32>(at);
      const p1 = <usize>load<u32>(at, 4);
      const p2 = <usize>load<u32>(at, 8);
      const p3 = <usize>load<u32>(at, 12);
      const u0 = v128.load(p0, 16);
      const u1 = v128.load(p1, 16);
      const u2 = v128.load(p2, 16);
      const u3 = v128.load(p3, 16);
      let a = low(u0, u1);
      let b = low(u2, u3);
      let ux = first(a, b);
      let uy = second(a, b);
      let uz = first(high(u0, u1), high(u2, u3));
      const s0 = v128.load(p0);
      const s1 = v128.load(p1);
      const s2 = v128.load(p2);
      const s3 = v128.load(p3);
      a = low(s0, s1);
      b = low(s2, s3);
      const x = add(first(a, b), ux);
      const y = add(second(a, b), uy);
      const z = add(first(high(s0, s1), high(s2, s3)), uz);
      v128.store(out + 48 * corner, x, 64);
      v128.store(out + 48 * corner, y, 80);
      v128.store(out + 48 * corner, z, 96);
      if (moves) {
        ux = sub(ux, motion(o, 0, x, y, z));
        uy = sub(uy, motion(o, 1, x, y, z));
        uz = sub(uz, motion(o, 2, x, y, z));
      }
      moved = f32x4.pmax(moved, dot(ux, uy, uz, ux, uy, uz));
      cx = add(cx, x);
      cy = add(cy, y);
      cz = add(cz, z);
    }
    cx = mul(cx, third);
    cy = mul(cy, third);
    cz = mul(cz, third);
    moved = f32x4.sqrt(moved);
    distance(o, cx, cy, cz, out);
    const phi = v128.load(out);
    const nx = v128.load(out, 16);
    const ny = v128.load(out, 32);
    const nz = v128.load(out, 48);
    let radius = f32x4.splat(0);
    let rise = f32x4.splat(Infinity);
    for (let corner: usize = 0; corner < 3; corner++) {
      const x = sub(v128.load(out + 48 * corner, 64), cx);
      const y = sub(v128.load(out + 48 * corner, 80), cy);
      const z = sub(v128.load(out + 48 * corner, 96), cz);
      radius = f32x4.pmax(radius, dot(x, y, z, x, y, z));
      rise = f32x4.pmin(rise, dot(x, y, z, nx, ny, nz));
    }
    // The radius at the start is no more than that now and twice the way.
    const far = add(add(f32x4.sqrt(radius), thickness), mul(f32x4.splat(3), moved));
    const enough = f32x4.pmax(thickness, moved);
    const isClear = v128.or(f32x4.gt(phi, far), f32x4.gt(add(phi, rise), enough));
    let bits = v128.bitmask<i32>(v128.not(isClear)) & load<i32>(box, 28);
    if (bits !== 0) bits &= v128.bitmask<i32>(v128.not(areApart(o, out + 64, enough)));
    for (let lane: usize = 0; bits >> <i32>lane !== 0; lane++)
      if ((bits >> <i32>lane) & 1) {
        store<u8>(flags + place / 12 + lane, OTHERS);
        any = 1;
      }
  }
  return any;
}

/** As `touchFaces`, by the box of the face's way, and `box` as of `touchBox`. */
export function touchFaceBoxes(from: usize, flags: usize, boxes: usize, end: usize, box: usize): i32 {
  const low = f32x4.replace_lane(v128.load(box), 3, -Infinity);
  const high = f32x4.replace_lane(v128.load(box, 16), 3, Infinity);
  let any: i32 = 0;
  for (; boxes !== end; boxes += BOX) {
    const place = <usize>load<u32>(boxes, 12);
    const i = from + place;
    const due = load<i32>(boxes, 28);
    for (let lane: usize = 0; due >> <i32>lane !== 0; lane++) {
      if (!((due >> <i32>lane) & 1)) continue;
      let least = f32x4.splat(Infinity);
      let most = f32x4.splat(-Infinity);
      for (let corner: usize = 0; corner < 3; corner++) {
        const p = <usize>load<u32>(i + 16 * corner + 4 * lane);
        const start = v128.load(p);
        const now = add(start, v128.load(p, 16));
        least = f32x4.pmin(least, f32x4.pmin(start, now));
        most = f32x4.pmax(most, f32x4.pmax(start, now));
      }
      if (v128.bitmask<i32>(v128.and(f32x4.le(least, high), f32x4.ge(most, low))) === 15) {
        store<u8>(flags + place / 12 + lane, OTHERS);
        any = 1;
      }
    }
  }
  return any;
}

/** Lists particles or faces for the reference, and takes their flags off. @returns how many there are */
export function listOthers(count: u32, flags: usize, list: usize): u32 {
  let found: u32 = 0;
  for (let p: u32 = 0; p < count; p++) if (load<u8>(flags + p) === OTHERS) store<u32>(list + 4 * found++, p);
  memory.fill(flags, 0, count);
  return found;
}
