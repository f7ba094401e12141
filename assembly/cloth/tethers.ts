import { RECORD, add, dotOf, sub } from "./vectors";

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
    for (let k: usize = 0; k < 16; k += 4) {
      const anchor = <usize>load<u32>(tethers + k);
      const way = sub(add(v128.load(anchor), v128.load(anchor, 16)), place);
      const reach = load<f32>(tethers + k, 16) - ROUNDING * (sizeOf(place) + sizeOf(way));
      if (!(dotOf(way, way) > reach * abs<f32>(reach))) continue;
      store<u32>(list + 4 * found++, <u32>(p / RECORD));
      break;
    }
  }
  return found;
}

function sizeOf(v: v128): f32 {
  return dotOf(f32x4.abs(v), f32x4.splat(1));
}
