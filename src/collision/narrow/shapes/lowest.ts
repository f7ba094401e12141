import type { Manifold } from "../manifold";

/** Four contacts are enough if separations differ by less than this part of the contacts' extent. */
const LEVEL = 0.03;
/** Four contacts are enough if separations differ from a plane's by less than this part of the contacts' extent. */
const EVEN = 1e-3;
/** Slopes, and number of directions, of the planes that are laid against the contacts from below. */
const SLOPES = [0.01, 0.15, 0.5, 2];
const DIAGONAL = Math.SQRT1_2;
const ACROSS = [1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL, 0, DIAGONAL];
const UP = [0, DIAGONAL, 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL];

let taken = new Uint8Array(64);
/** positions of contacts across the normal, two numbers each */
let places = new Float64Array(128);

/**
 * Reduces contacts whose separations differ much: a body that turns while it falls may hit with more than four of them.
 * To first order, the separation of a point of a body changes by an affine function of its position across the normal.
 * So a contact can close first only if some plane touches the points (position, separation) from below at that contact.
 * The contacts that planes of 33 slopes touch are kept.
 *
 * @returns false, with nothing done, if all separations are about equal, like those of one face, so that the four
 * contacts of `Manifold.reduce` hold the body. For a ring that lies on a floor, those four would be on its outer rim,
 * above the floor
 */
export function keepLowest(m: Manifold): boolean {
  const { pointA: p, separation, count, nx, ny, nz } = m;
  // Two directions across the normal.
  const size = Math.abs(nx) > 0.6 ? Math.sqrt(nx * nx + nz * nz) : Math.sqrt(ny * ny + nz * nz);
  const [ux, uy, uz] = Math.abs(nx) > 0.6 ? [-nz / size, 0, nx / size] : [0, nz / size, -ny / size];
  const [vx, vy, vz] = [ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux];
  if (places.length < 2 * count) places = new Float64Array(4 * count);
  let [lowU, highU, lowV, highV, least, most] = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    const u = (places[2 * i] = p[3 * i] * ux + p[3 * i + 1] * uy + p[3 * i + 2] * uz);
    const v = (places[2 * i + 1] = p[3 * i] * vx + p[3 * i + 1] * vy + p[3 * i + 2] * vz);
    least = Math.min(least, separation[i]);
    most = Math.max(most, separation[i]);
    lowU = Math.min(lowU, u);
    highU = Math.max(highU, u);
    lowV = Math.min(lowV, v);
    highV = Math.max(highV, v);
  }
  const extent = Math.max(highU - lowU, highV - lowV);
  if (most - least <= EVEN * extent) return false;
  if (most - least <= LEVEL * extent && unevenness(separation, count) <= EVEN * extent) return false;
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

/** Largest difference of the separations from the plane that fits them best (linear regression in their `places`). */
function unevenness(separation: Float64Array, count: number): number {
  let [mu, mv, ms] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    mu += places[2 * i] / count;
    mv += places[2 * i + 1] / count;
    ms += separation[i] / count;
  }
  let [uu, uv, vv, us, vs] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [u, v, s] = [places[2 * i] - mu, places[2 * i + 1] - mv, separation[i] - ms];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    us += u * s;
    vs += v * s;
  }
  // collinear points have no slope across their line
  const tiny = 1e-9 * (uu + vv);
  const scale = 1 / ((uu + tiny) * (vv + tiny) - uv * uv);
  const a = scale * ((vv + tiny) * us - uv * vs);
  const b = scale * ((uu + tiny) * vs - uv * us);
  let most = 0;
  for (let i = 0; i < count; i++)
    most = Math.max(most, Math.abs(separation[i] - ms - a * (places[2 * i] - mu) - b * (places[2 * i + 1] - mv)));
  return most;
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
