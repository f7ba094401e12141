/**
 * Threads of cloth, four at a time (AssemblyScript, WebAssembly SIMD), in the memory of assembly/cloth-kernels.ts: `Threads.project` of
 * src/solvers/gpbd/tethers/threads.ts is the reference. They come as code of their own, since only cloth without pins needs them.
 */
import { add, dot, first, high, low, mul, scatter, second, sub } from "./cloth/vectors";

/** Bytes of a vertex of four threads: their records, and how long the edges to the next ones are at rest, infinite for none. */
const STEP: usize = 32;

// Bytes of a vertex in the scratch: place, W, displacement. Then, for the edge that begins there: direction in the same place, excess, whether
// it acts, coupling to the next one, inverse pivot, right side, λ.
const SLOT: usize = 160;
const W: usize = 48;
const SHIFT: usize = 64;
const EXCESS: usize = 64;
const ACTS: usize = 80;
const COUPLING: usize = 96;
const INVERSE: usize = 112;
const RIGHT: usize = 128;
const LAMBDA: usize = 144;

/**
 * @param from blocks of four threads: the number of edges in 16 bytes, then a step for each vertex
 * @param give one and the part of its length that a thread gives
 * @param rest part of its way beyond its length that an edge has left after a substep
 * @param rounds most solutions, each with the edges that the last one shows to act
 */
export function holdThreads(from: usize, end: usize, scratch: usize, give: f32, rest: f32, rounds: i32): void {
  while (from !== end) {
    const edges = <usize>load<u32>(from);
    from += 16;
    const last = scratch + SLOT * edges;
    gather(from, scratch, last);
    if (measure(from, scratch, last, f32x4.splat(give), f32x4.splat(rest))) {
      for (let round = 0; round < rounds; round++) {
        if (!eliminate(scratch, last, round > 0)) break;
        substitute(scratch, last);
      }
      move(from, scratch, last);
    }
    from += STEP * (edges + 1);
  }
}

function gather(at: usize, slot: usize, last: usize): void {
  for (; slot <= last; slot += SLOT, at += STEP) {
    const p0 = <usize>load<u32>(at);
    const p1 = <usize>load<u32>(at, 4);
    const p2 = <usize>load<u32>(at, 8);
    const p3 = <usize>load<u32>(at, 12);
    let a = v128.load(p0);
    let b = v128.load(p1);
    let c = v128.load(p2);
    let d = v128.load(p3);
    let p = low(a, b);
    let q = low(c, d);
    v128.store(slot, first(p, q));
    v128.store(slot, second(p, q), 16);
    p = high(a, b);
    q = high(c, d);
    v128.store(slot, first(p, q), 32);
    v128.store(slot, second(p, q), W);
    a = v128.load(p0, 16);
    b = v128.load(p1, 16);
    c = v128.load(p2, 16);
    d = v128.load(p3, 16);
    p = low(a, b);
    q = low(c, d);
    v128.store(slot, first(p, q), SHIFT);
    v128.store(slot, second(p, q), SHIFT + 16);
    v128.store(slot, first(high(a, b), high(c, d)), SHIFT + 32);
  }
}

