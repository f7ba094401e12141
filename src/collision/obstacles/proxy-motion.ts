/**
 * Motion of proxies of rigid bodies that yield to contact within a frame, on the CPU; twin of
 * shaders/gpbd/contact/move-proxies.wgsl and reaction.wgsl. A substep moves proxies by h times the velocity that
 * earlier substeps gave them, and at its end by h times the velocity that its own contacts add. This is symplectic
 * Euler for the motion beyond the one that the host has planned.
 */
import type { ColliderSet } from "./collider-set";
import { sinCos } from "../../math/deterministic";
import { interpolatePoseBy, POSE, rotate } from "../shape/pose";
import { metered } from "./drive-meter";
import { displacePose, smallRotation } from "./displacement";
import { type RigidProxy, YIELD } from "./rigid-proxy";
import { lengthAt } from "../../math/vectors";

const pose = new Float64Array(POSE);
const arm = new Float64Array(3);
/** fraction of the frame */
const asked = new Float64Array(1);

/**
 * The particle's share of a push, s = w / (w + N h² w_b). N particles in contact with a proxy push it back, each as
 * strongly as it is pushed, so that particles and proxy together resolve the whole penetration. Without this share a
 * light body would be thrown off, and the sheet with it.
 *
 * @param primitive pushing primitive
 * @param w h²/m of the particle [s²/kg]
 * @param x position of the pushed particle [m]
 * @param at first of the three coordinates
 * @param n unit normal
 */
export function pushShare(
  set: ColliderSet,
  primitive: number,
  w: number,
  x: ArrayLike<number>,
  at: number,
  n: ArrayLike<number>,
): number {
  const owner = set.proxyOf[primitive];
  if (owner < 0) return 1;
  const { inverseMass, inverseInertia: i, support, blocked, centreNow, contacts } = set.proxies[owner];
  const rx = x[at] - centreNow[0];
  const ry = x[at + 1] - centreNow[1];
  const rz = x[at + 2] - centreNow[2];
  const tx = ry * n[2] - rz * n[1];
  const ty = rz * n[0] - rx * n[2];
  const tz = rx * n[1] - ry * n[0];
  const turning = quadratic(i, tx, ty, tz);
  const held = Math.min(0, support[0] * n[0] + support[1] * n[1] + support[2] * n[2]);
  const shifting = inverseMass * (1 - held * held - quadratic(blocked, n[0], n[1], n[2]));
  return w / (w + Math.max(1, contacts) * set.substepTime ** 2 * (shifting + turning));
}

/**
 * A body begins its frame: proxies return to their poses at the start of the frame, and keep the velocities that they
 * received since.
 */
export function beginProxies(set: ColliderSet): void {
  for (const { yielded, base } of set.proxies) yielded.set(base, YIELD.offset);
}

/**
 * Frames of several bodies one after the other. A proxy that a body does not push stays where others have left it: otherwise
 * its frame would move proxies by all that these gave them, as if that had acted from the start, and forget how many
 * contacts they have, so that a box on one body would rock because of another one far away.
 */
export class SeparateFrames {
  /** impulses of each proxy before all frames */
  private readonly first = new Float64Array(6 * this.set.proxies.length);
  /** numbers of each proxy before a frame: impulses, what it yielded, contacts */
  private readonly before = new Float64Array(SAVED * this.set.proxies.length);

  constructor(private readonly set: ColliderSet) {
    set.proxies.forEach(({ wrench }, k) => this.first.set(wrench, 6 * k));
  }

  /** Before the frame of a body. */
  begin(): void {
    this.set.proxies.forEach(({ wrench, yielded, contacts }, k) => {
      this.before.set(wrench, SAVED * k);
      this.before.set(yielded, SAVED * k + 6);
      this.before[SAVED * k + SAVED - 1] = contacts;
    });
  }

