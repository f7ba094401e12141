import { areWaiting } from "./ways";
import { RECORD, add, dot, first, high, low, mul, second, sub } from "./vectors";

// Boxes of four particles or faces each, 32 bytes: lowest and highest corner, with a number left over after each. An obstacle whose own box
// does not meet one cannot touch any of the four.

/** Bytes of a box. */
export const BOX: usize = 32;
/** Sums in f32 may be wrong by so much. */
const MARGIN: f32 = 1.0001;

/** Whether the box of an obstacle, which may move by so many times its own way, meets that of four particles or faces. */
export function meets(o: usize, times: f32, box: usize): bool {
  const way = f32x4.splat(times * load<f32>(o, 140));
  const isBelow = f32x4.gt(sub(v128.load(o, 128), way), v128.load(box, 16));
  const isAbove = f32x4.gt(v128.load(box), add(v128.load(o, 144), way));
  // the fourth number is none of a box
  return (v128.bitmask<i32>(v128.or(isBelow, isAbove)) & 7) === 0;
}

/** Boxes in which obstacles have to be that particles may touch at the ends of their ways. */
export function boxParticles(end: usize, boxes: usize): void {
  for (let p: usize = 0; p < end; p += 4 * RECORD) {
    let least = f32x4.splat(Infinity);
    let most = f32x4.splat(-Infinity);
    let longest: f32 = 0;
    for (let at = p; at !== p + 4 * RECORD; at += RECORD) {
      const moved = v128.load(at, 16);
      const now = add(v128.load(at), moved);
      least = f32x4.pmin(least, now);
      most = f32x4.pmax(most, now);
      const s = mul(moved, moved);
      const way = f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
      if (way > longest) longest = way;
    }
    const way = f32x4.splat(MARGIN * Mathf.sqrt(longest));
    v128.store(boxes, sub(least, way));
    v128.store(boxes, add(most, way), 16);
    boxes += BOX;
  }
}

/** As `boxParticles`, of faces; empty ones of those that are waiting. */
export function boxFaces(from: usize, end: usize, ways: usize, waits: usize, boxes: usize): void {
  for (let i = from; i !== end; i += 48) {
    if (i32x4.all_true(areWaiting(i, ways, waits))) {
      v128.store(boxes, f32x4.splat(Infinity));
      v128.store(boxes, f32x4.splat(-Infinity), 16);
    } else boxOfFaces(i, boxes);
    waits += 48;
    boxes += BOX;
  }
}

/** A face reaches from its middle to its corners, and by their ways: see `touchFaces`. */
function boxOfFaces(at: usize, box: usize): void {
  const third = f32x4.splat(1.0 / 3.0);
  let cx = f32x4.splat(0);
  let cy = cx;
  let cz = cx;
  let moved = cx;
  for (let corner: usize = 0; corner < 48; corner += 16) {
    const p0 = <usize>load<u32>(at + corner);
    const p1 = <usize>load<u32>(at + corner, 4);
    const p2 = <usize>load<u32>(at + corner, 8);
    const p3 = <usize>load<u32>(at + corner, 12);
    const u0 = v128.load(p0, 16);
    const u1 = v128.load(p1, 16);
    const u2 = v128.load(p2, 16);
    const u3 = v128.load(p3, 16);
    const a = low(u0, u1);
    const b = low(u2, u3);
    const ux = first(a, b);
    const uy = second(a, b);
    const uz = first(high(u0, u1), high(u2, u3));
    moved = f32x4.pmax(moved, dot(ux, uy, uz, ux, uy, uz));
    const x0 = add(v128.load(p0), u0);
    const x1 = add(v128.load(p1), u1);
    const x2 = add(v128.load(p2), u2);
    const x3 = add(v128.load(p3), u3);
    const c = low(x0, x1);
    const d = low(x2, x3);
    cx = add(cx, first(c, d));
    cy = add(cy, second(c, d));
    cz = add(cz, first(high(x0, x1), high(x2, x3)));
  }
  cx = mul(cx, third);
  cy = mul(cy, third);
  cz = mul(cz, third);
  let radius = f32x4.splat(0);
  for (let corner: usize = 0; corner < 48; corner += 16) {
    const p0 = <usize>load<u32>(at + corner);
    const p1 = <usize>load<u32>(at + corner, 4);
    const p2 = <usize>load<u32>(at + corner, 8);
    const p3 = <usize>load<u32>(at + corner, 12);
    const x0 = add(v128.load(p0), v128.load(p0, 16));
    const x1 = add(v128.load(p1), v128.load(p1, 16));
    const x2 = add(v128.load(p2), v128.load(p2, 16));
    const x3 = add(v128.load(p3), v128.load(p3, 16));
    const c = low(x0, x1);
    const d = low(x2, x3);
    const x = sub(first(c, d), cx);
    const y = sub(second(c, d), cy);
    const z = sub(first(high(x0, x1), high(x2, x3)), cz);
    radius = f32x4.pmax(radius, dot(x, y, z, x, y, z));
  }
  const reach = mul(f32x4.splat(MARGIN), add(f32x4.sqrt(radius), mul(f32x4.splat(3), f32x4.sqrt(moved))));
  store<f32>(box, least(sub(cx, reach)));
  store<f32>(box, least(sub(cy, reach)), 4);
  store<f32>(box, least(sub(cz, reach)), 8);
  store<f32>(box, -least(f32x4.neg(add(cx, reach))), 16);
  store<f32>(box, -least(f32x4.neg(add(cy, reach))), 20);
  store<f32>(box, -least(f32x4.neg(add(cz, reach))), 24);
}

function least(v: v128): f32 {
  const pairs = f32x4.pmin(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
}