/** @returns whether any edge is too long */
function measure(at: usize, slot: usize, last: usize, give: v128, rest: v128): bool {
  const none = f32x4.splat(0);
  let any = none;
  let nx = none;
  let ny = none;
  let nz = none;
  for (; slot !== last; slot += SLOT, at += STEP) {
    const next = slot + SLOT;
    const w = v128.load(slot, W);
    const sx = sub(v128.load(next), v128.load(slot));
    const sy = sub(v128.load(next, 16), v128.load(slot, 16));
    const sz = sub(v128.load(next, 32), v128.load(slot, 32));
    const tx = add(sx, sub(v128.load(next, SHIFT), v128.load(slot, SHIFT)));
    const ty = add(sy, sub(v128.load(next, SHIFT + 16), v128.load(slot, SHIFT + 16)));
    const tz = add(sz, sub(v128.load(next, SHIFT + 32), v128.load(slot, SHIFT + 32)));
    const reach = mul(give, v128.load(at, 16));
    const before = f32x4.sqrt(dot(sx, sy, sz, sx, sy, sz));
    const far = f32x4.sqrt(dot(tx, ty, tz, tx, ty, tz));
    const excess = sub(far, add(reach, mul(rest, f32x4.max(none, sub(before, reach)))));
    const one = f32x4.div(f32x4.splat(1), f32x4.max(far, f32x4.splat(1e-30)));
    const ex = mul(tx, one);
    const ey = mul(ty, one);
    const ez = mul(tz, one);
    const acts = v128.and(f32x4.gt(excess, none), f32x4.gt(add(w, v128.load(next, W)), none));
    // of the edge before this one, which meets it here
    v128.store(slot - SLOT, f32x4.neg(mul(w, dot(nx, ny, nz, ex, ey, ez))), COUPLING);
    v128.store(slot, ex);
    v128.store(slot, ey, 16);
    v128.store(slot, ez, 32);
    v128.store(slot, excess, EXCESS);
    v128.store(slot, acts, ACTS);
    v128.store(slot, none, LAMBDA);
    any = v128.or(any, acts);
    nx = ex;
    ny = ey;
    nz = ez;
  }
  v128.store(last - SLOT, none, COUPLING);
  return v128.any_true(any);
}

/**
 * A λ = C for the edges that act, A = n W nᵀ: from the first one on.
 *
 * @param isAgain whether λ is known from the round before
 * @returns false if that showed nothing new
 */
function eliminate(slot: usize, last: usize, isAgain: bool): bool {
  const none = f32x4.splat(0);
  let changed = none;
  let acted = none;
  let coupling = none;
  let inverse = none;
  let right = none;
  let lambda = none;
  for (; slot !== last; slot += SLOT) {
    const excess = v128.load(slot, EXCESS);
    const both = add(v128.load(slot, W), v128.load(slot + SLOT, W));
    const after = v128.load(slot, COUPLING);
    let acts = v128.load(slot, ACTS);
    if (isAgain) {
      const own = v128.load(slot, LAMBDA);
      const next = slot + SLOT === last ? none : f32x4.max(none, v128.load(slot + SLOT, LAMBDA));
      const left = sub(sub(excess, mul(coupling, lambda)), mul(after, next));
      const now = v128.and(f32x4.gt(both, none), v128.bitselect(f32x4.ge(own, none), f32x4.gt(left, none), acts));
      changed = v128.or(changed, v128.xor(now, acts));
      acts = now;
      v128.store(slot, acts, ACTS);
      lambda = f32x4.max(none, own);
    }
    const factor = v128.and(acted, mul(coupling, inverse));
    inverse = v128.and(acts, f32x4.div(f32x4.splat(1), sub(both, mul(factor, coupling))));
    right = sub(excess, mul(factor, right));
    v128.store(slot, inverse, INVERSE);
    v128.store(slot, right, RIGHT);
    acted = acts;
    coupling = after;
  }
  return !isAgain || v128.any_true(changed);
}

/** From the last edge back. */
function substitute(slot: usize, last: usize): void {
  let lambda = f32x4.splat(0);
  while (last !== slot) {
    last -= SLOT;
    const right = sub(v128.load(last, RIGHT), mul(v128.load(last, COUPLING), lambda));
    // An edge that does not act has no inverse, but the right side of one may be infinite.
    lambda = v128.and(v128.load(last, ACTS), mul(right, v128.load(last, INVERSE)));
    v128.store(last, lambda, LAMBDA);
  }
}

function move(at: usize, slot: usize, last: usize): void {
  const none = f32x4.splat(0);
  let bx = none;
  let by = none;
  let bz = none;
  for (; slot <= last; slot += SLOT, at += STEP) {
    let fx = none;
    let fy = none;
    let fz = none;
    if (slot !== last) {
      const lambda = f32x4.max(none, v128.load(slot, LAMBDA));
      fx = mul(lambda, v128.load(slot));
      fy = mul(lambda, v128.load(slot, 16));
      fz = mul(lambda, v128.load(slot, 32));
    }
    const w = v128.load(slot, W);
    scatter(at, 16, mul(w, sub(fx, bx)), mul(w, sub(fy, by)), mul(w, sub(fz, bz)));
    bx = fx;
    by = fy;
    bz = fz;
  }
}
