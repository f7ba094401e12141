import type { Manifold } from "./manifold";

/** Part of the contacts' extent by which their separations may differ where four of them are enough. */
const LEVEL = 0.03;
/** Slopes of the planes that are laid against the contacts from below, and their directions. */
const SLOPES = [0.15, 0.5, 2];
const DIAGONAL = Math.SQRT1_2;
const ACROSS = [1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL, 0, DIAGONAL];
const UP = [0, DIAGONAL, 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL];

let taken = new Uint8Array(64);

/**
 * Thins out contacts of which some are much further apart than others: a body that turns while it comes down is hit by
 * more than four of them. To first order the separation of a point of a body changes by an affine function of its place
 * across the normal. So a contact says something new only if some plane touches the points (place, separation) there from
 * below; kept are those that planes of 25 slopes touch.
 *
 * @returns false, with nothing done, where all are about as far apart and the four of `Manifold.reduce` hold the body
 */
export function keepLowest(m: Manifold): boolean {
  const { pointA: p, separation, count, nx, ny, nz } = m;
  // Two directions across the normal.
  const size = Math.abs(nx) > 0.6 ? Math.sqrt(nx * nx + nz * nz) : Math.sqrt(ny * ny + nz * nz);
  const [ux, uy, uz] = Math.abs(nx) > 0.6 ? [-nz / size, 0, nx / size] : [0, nz / size, -ny / size];
  const [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux];
  let [lowU, highU, lowV, highV, least, most] = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const u = p[3 * i] * ux + p[3 * i + 1] * uy + p[3 * i + 2] * uz;
    const v = p[3 * i] * vx + p[3 * i + 1] * vy + p[3 * i + 2] * vz;
    least = Math.min(least, separation[i]);
    most = Math.max(most, separation[i]);
    lowU = Math.min(lowU, u);
    highU = Math.max(highU, u);
    lowV = Math.min(lowV, v);
    highV = Math.max(highV, v);
  }
  if (most - least <= LEVEL * Math.max(highU - lowU, highV - lowV)) return false;
  if (taken.length < count) taken = new Uint8Array(2 * count);
  taken.fill(0, 0, count);
  takeLowest(p, separation, count, 0, 0, 0);
  for (const slope of SLOPES)
    for (let k = 0; k < ACROSS.length; k++) {
      const [a, b] = [slope * ACROSS[k], slope * UP[k]];
      takeLowest(p, separation, count, a * ux + b * vx, a * uy + b * vy, a * uz + b * vz);
    }
  m.keep(taken);
  return true;
}

/** The contact that a plane of a slope touches first from below. */
function takeLowest(p: Float64Array, separation: Float64Array, count: number, x: number, y: number, z: number): void {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const height = separation[i] + x * p[3 * i] + y * p[3 * i + 1] + z * p[3 * i + 2];
    if (height < least) {
      least = height;
      best = i;
    }
  }
  taken[best] = 1;
}
