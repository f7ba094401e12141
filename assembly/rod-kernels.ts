import { solve } from "./rod/solve";

/**
 * The sweep of GPBD over joints of rods (AssemblyScript, WebAssembly SIMD): `solveJoint`, in f64, two joints of a color at a time. The letters are
 * those of src/solvers/gpbd/strains/rod.ts.
 *
 * Joints of which more has to be done are left to the reference, and listed: those whose edges turn by more than a right angle in a step, whose
 * matrix is spoiled by rounding, or for which the whole step is no descent.
 *
 * Places are bytes in the memory. Vectors have a number of each of the two joints.
 */

/** Bytes of a joint: particles, edges, rest data, dᵢ of particles and of turns; and of an edge's frame. */
const PARTICLES: usize = 12;
const EDGES: usize = 8;
const REST: usize = 56;
const TRACKED: usize = 72;
const TRACKED_TURNS: usize = 16;

/**
 * @param from first joint of a color; `end` is the first one after it
 * @param particles numbers of the particles, three u32 a joint
 * @param edges numbers of the edges, two u32 a joint
 * @param rest seven f64 a joint
 * @param tracked dᵢ, nine f64 a joint: changed
 * @param trackedTurns dᵢ of φ, two f64 a joint: changed
 * @param x positions, three f64 a particle: changed
 * @param x0 positions at the start of the time step
 * @param w Δt²/m of each particle, f64
 * @param frames q⁻, four f64 an edge
 * @param turns φ of each edge, f64: changed
 * @param wTurns W of each φ, f64
 * @param viscosity damping time over Δt
 * @param share part of each displacement that is made
 * @param scratch bytes that the kernel works with
 * @param list numbers of joints that are left over, u32: changed
 * @returns how many there are
 */
export function joints(
  from: u32,
  end: u32,
  particles: usize,
  edges: usize,
  rest: usize,
  tracked: usize,
  trackedTurns: usize,
  x: usize,
  x0: usize,
  w: usize,
  frames: usize,
  turns: usize,
  wTurns: usize,
  viscosity: f64,
  share: f64,
  scratch: usize,
  list: usize,
): u32 {
  let left: u32 = 0;
  for (let j = from; j < end; j += 2) {
    const isPair = j + 1 < end;
    const k = isPair ? j + 1 : j;
    const p0 = particles + PARTICLES * j;
    const p1 = particles + PARTICLES * k;
    const e0 = edges + EDGES * j;
    const e1 = edges + EDGES * k;
    const t0 = tracked + TRACKED * j;
    const t1 = tracked + TRACKED * k;
    const a0 = trackedTurns + TRACKED_TURNS * j;
    const a1 = trackedTurns + TRACKED_TURNS * k;
    const r0 = rest + REST * j;
    const r1 = rest + REST * k;
    const solved = solve(p0, p1, e0, e1, r0, r1, t0, t1, a0, a1, x, x0, w, frames, turns, wTurns, viscosity, scratch);
    if (solved & 1) move(p0, e0, t0, a0, x, turns, share, scratch);
    else store<u32>(list + 4 * left++, j);
    if (!isPair) continue;
    if (solved & 2) move(p1, e1, t1, a1, x, turns, share, scratch + 8);
    else store<u32>(list + 4 * left++, k);
  }
  return left;
}

/** Adds a displacement to positions, turns and dᵢ. */
function move(
  particles: usize,
  edges: usize,
  tracked: usize,
  trackedTurns: usize,
  x: usize,
  turns: usize,
  share: f64,
  found: usize,
): void {
  for (let a: usize = 0; a < 3; a++) {
    const p = x + 24 * <usize>load<u32>(particles + 4 * a);
    for (let c: usize = 0; c < 24; c += 8) add(p + c, tracked + 24 * a + c, share * load<f64>(found + 48 * a + 2 * c));
  }
  for (let side: usize = 0; side < 2; side++) {
    const e = turns + 8 * <usize>load<u32>(edges + 4 * side);
    add(e, trackedTurns + 8 * side, share * load<f64>(found + 144 + 16 * side));
  }
}

function add(a: usize, b: usize, delta: f64): void {
  store<f64>(a, load<f64>(a) + delta);
  store<f64>(b, load<f64>(b) + delta);
}
