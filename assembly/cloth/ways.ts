import { RECORD, add, mul, sub } from "./vectors";

/**
 * Adds to the way of each particle, since the frame began, how far it went since the last call, by x⁻: an upper bound.
 *
 * @param ways of each particle, 16 bytes: its place when last called, and its way until then
 * @param more that is added to all of them, such as ways of obstacles
 * @returns the most that was added to one
 */
export function addWays(end: usize, ways: usize, more: f32): f64 {
  let most: f64 = 0;
  for (let p: usize = 0; p !== end; p += RECORD) {
    const last = v128.load(ways);
    const start = v128.load(p);
    const moved = v128.load(p, 16);
    const now = add(start, moved);
    const before = f32x4.extract_lane(last, 3);
    const way = before + length(sub(start, last)) + length(moved) + more;
    most = max(most, <f64>way - <f64>before);
    v128.store(ways, f32x4.replace_lane(now, 3, way));
    ways += 16;
  }
  return most;
}

function length(v: v128): f32 {
  const s = mul(v, v);
  return Mathf.sqrt(f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2));
}

let room: v128 = f32x4.splat(0);

/** The least way that a corner of the four faces of the last call of `areWaiting` may still go [m]. */
export function leastRoom(): f32 {
  return min(
    min(f32x4.extract_lane(room, 0), f32x4.extract_lane(room, 1)),
    min(f32x4.extract_lane(room, 2), f32x4.extract_lane(room, 3)),
  );
}

/**
 * Which of four faces cannot touch anything yet, as none of their corners has gone so far.
 *
 * @param at block of four faces
 * @param waits ways at which they may touch, in the same form
 */
export function areWaiting(at: usize, ways: usize, waits: usize): v128 {
  let all = i32x4.splat(-1);
  for (let corner: usize = 0; corner < 48; corner += 16) {
    const places = at + corner;
    const way = f32x4(wayOf(places, ways), wayOf(places + 4, ways), wayOf(places + 8, ways), wayOf(places + 12, ways));
    const left = sub(v128.load(waits + corner), way);
    room = corner === 0 ? left : f32x4.pmin(room, left);
    all = v128.and(all, f32x4.lt(way, v128.load(waits + corner)));
  }
  return all;
}

function wayOf(place: usize, ways: usize): f32 {
  return load<f32>(ways + (<usize>load<u32>(place) >> 1), 12);
}
