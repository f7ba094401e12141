import { areWaiting } from "./ways";
import { RECORD, add, mul, sub } from "./vectors";

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

let least: v128 = f32x4.splat(0);
let most: v128 = f32x4.splat(0);
let longest: f32 = 0;

function begin(): void {
  least = f32x4.splat(Infinity);
  most = f32x4.splat(-Infinity);
  longest = 0;
}

function include(particle: usize): void {
  const moved = v128.load(particle, 16);
  const now = add(v128.load(particle), moved);
  least = f32x4.pmin(least, now);
  most = f32x4.pmax(most, now);
  const s = mul(moved, moved);
  longest = max(longest, f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2));
}

/** @param times by which it reaches beyond the ends of the ways, in ways */
function finish(box: usize, times: f32): void {
  const way = f32x4.splat(times * Mathf.sqrt(longest));
  v128.store(box, sub(least, way));
  v128.store(box, add(most, way), 16);
}

/** Boxes in which obstacles have to be that particles may touch at the ends of their ways. */
export function boxParticles(end: usize, boxes: usize): void {
  for (let p: usize = 0; p < end; boxes += BOX) {
    begin();
    for (const next = p + 4 * RECORD; p !== next; p += RECORD) include(p);
    finish(boxes, MARGIN);
  }
}

/** As `boxParticles`, of faces, by three times their corners' ways as in `touchFaces`; empty ones of those that are waiting. */
export function boxFaces(from: usize, end: usize, ways: usize, waits: usize, boxes: usize): void {
  for (let i = from; i !== end; boxes += BOX, waits += 48) {
    begin();
    const isWaiting = i32x4.all_true(areWaiting(i, ways, waits));
    for (const next = i + 48; i !== next; i += 4) if (!isWaiting) include(<usize>load<u32>(i));
    finish(boxes, 3 * MARGIN);
  }
}
