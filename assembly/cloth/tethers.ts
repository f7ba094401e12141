import { RECORD, add, dotOf, mul, sub, withLast } from "./vectors";

const TETHERS = 4;

/**
 * Takes particles back within reach, nearest anchor first: `Tethers.project` of src/solvers/gpbd/tethers/tethers.ts is the reference.
 *
 * @param tethers of a particle: records of its anchors, and how far it may be from them [m], infinite for none
 * @param give 1 and the part of its length that a tether gives, which the lengths have already
 * @param rest part of its way beyond its tether that a particle has left after a substep
 */
export function hold(end: usize, tethers: usize, give: f32, rest: f32): void {
  for (let p: usize = 0; p !== end; p += RECORD, tethers += 8 * TETHERS) {
    if (load<f32>(p, 12) === 0) continue;
    let u = v128.load(p, 16);
    let spread: f32 = 0;
    for (let k: usize = 0; k < 4 * TETHERS; k += 4) {
      const anchor = <usize>load<u32>(tethers + k);
      const length = load<f32>(tethers + k, 4 * TETHERS);
      // There are no more.
      if (length === Infinity) break;
      const before = sub(v128.load(p), v128.load(anchor));
      const out = add(before, sub(u, v128.load(anchor, 16)));
      const squared = dotOf(out, out);
      if (!(squared > length * length)) continue;
      if (spread === 0) spread = spreadOf(tethers, give);
      const reach = spread * length;
      const far = sqrt<f32>(squared);
      const most = reach + rest * max<f32>(0, sqrt<f32>(dotOf(before, before)) - reach);
      if (!(most < far)) continue;
      u = add(u, mul(f32x4.splat(most / far - 1), out));
    }
    v128.store(p, withLast(u, v128.load(p, 16)), 16);
  }
}

/** Distance of anchors over the reach of the sheet between them, at least 1: beyond that the sheet has to stretch, and evenly. */
function spreadOf(tethers: usize, give: f32): f32 {
  let spread: f32 = 1;
  const nearest = <usize>load<u32>(tethers);
  const first = load<f32>(tethers, 4 * TETHERS);
  const place = add(v128.load(nearest), v128.load(nearest, 16));
  for (let k: usize = 4; k < 4 * TETHERS; k += 4) {
    const other = <usize>load<u32>(tethers + k);
    const between = sub(add(v128.load(other), v128.load(other, 16)), place);
    spread = max<f32>(
      spread,
      (give * sqrt<f32>(dotOf(between, between))) / (first + load<f32>(tethers + k, 4 * TETHERS)),
    );
  }
  return spread;
}
