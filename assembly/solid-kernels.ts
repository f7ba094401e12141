import { gather, move, scatter } from "./solid/gather";
import { BLOCK, steps, strains } from "./solid/law";
import { solve } from "./solid/solve";

/**
 * The sweep of GPBD over neo-Hookean tetrahedra, or over points of quadratic ones (AssemblyScript, WebAssembly SIMD): `solveNeoHookeanTet` with one Newton iteration,
 * some elements of a color at a time: four in f32, or two in f64. The letters are those of neo-hookean-solve.ts; symmetric matrices have six entries xx, yy, zz,
 * xy, yz, zx, and so have rows and columns of 6 × 6 matrices.
 *
 * Elements of which more has to be done are left to the reference, and listed: those that are nearly flat, whose matrix is indefinite, or
 * for which the whole step is no descent.
 *
 * Places are bytes in the memory. Vectors have a number of each of the elements.
 */

/**
 * @param nodes vertices of an element
 * @param from first element of a color; `end` is the first one after it, and every `stride`-th is swept
 * @param isSingle 1 for f32, and f64 where that will not do
 * @param indices numbers of the vertices, u32
 * @param rest gradients of all vertices but the first, and the volume, f64
 * @param tracked dᵢ, three f64 a vertex of an element: changed
 * @param x positions, three f64 a particle: changed
 * @param x0 positions at the start of the time step
 * @param w Δt²/m of each particle, f64
 * @param mu [Pa]
 * @param bulk λ [Pa]
 * @param viscosity damping time over Δt
 * @param share part of each displacement that is made
 * @param isCold 1 for a cold start, see `ElementScratch`
 * @param isLogarithmic 1 for (20), 0 for (21)
 * @param scratch 2,816 bytes
 * @param list numbers of elements that are left over, u32: changed
 * @returns how many there are
 */
export function neoHookean(
  nodes: usize,
  from: u32,
  end: u32,
  stride: u32,
  isSingle: i32,
  indices: usize,
  rest: usize,
  tracked: usize,
  x: usize,
  x0: usize,
  w: usize,
  mu: f64,
  bulk: f64,
  viscosity: f64,
  share: f64,
  isCold: i32,
  isLogarithmic: i32,
  scratch: usize,
  list: usize,
): u32 {
  let left: u32 = 0;
  for (let e = from; e < end; e += stride) store<u32>(list + 4 * left++, e);
  if (isSingle)
    left = some<f32>(
      nodes,
      left,
      indices,
      rest,
      tracked,
      x,
      x0,
      w,
      mu,
      bulk,
      viscosity,
      share,
      isCold,
      isLogarithmic,
      scratch,
      list,
    );
  return some<f64>(
    nodes,
    left,
    indices,
    rest,
    tracked,
    x,
    x0,
    w,
    mu,
    bulk,
    viscosity,
    share,
    isCold,
    isLogarithmic,
    scratch,
    list,
  );
}

/** Solves elements of a list with numbers of a type. @returns how many are left in it */
function some<T>(
  nodes: usize,
  count: u32,
  indices: usize,
  rest: usize,
  tracked: usize,
  x: usize,
  x0: usize,
  w: usize,
  mu: f64,
  bulk: f64,
  viscosity: f64,
  share: f64,
  isCold: i32,
  isLogarithmic: i32,
  scratch: usize,
  list: usize,
): u32 {
  const lanes: u32 = 16 / sizeof<T>();
  const corners = 4 * nodes;
  const restBytes = 24 * nodes - 16;
  const places = 24 * nodes;
  let left: u32 = 0;
  for (let i: u32 = 0; i < count; i += lanes) {
    const e0 = load<u32>(list + 4 * i);
    const e1 = i + 1 < count ? load<u32>(list + 4 * i, 4) : e0;
    const e2 = i + 2 < count ? load<u32>(list + 4 * i, 8) : e0;
    const e3 = i + 3 < count ? load<u32>(list + 4 * i, 12) : e0;
    const isSound = gather<T>(
      nodes,
      indices + corners * e0,
      indices + corners * e1,
      indices + corners * e2,
      indices + corners * e3,
      rest + restBytes * e0,
      rest + restBytes * e1,
      rest + restBytes * e2,
      rest + restBytes * e3,
      tracked + places * e0,
      tracked + places * e1,
      tracked + places * e2,
      tracked + places * e3,
      x,
      viscosity > 0 ? x0 : 0,
      w,
      scratch,
    );
    const found = v128.and(isSound, solve<T>(scratch, mu, bulk, viscosity, isCold, isLogarithmic));
    scatter<T>(nodes, scratch);
    const solved = sizeof<T>() === 8 ? v128.bitmask<i64>(found) : v128.bitmask<i32>(found);
    for (let lane: u32 = 0; lane < lanes && i + lane < count; lane++) {
      const e = lane === 0 ? e0 : lane === 1 ? e1 : lane === 2 ? e2 : e3;
      if (solved & (1 << lane))
        move<T>(nodes, indices + corners * e, tracked + places * e, x, w, share, scratch + lane * sizeof<T>());
      else store<u32>(list + 4 * left++, e);
    }
  }
  return left;
}

/**
 * Strains of elements e, e + stride, … of a color, before `end` and as many as there is room for, two in a block of `blocks`, see law.ts.
 *
 * @param isDamped 1 where the strain at the start of the time step is wanted, too
 */
export function lawStrains(
  nodes: usize,
  from: u32,
  end: u32,
  stride: u32,
  indices: usize,
  rest: usize,
  tracked: usize,
  x: usize,
  x0: usize,
  w: usize,
  isDamped: i32,
  blocks: usize,
): void {
  const corners = 4 * nodes;
  const restBytes = 24 * nodes - 16;
  const places = 24 * nodes;
  for (let e = from; e < end; e += 2 * stride, blocks += BLOCK) {
    const next = e + stride < end ? e + stride : e;
    const c0 = indices + corners * e;
    const c1 = indices + corners * next;
    const r0 = rest + restBytes * e;
    const r1 = rest + restBytes * next;
    const t0 = tracked + places * e;
    const t1 = tracked + places * next;
    gather<f64>(nodes, c0, c1, c1, c1, r0, r1, r1, r1, t0, t1, t1, t1, x, isDamped ? x0 : 0, w, blocks);
    strains(blocks, isDamped !== 0);
  }
}

/** Steps of the elements in so many blocks, with derivatives of the energy in them. */
export function lawSteps(nodes: usize, count: u32, blocks: usize): void {
  for (let i: u32 = 0; i < count; i++, blocks += BLOCK) steps(nodes, blocks);
}