  /** After it. */
  end(): void {
    this.set.proxies.forEach((proxy, k) => {
      // Expected forces that nothing exerted have been taken back in the frame.
      if (proxy.expected.some((value) => value !== 0) || this.isPushed(proxy, k)) return;
      for (let i = 0; i < YIELD.size; i++) proxy.yielded[i] = this.before[SAVED * k + 6 + i]!;
      // Shares of pushes depend on that number, also in the next frame.
      proxy.contacts = this.before[SAVED * k + SAVED - 1]!;
    });
  }

  /** Whether the frame pushed a proxy, or one that moves it. */
  private isPushed({ wrench, seat }: RigidProxy, k: number): boolean {
    if (!isSame(wrench, this.before, SAVED * k)) return true;
    const { proxies } = this.set;
    return (
      seat?.island.proxies.some((other) => !isSame(other.wrench, this.before, SAVED * proxies.indexOf(other))) === true
    );
  }

  /** After the frames of all. */
  finish(): void {
    this.set.proxies.forEach((proxy, k) => {
      if (!proxy.rests && isSame(proxy.wrench, this.first, 6 * k)) proxy.contacts = 0;
    });
  }
}

/** Impulses, what a proxy yielded, and its contacts. */
const SAVED = 6 + YIELD.size + 1;

const isSame = (a: Float64Array, b: Float64Array, at: number): boolean => a.every((value, i) => value === b[at + i]);

/**
 * Places the primitives of proxies at their poses at the start and at the end of a substep.
 *
 * @param fraction0 start of the substep in the frame, 0 to 1; `fraction1` is its end
 * @param dt length of the frame [s]
 * @param isSolved whether contacts of the substep are solved together with the poses at its end. If so, expected forces
 * act before the contacts, otherwise with them; without that distinction, particles carried by a proxy would slide as
 * it moves to and fro
 */
export function moveProxies(
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  dt: number,
  isSolved = false,
): void {
  const h = (fraction1 - fraction0) * dt;
  if (isSolved) for (const proxy of set.proxies) takeBack(proxy, h, 0);
  placePrimitives(set, fraction0, dt, set.substepStarts);
  for (const proxy of set.proxies) {
    const { yielded, centreNow, centre, velocity, acceleration, drift, spinAcceleration, spinDrift } = proxy;
    const late = proxy.lag * h;
    for (let c = 0; c < 3; c++) {
      yielded[c] += (fraction0 === 0 ? drift[c] - late * acceleration[c] : 0) + h * acceleration[c];
      yielded[YIELD.spin + c] +=
        (fraction0 === 0 ? spinDrift[c] - late * spinAcceleration[c] : 0) + h * spinAcceleration[c];
    }
    for (let i = 0; i < 6; i++) yielded[YIELD.offset + i] += h * yielded[YIELD.velocity + i];
    for (let c = 0; c < 3; c++) proxy.way[c] = h * (velocity[c] + yielded[c]);
    // The solver of the rigid body has this part in its velocity already. The rest comes from contacts.
    for (let c = 0; c < 3 && fraction1 === 1; c++) {
      yielded[c] -= drift[c] + (dt - late) * acceleration[c];
      yielded[YIELD.spin + c] -= spinDrift[c] + (dt - late) * spinAcceleration[c];
    }
    for (let c = 0; c < 3; c++) centreNow[c] = centre[c] + fraction1 * dt * velocity[c] + yielded[YIELD.offset + c];
  }
  set.substepTime = h;
  set.timeLeft = (1 - fraction1) * dt;
  placePrimitives(set, fraction1, dt, set.substepEnds);
}

const spun = new Float64Array(3);
const sines = new Float64Array(2);

/**
 * Position of a point that a proxy carries, at the end of the substep that `moveProxies` was called for.
 *
 * @param proxy carrying proxy
 * @param time from the start of the frame to the end of the substep [s]
 * @param arms from the center of mass to the points at the start of the frame, three numbers each, world axes [m]
 * @param at first of the three numbers of this point
 * @param out from `outAt` on: changed
 */
