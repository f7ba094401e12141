import { solve } from "./solid/solve";

/**
 * The sweep of GPBD over neo-Hookean tetrahedra (AssemblyScript, WebAssembly SIMD): `solveNeoHookeanTet` with one Newton iteration, in
 * f64, two elements of a color at a time. The letters are those of neo-hookean-solve.ts; symmetric matrices have six entries xx, yy, zz,
 * xy, yz, zx, and so have rows and columns of 6 × 6 matrices.
 *
 * Elements of which more has to be done are left to the reference, and listed: those that are nearly flat, whose matrix is indefinite, or
 * for which the whole step is no descent.
 *
 * Places are bytes in the memory. Vectors have a number of each of the two elements.
 */

/** Bytes of an element: places of its corners among the particles; Dm⁻¹ by rows and the volume; dᵢ of its corners. */
const CORNERS: usize = 16;
const REST: usize = 80;
const TRACKED: usize = 96;

/**
 * @param from first element of a color; `end` is the first one after it
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
  for (let e = from; e < end; e += 2) {
    const isPair = e + 1 < end;
    const other = isPair ? e + 1 : e;
    const solved = solve(
      indices + CORNERS * e,
      indices + CORNERS * other,
      rest + REST * e,
      rest + REST * other,
      tracked + TRACKED * e,
      tracked + TRACKED * other,
      x,
      x0,
      w,
      mu,
      bulk,
      viscosity,
      isLogarithmic,
      scratch,
    );
    if (solved & 1) move(indices + CORNERS * e, tracked + TRACKED * e, x, share, scratch, 0);
    else store<u32>(list + 4 * left++, e);
    if (!isPair) continue;
    if (solved & 2) move(indices + CORNERS * other, tracked + TRACKED * other, x, share, scratch, 8);
    else store<u32>(list + 4 * left++, other);
  }
  return left;
}

/** Adds a displacement to the positions and to dᵢ. */
function move(corners: usize, tracked: usize, x: usize, share: f64, found: usize, lane: usize): void {
  for (let a: usize = 0; a < 4; a++) {
    const p = x + 24 * <usize>load<u32>(corners + 4 * a);
    for (let c: usize = 0; c < 24; c += 8) {
      const delta = share * load<f64>(found + 48 * a + 2 * c + lane);
      store<f64>(p + c, load<f64>(p + c) + delta);
      store<f64>(tracked + 24 * a + c, load<f64>(tracked + 24 * a + c) + delta);
    }
  }
}
