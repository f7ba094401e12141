import { OBSTACLE } from "./obstacle";
import { areWaiting, leastRoom } from "./ways";
import { RECORD, add, mul, sub } from "./vectors";

// Lists of blocks of four particles or faces, as boxes of 32 bytes: lowest corner, place of the block behind the first one, highest corner, and
// of faces a bit for each that is due. An obstacle whose own box does not meet one cannot touch any of the four. Blocks that no obstacle is near
// are left out, and not looked at again until their particles have gone far enough.

/** Bytes of a box. */
export const BOX: usize = 32;
/** Sums in f32 may be wrong by so much. */
const MARGIN: f32 = 1.0001;
/** Part of a way that is left in spite of rounding. */
const SURE: f64 = 0.999;

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

function includeWay(particle: usize): void {
  const start = v128.load(particle);
  const now = add(start, v128.load(particle, 16));
  least = f32x4.pmin(least, f32x4.pmin(start, now));
  most = f32x4.pmax(most, f32x4.pmax(start, now));
}

/** @param times by which it reaches beyond the ends of the ways, in ways */
function finish(box: usize, times: f32): void {
  const way = f32x4.splat(times * Mathf.sqrt(longest));
  v128.store(box, sub(least, way));
  v128.store(box, add(most, way), 16);
}

let obstacles: usize = 0;
let obstacleCount: i32 = 0;
let gone: f64 = 0;
let obstacleWay: f32 = 0;
let far: f32 = 0;
let spare: f32 = 0;

/**
 * Before `boxParticles` and `boxFaces`.
 *
 * @param from blocks of the obstacles
 * @param sum what the largest ways of particles add up to, those of obstacles included, since the frame began [m]
 * @param way the largest of the obstacles in the substep [m]
 * @param away distance of the body from obstacles that have no block [m]
 * @param rounding of places [m]
 */
export function beginBoxes(from: usize, count: i32, sum: f64, way: f32, away: f32, rounding: f32): void {
  obstacles = from;
  obstacleCount = count;
  gone = sum;
  obstacleWay = way;
  far = away;
  spare = rounding;
}

/** Distance of the box that was begun from those of obstacles; less than zero where it meets one. */
function gapAround(): f32 {
  let gap = far;
  for (let n = 0, o = obstacles; n < obstacleCount; n++, o += OBSTACLE) {
    const d = f32x4.max(sub(v128.load(o, 128), most), sub(least, v128.load(o, 144)));
    gap = min(gap, max(f32x4.extract_lane(d, 0), max(f32x4.extract_lane(d, 1), f32x4.extract_lane(d, 2))));
  }
  return gap - spare;
}

/**
 * Boxes in which obstacles have to be that particles may touch at the ends of their ways.
 *
 * @param until what their ways add up to until which each block is sure to be far, f64 [m]
 * @returns the end of the list
 */
export function boxParticles(end: usize, boxes: usize, until: usize): usize {
  let box = boxes;
  for (let from: usize = 0; from < end; from += 4 * RECORD, until += 8) {
    // They come nearer by their ways, by those in a substep, and by what obstacles leave their boxes by.
    if (gone + 0.25 * <f64>obstacleWay < load<f64>(until)) continue;
    begin();
    for (let p = from; p !== from + 4 * RECORD; p += RECORD) include(p);
    const gap = gapAround();
    if (gap > MARGIN * Mathf.sqrt(longest) + obstacleWay) {
      store<f64>(until, gone + 0.25 * <f64>gap);
      continue;
    }
    finish(box, MARGIN);
    store<u32>(box, <u32>from, 12);
    box += BOX;
  }
  return box;
}

/**
 * As `boxParticles`, of faces that are not all waiting, around the ways of their corners: the reference tests nothing beyond these.
 *
 * @param isBoxed whether boxes are of use: else they have no end
 */
export function boxFaces(
  from: usize,
  end: usize,
  ways: usize,
  waits: usize,
  boxes: usize,
  until: usize,
  isBoxed: i32,
): usize {
  let box = boxes;
  for (let i = from; i !== end; i += 48, waits += 48, until += 8) {
    if (gone < load<f64>(until)) continue;
    const isWaiting = areWaiting(i, ways, waits);
    if (i32x4.all_true(isWaiting)) {
      store<f64>(until, gone + SURE * <f64>leastRoom());
      continue;
    }
    begin();
    if (isBoxed) {
      for (let corner: usize = 0; corner !== 48; corner += 4) includeWay(<usize>load<u32>(i + corner));
      const gap = gapAround();
      if (gap > 0) {
        store<f64>(until, gone + 0.49 * <f64>gap);
        continue;
      }
    } else longest = Infinity;
    finish(box, isBoxed ? 0 : 1);
    store<u32>(box, <u32>(i - from), 12);
    store<u32>(box, v128.bitmask<i32>(v128.not(isWaiting)), 28);
    box += BOX;
  }
  return box;
}
