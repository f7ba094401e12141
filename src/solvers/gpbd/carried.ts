import type { ColliderSet } from "../../collision/obstacles/collider-set";
import { inverseMassCarried, placeCarried } from "../../collision/obstacles/proxy-motion";
import type { PinTable } from "../deformable";

/**
 * Particles that a rigid body carries, and that pull at it. They have no mass of their own: the body has it. Each particle begins a
 * substep at its place on the body and answers the elements with the inverse mass of the body there. The body then gets the motion
 * that the elements gave the particle. So momentum is kept, however light the body is.
 *
 * A particle answers as if the body gave way as much as it can there, for all of its particles at once. So the body never moves
 * further than its particles have, and the rest of a load comes with the next substeps. Twin of predict.wgsl and reaction.wgsl.
 */
export interface Carried {
  /** the particles */
  readonly particles: Uint32Array;
  /** place of the proxy of each in `ColliderSet.proxies` */
  readonly owners: Uint32Array;
  /** where the body has each in the substep, three numbers each [m] */
  readonly places: Float64Array;
  /** from there to the particle, see `PinTable.ways` [m] */
  readonly ways: Float64Array;
  /** impulse that its own body gave each in the frame, three numbers each [N s] */
  readonly given: Float64Array;
  /** 1 for each that is */
  readonly isCarried: Uint8Array;
}

/**
 * Particles of a body that rigid bodies carry in this frame; undefined if there are none. A proxy that does not yield moves its
 * particles as pins instead.
 */
export function carriedIn(pins: PinTable, set: ColliderSet): Carried | undefined {
  const { pinned, proxies } = pins;
  if (!proxies) return undefined;
  const particles: number[] = [];
  const owners: number[] = [];
  for (let p = 0; p < pinned.length; p++) {
    const owner = carrierOf(pins, set, p);
    if (owner < 0) continue;
    particles.push(p);
    owners.push(owner);
  }
  if (particles.length === 0) return undefined;
  const isCarried = new Uint8Array(pinned.length);
  for (const p of particles) isCarried[p] = 1;
  const [places, given] = [new Float64Array(3 * particles.length), new Float64Array(3 * particles.length)];
  const ways = Float64Array.from(given, (_, i) => pins.ways![3 * particles[Math.floor(i / 3)] + (i % 3)]);
  return {
    particles: Uint32Array.from(particles),
    owners: Uint32Array.from(owners),
    places,
    ways,
    given,
    isCarried,
  };
}

/** Place of the proxy that carries a particle and yields; −1 for none. */
export function carrierOf({ pinned, proxies }: PinTable, set: ColliderSet, p: number): number {
  const proxy = pinned[p] === 1 ? proxies?.[p] : undefined;
  return proxy && proxy.inverseMass > 0 ? set.proxies.indexOf(proxy) : -1;
}

/**
 * Begins a substep.
 *
 * @param positions n × 3 [m]: changed
 * @param w h²/m of each particle [s²/kg]: changed
 * @param time from the start of the frame to the end of the substep, of length h [s]
 */
export function predictCarried(
  { particles, owners, places, ways }: Carried,
  set: ColliderSet,
  arms: Float64Array,
  positions: Float64Array,
  w: Float64Array,
  time: number,
  h: number,
): void {
  for (let k = 0; k < particles.length; k++) {
    const p = particles[k];
    const proxy = set.proxies[owners[k]];
    placeCarried(proxy, time, arms, 3 * p, places, 3 * k);
    w[p] = h * h * inverseMassCarried(proxy, places, 3 * k);
    for (let c = 0; c < 3; c++) positions[3 * p + c] = places[3 * k + c] + ways[3 * k + c];
  }
}

/**
 * Ends it: adds the impulses that bodies get from what their particles were moved by. Parameters as of `predictCarried`.
 *
 * @param h substep [s], times the part of the impulses that counts
 * @param wrenches impulse [N s] and angular impulse about the world's origin [N m s] of each proxy: added to
 * @param given what is added to `Carried.given`; default nothing
 */
export function addLoads(
  { particles, owners, places, ways }: Carried,
  positions: Float64Array,
  w: Float64Array,
  h: number,
  wrenches: Float64Array,
  given?: Float64Array,
): void {
  for (let k = 0; k < particles.length; k++) {
    const p = particles[k];
    const at = 6 * owners[k];
    const x = places[3 * k];
    const y = places[3 * k + 1];
    const z = places[3 * k + 2];
    const scale = h / w[p];
    const jx = scale * (positions[3 * p] - ways[3 * k] - x);
    const jy = scale * (positions[3 * p + 1] - ways[3 * k + 1] - y);
    const jz = scale * (positions[3 * p + 2] - ways[3 * k + 2] - z);
    if (given) {
      given[3 * k] += jx;
      given[3 * k + 1] += jy;
      given[3 * k + 2] += jz;
    }
    wrenches[at] += jx;
    wrenches[at + 1] += jy;
    wrenches[at + 2] += jz;
    wrenches[at + 3] += y * jz - z * jy;
    wrenches[at + 4] += z * jx - x * jz;
    wrenches[at + 5] += x * jy - y * jx;
  }
}
