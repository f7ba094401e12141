import { RECORD, add, dot, first, high, low, mul, second, sub } from "./vectors";

/** Part of the distance of coordinates from the origin that f32 may be wrong by, with a margin. */
const ROUNDING: f32 = 2e-6;

/**
 * Lists the particles that may be beyond a tether, for the reference to look at: in f32, with a margin for its rounding.
 *
 * @param tethers of a particle: records of four anchors, and how far it may be from them [m], infinite for none
 * @param list numbers of particles
 * @returns how many they are
 */
export function findTaut(end: usize, tethers: usize, list: usize): u32 {
  let found: u32 = 0;
  for (let p: usize = 0; p !== end; p += RECORD, tethers += 32) {
    const place = add(v128.load(p), v128.load(p, 16));
    const a = toAnchor(tethers, place);
    const b = toAnchor(tethers + 4, place);
    const c = toAnchor(tethers + 8, place);
    const d = toAnchor(tethers + 12, place);
    const ab = low(a, b);
    const cd = low(c, d);
    const x = first(ab, cd);
    const y = second(ab, cd);
    const z = first(high(a, b), high(c, d));
    const size = f32x4.abs(place);
    const origin = f32x4.extract_lane(size, 0) + f32x4.extract_lane(size, 1) + f32x4.extract_lane(size, 2);
    const away = add(f32x4.splat(origin), add(add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z)));
    const reach = f32x4.max(sub(v128.load(tethers, 16), mul(f32x4.splat(ROUNDING), away)), f32x4.splat(0));
    if (!v128.any_true(f32x4.gt(dot(x, y, z, x, y, z), mul(reach, reach)))) continue;
    store<u32>(list + 4 * found++, <u32>(p / RECORD));
  }
  return found;
}

function toAnchor(tether: usize, place: v128): v128 {
  const a = <usize>load<u32>(tether);
  return sub(add(v128.load(a), v128.load(a, 16)), place);
}