export function placeCarried(
  { yielded, centreNow, spin }: RigidProxy,
  time: number,
  arms: ArrayLike<number>,
  at: number,
  out: Float64Array,
  outAt: number,
): void {
  const rate = lengthAt(spin, 0);
  const half = 0.5 * rate * time;
  sines[0] = half;
  sinCos(sines);
  const scale = rate > 0 ? sines[0] / rate : 0;
  for (let c = 0; c < 3; c++) turning[3 + c] = scale * spin[c];
  turning[6] = sines[1];
  rotate(turning, 0, arms[at], arms[at + 1], arms[at + 2], spun, 0);
  smallRotation(yielded, YIELD.turn, turning);
  rotate(turning, 0, spun[0], spun[1], spun[2], turned, 0);
  for (let c = 0; c < 3; c++) out[outAt + c] = centreNow[c] + turned[c];
}

/**
 * Upper bound of the inverse mass of a proxy at a point that it carries [1/kg], for a load on all its carried points at once: 1/m and the
 * trace of [r]× I⁻¹ [r]×ᵀ, at least as much as in the direction in which the point yields most.
 *
 * @param x the point, from place `at` on [m]
 */
export function inverseMassCarried(
  { inverseMass, inverseInertia: i, centreNow, carried }: RigidProxy,
  x: ArrayLike<number>,
  at: number,
): number {
  const rx = x[at] - centreNow[0];
  const ry = x[at + 1] - centreNow[1];
  const rz = x[at + 2] - centreNow[2];
  const turning = (rx * rx + ry * ry + rz * rz) * (i[0] + i[1] + i[2]) - quadratic(i, rx, ry, rz);
  return carried * (inverseMass + turning);
}

function placePrimitives(set: ColliderSet, fraction: number, dt: number, out: Float64Array): void {
  asked[0] = fraction;
  const time = fraction * dt;
  for (let k = 0; k < set.primitiveCount; k++) {
    const owner = set.proxyOf[k];
    if (owner < 0) continue;
    const { yielded, centre, velocity } = set.proxies[owner];
    interpolatePoseBy(set.startPoses, set.endPoses, POSE * k, asked, 0, pose);
    // It is turned about the center of mass, then offset.
    for (let c = 0; c < 3; c++) arm[c] = pose[c] - centre[c] - time * velocity[c];
    displacePose(pose, arm, yielded, YIELD.offset);
    out.set(pose, POSE * k);
    // upper bound of the distance by which the displacement takes a point out of the primitive's box of the frame
    let radius = 0;
    for (let c = 0; c < 3; c++) {
      const at = centre[c] + time * velocity[c];
      radius += Math.max(at - set.bounds[6 * k + c], set.bounds[6 * k + 3 + c] - at) ** 2;
    }
    const moved = lengthAt(yielded, YIELD.offset) + lengthAt(yielded, YIELD.turn) * Math.sqrt(radius);
    set.slack[k] = out === set.substepStarts ? moved : Math.max(set.slack[k], moved);
  }
}

const turning = new Float64Array(POSE);
const turned = new Float64Array(3);

/** Part of an impulse that a support takes up along its direction. A support pushes and never pulls. */
export function heldOf(support: ArrayLike<number>, impulse: ArrayLike<number>): number {
  return Math.max(0, support[0] * impulse[0] + support[1] * impulse[1] + support[2] * impulse[2]);
}

/** xᵀ M x of a symmetric matrix xx, yy, zz, xy, xz, yz. */
export function quadratic(m: ArrayLike<number>, x: number, y: number, z: number): number {
  return m[0] * x * x + m[1] * y * y + m[2] * z * z + 2 * (m[3] * x * y + m[4] * x * z + m[5] * y * z);
}

const change = new Float64Array(6);
/** impulse of a substep at a proxy, and what is left of one that a support takes up */
const w = new Float64Array(6);
const taken = new Float64Array(6);

