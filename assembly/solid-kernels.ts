import { solve } from "./solid/solve";

/**
 * The sweep of GPBD over neo-Hookean tetrahedra (AssemblyScript, WebAssembly SIMD): `solveNeoHookeanTet` with one Newton iteration,
 * some elements of a color at a time: four in f32, or two in f64. The letters are those of neo-hookean-solve.ts; symmetric matrices have six entries xx, yy, zz,
 * xy, yz, zx, and so have rows and columns of 6 × 6 matrices.
 *
 * Elements of which more has to be done are left to the reference, and listed: those that are nearly flat, whose matrix is indefinite, or
 * for which the whole step is no descent.
 *
 * Places are bytes in the memory. Vectors have a number of each of the elements.
 */

/** Bytes of an element: places of its corners among the particles; Dm⁻¹ by rows and the volume; dᵢ of its corners. */
const CORNERS: usize = 16;
const REST: usize = 80;
const TRACKED: usize = 96;

/**
 * @param from first element of a color; `end` is the first one after it
 * @param isSingle 1 for f32, and f64 where that will not do
 * @param indices numbers of the corners, four u32 an element
 * @param rest ten f64 an element
 * @param tracked dᵢ, twelve f64 an element: changed
 * @param x positions, three f64 a particle: changed
 * @param x0 positions at the start of the time step
 * @param w Δt²/m of each particle, f64
 * @param mu [Pa]
 * @param bulk λ [Pa]
 * @param viscosity damping time over Δt
 * @param share part of each displacement that is made
 * @param isLogarithmic 1 for (20), 0 for (21)
 * @param scratch 1,248 bytes
 * @param list numbers of elements that are left over, u32: changed
 * @returns how many there are
 */
export function neoHookean(
  from: u32,
  end: u32,
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
  isLogarithmic: i32,
  scratch: usize,
  list: usize,
): u32 {
  let left: u32 = 0;
  for (let e = from; e < end; e++) store<u32>(list + 4 * left++, e);
  if (isSingle)
    left = some<f32>(left, indices, rest, tracked, x, x0, w, mu, bulk, viscosity, share, isLogarithmic, scratch, list);
  return some<f64>(left, indices, rest, tracked, x, x0, w, mu, bulk, viscosity, share, isLogarithmic, scratch, list);
}

/** Solves elements of a list with numbers of a type. @returns how many are left in it */
function some<T>(
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
  isLogarithmic: i32,
  scratch: usize,
  list: usize,
): u32 {
  const lanes: u32 = 16 / sizeof<T>();
  let left: u32 = 0;
  for (let i: u32 = 0; i < count; i += lanes) {
    const e0 = load<u32>(list + 4 * i);
    const e1 = i + 1 < count ? load<u32>(list + 4 * i, 4) : e0;
    const e2 = i + 2 < count ? load<u32>(list + 4 * i, 8) : e0;
    const e3 = i + 3 < count ? load<u32>(list + 4 * i, 12) : e0;
    const solved = solve<T>(
      indices + CORNERS * e0,
      indices + CORNERS * e1,
      indices + CORNERS * e2,
      indices + CORNERS * e3,
      rest + REST * e0,
      rest + REST * e1,
      rest + REST * e2,
      rest + REST * e3,
      tracked + TRACKED * e0,
      tracked + TRACKED * e1,
      tracked + TRACKED * e2,
      tracked + TRACKED * e3,
      x,
      x0,
      w,
      mu,
      bulk,
      viscosity,
      isLogarithmic,
      scratch,
    );
    for (let lane: u32 = 0; lane < lanes && i + lane < count; lane++) {
      const e = lane === 0 ? e0 : lane === 1 ? e1 : lane === 2 ? e2 : e3;
      if (solved & (1 << lane))
        move<T>(indices + CORNERS * e, tracked + TRACKED * e, x, w, share, scratch + lane * sizeof<T>());
      else store<u32>(list + 4 * left++, e);
    }
  }
  return left;
}

/** Adds a displacement to the positions and to dᵢ. Impulses in f32 add up to nothing, as that at the first corner is what the others leave. */
function move<T>(corners: usize, tracked: usize, x: usize, w: usize, share: f64, found: usize): void {
  for (let c: usize = 0; c < 24; c += 8) {
    let rest: f64 = 0;
    for (let a: usize = 4; a-- > 0;) {
      const p = <usize>load<u32>(corners + 4 * a);
      let delta = share * <f64>load<T>(found + 48 * a + 2 * c);
      if (sizeof<T>() === 4) {
        delta = a > 0 ? delta : rest;
        rest -= delta;
        delta *= load<f64>(w + 8 * p);
      }
      const to = x + 24 * p + c;
      store<f64>(to, load<f64>(to) + delta);
      store<f64>(tracked + 24 * a + c, load<f64>(tracked + 24 * a + c) + delta);
    }
  }
}