/** Writes the velocity that an impulse and an angular impulse about the center of mass give a proxy to `change`. */
function answer({ inverseMass, inverseInertia: i, blocked: d }: RigidProxy, impulse: Float64Array): void {
  const x = impulse[0];
  const y = impulse[1];
  const z = impulse[2];
  const tx = impulse[3];
  const ty = impulse[4];
  const tz = impulse[5];
  change[0] = inverseMass * (x - (d[0] * x + d[3] * y + d[4] * z));
  change[1] = inverseMass * (y - (d[3] * x + d[1] * y + d[5] * z));
  change[2] = inverseMass * (z - (d[4] * x + d[5] * y + d[2] * z));
  change[3] = i[0] * tx + i[3] * ty + i[4] * tz;
  change[4] = i[3] * tx + i[1] * ty + i[5] * tz;
  change[5] = i[4] * tx + i[5] * ty + i[2] * tz;
}

/**
 * Subtracts the motion by expected forces, which a proxy has already, for a substep of h [s].
 * @param offset time for which they have moved the proxy [s]
 */
function takeBack(proxy: RigidProxy, h: number, offset: number): void {
  const { expected: e, seat } = proxy;
  if (seat?.island.answer) {
    const { island, place } = seat;
    const changes = new Float64Array(6 * island.proxies.length);
    island.answer!(
      place,
      e.map((value) => -h * value),
      changes,
    );
    island.proxies.forEach((other, k) => moveOn(other, changes, 6 * k, offset));
    return;
  }
  for (let n = 0; n < 6; n++) taken[n] = -h * e[n];
  answer(proxy, taken);
  moveOn(proxy, change, 0, offset);
}

/**
 * Ends a substep: its impulses change the velocities and positions of the proxies, and are added to the impulses for
 * the host.
 *
 * @param isSolved as for `moveProxies`
 */
export function yieldProxies(set: ColliderSet, isSolved = false): void {
  for (let owner = 0; owner < set.proxies.length; owner++) {
    const proxy = set.proxies[owner];
    for (let n = 0; n < 6; n++) w[n] = set.substepWrenches[6 * owner + n];
    set.substepWrenches.fill(0, 6 * owner, 6 * owner + 6);
    const { support, centreNow: c, wrench } = proxy;
    const tx = w[3] - (c[1] * w[2] - c[2] * w[1]);
    const ty = w[4] - (c[2] * w[0] - c[0] * w[2]);
    const tz = w[5] - (c[0] * w[1] - c[1] * w[0]);
    // About where the center is now: a body that has gone on since is not turned by what met it before.
    w[3] = tx;
    w[4] = ty;
    w[5] = tz;
    metered.by?.relate(proxy, w);
    const { seat } = proxy;
    if (seat && (!isSolved || seat.island.answer)) {
      seat.island.impulses.set(w, 6 * seat.place);
      if (!isSolved) takeBack(proxy, set.substepTime, set.substepTime);
      continue;
    }
    const held = heldOf(support, w);
    for (let n = 0; n < 6; n++) taken[n] = n < 3 ? w[n] - held * support[n] : w[n];
    answer(proxy, taken);
    moveOn(proxy, change, 0, set.substepTime);
    if (!isSolved) takeBack(proxy, set.substepTime, set.substepTime);
    for (let n = 0; n < 6; n++) wrench[n] += w[n];
  }
  for (const island of set.islands) {
    if (isSolved && !island.answer) continue;
    island.respond(set.substepTime, set.timeLeft);
    island.proxies.forEach((proxy, place) => {
      moveOn(proxy, island.changes, 6 * place, set.substepTime);
      for (let n = 0; n < 6; n++) proxy.wrench[n] += island.impulses[6 * place + n];
    });
    island.impulses.fill(0);
  }
}

/** A substep gives a proxy velocities, six numbers from place `at` on. */
function moveOn({ yielded }: RigidProxy, by: ArrayLike<number>, at: number, h: number): void {
  for (let n = 0; n < 6; n++) {
    yielded[YIELD.velocity + n] += by[at + n];
    yielded[YIELD.offset + n] += h * by[at + n];
  }
}
