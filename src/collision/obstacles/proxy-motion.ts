/**
 * How proxies of rigid bodies yield to contact within a frame, on the CPU; twin of shaders/gpbd/contact/move-proxies.wgsl and
 * reaction.wgsl. A substep moves them by h times the velocity that earlier substeps gave them, and at its end by what its own
 * contacts add to that: symplectic Euler for what comes on top of the motion that the host has planned.
 */
import type { ColliderSet } from "./collider-set";
import { cos, sin } from "../../math/deterministic";
import { interpolatePose, POSE, rotate } from "../shape/pose";
import { metered } from "./drive-meter";
import { displacePose, smallRotation } from "./displacement";
import { type RigidProxy, YIELD } from "./rigid-proxy";

const pose = new Float64Array(POSE);
const arm = new Float64Array(3);

/**
 * The part of a push that a particle takes, s = w / (w + N h² w_b): N particles in contact with a proxy push it back, each as
 * strongly as it is pushed, so that together the two move by all of it. A light body would be thrown off otherwise, and the
 * sheet with it.
 *
 * @param primitive that pushes
 * @param w h²/m of the particle [s²/kg]
 * @param x where it is pushed [m]
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

/** A body begins its frame: proxies stand where they were when the frame began, with what they were given since. */
export function beginProxies(set: ColliderSet): void {
  for (const { yielded, base } of set.proxies) yielded.set(base, YIELD.offset);
}

/**
 * Puts the primitives of proxies where they are at the start and at the end of a substep.
 *
 * @param fraction0 where in the frame the substep begins, 0 to 1; `fraction1` where it ends
 * @param dt of the frame [s]
 * @param isSolved whether contacts of the substep are solved with where it ends: then all else acts before them, else with them, or what a
 * proxy carries would slide as it moves to and fro
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
  for (const { yielded, centreNow, centre, velocity, acceleration, drift, ...rest } of set.proxies) {
    const { spinAcceleration, spinDrift, lag } = rest;
    const late = lag * h;
    for (let c = 0; c < 3; c++) {
      yielded[c] += (fraction0 === 0 ? drift[c] - late * acceleration[c] : 0) + h * acceleration[c];
      yielded[YIELD.spin + c] +=
        (fraction0 === 0 ? spinDrift[c] - late * spinAcceleration[c] : 0) + h * spinAcceleration[c];
    }
    for (let i = 0; i < 6; i++) yielded[YIELD.offset + i] += h * yielded[YIELD.velocity + i];
    // It is in the velocity of who moves the body: what is left is what contacts have given.
    for (let c = 0; c < 3 && fraction1 === 1; c++) {
      yielded[c] -= drift[c] + (dt - late) * acceleration[c];
      yielded[YIELD.spin + c] -= spinDrift[c] + (dt - late) * spinAcceleration[c];
    }
    for (let c = 0; c < 3; c++) centreNow[c] = centre[c] + fraction1 * dt * velocity[c] + yielded[YIELD.offset + c];
  }
  set.substepTime = h;
  placePrimitives(set, fraction1, dt, set.substepEnds);
}

const spun = new Float64Array(3);

/**
 * Where a proxy has a point that it carries, at the end of the substep that `moveProxies` was called for.
 *
 * @param proxy that carries
 * @param time from the start of the frame to the end of the substep [s]
 * @param arms from the centre of mass to the points at the start of the frame, three numbers each, world axes [m]
 * @param at first of the three of this one
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
  const rate = norm(spin, 0);
  const half = 0.5 * rate * time;
  const scale = rate > 0 ? sin(half) / rate : 0;
  for (let c = 0; c < 3; c++) turning[3 + c] = scale * spin[c];
  turning[6] = cos(half);
  rotate(turning, 0, arms[at], arms[at + 1], arms[at + 2], spun, 0);
  smallRotation(yielded, YIELD.turn, turning);
  rotate(turning, 0, spun[0], spun[1], spun[2], turned, 0);
  for (let c = 0; c < 3; c++) out[outAt + c] = centreNow[c] + turned[c];
}

/**
 * The inverse mass by which a proxy answers at a point that it carries, at most [1/kg]: in the direction in which it gives way most, and
 * for a load on all that it carries at once.
 *
 * @param x the point, from place `at` on [m]
 */
export function inverseMassCarried(
  { inverseMass, inverseInertia: i, centreNow, carried }: RigidProxy,
  x: ArrayLike<number>,
  at: number,
): number {
  const squared = (x[at] - centreNow[0]) ** 2 + (x[at + 1] - centreNow[1]) ** 2 + (x[at + 2] - centreNow[2]) ** 2;
  return carried * (inverseMass + squared * (i[0] + i[1] + i[2]));
}

function placePrimitives(set: ColliderSet, fraction: number, dt: number, out: Float64Array): void {
  for (let k = 0; k < set.primitiveCount; k++) {
    const owner = set.proxyOf[k];
    if (owner < 0) continue;
    const proxy = set.proxies[owner];
    interpolatePose(set.startPoses, set.endPoses, POSE * k, fraction, pose);
    displace(pose, proxy, fraction * dt);
    out.set(pose, POSE * k);
    // how far the displacement takes any point out of the box that the primitive has in the frame
    const { yielded, centre } = proxy;
    let radius = 0;
    for (let c = 0; c < 3; c++) {
      const at = centre[c] + fraction * dt * proxy.velocity[c];
      radius += Math.max(at - set.bounds[6 * k + c], set.bounds[6 * k + 3 + c] - at) ** 2;
    }
    const moved = norm(yielded, YIELD.offset) + norm(yielded, YIELD.turn) * Math.sqrt(radius);
    set.slack[k] = out === set.substepStarts ? moved : Math.max(set.slack[k], moved);
  }
}

/** Moves a pose by what a proxy has yielded: turned about the centre of mass, then offset. */
function displace(place: Float64Array, { yielded, centre, velocity }: RigidProxy, time: number): void {
  for (let c = 0; c < 3; c++) arm[c] = place[c] - centre[c] - time * velocity[c];
  displacePose(place, arm, yielded, YIELD.offset);
}

const turning = new Float64Array(POSE);
const turned = new Float64Array(3);

/** What of an impulse a support takes up, along its direction: it bears, and does not pull. */
export function heldOf(support: ArrayLike<number>, impulse: ArrayLike<number>): number {
  return Math.max(0, support[0] * impulse[0] + support[1] * impulse[1] + support[2] * impulse[2]);
}

/** xᵀ M x of a symmetric matrix xx, yy, zz, xy, xz, yz. */
export function quadratic(m: ArrayLike<number>, x: number, y: number, z: number): number {
  return m[0] * x * x + m[1] * y * y + m[2] * z * z + 2 * (m[3] * x * y + m[4] * x * z + m[5] * y * z);
}

const change = new Float64Array(6);

/** Velocity that an impulse and an angular one about the centre of mass give a proxy, in `change`. */
function answer(
  { inverseMass, inverseInertia: i, blocked: d }: RigidProxy,
  x: number,
  y: number,
  z: number,
  tx: number,
  ty: number,
  tz: number,
): void {
  change[0] = inverseMass * (x - (d[0] * x + d[3] * y + d[4] * z));
  change[1] = inverseMass * (y - (d[3] * x + d[1] * y + d[5] * z));
  change[2] = inverseMass * (z - (d[4] * x + d[5] * y + d[2] * z));
  change[3] = i[0] * tx + i[3] * ty + i[4] * tz;
  change[4] = i[3] * tx + i[1] * ty + i[5] * tz;
  change[5] = i[4] * tx + i[5] * ty + i[2] * tz;
}

/** Takes off what a proxy is moved by already, for a substep of h [s]. @param offset time for which that has moved it [s] */
function takeBack(proxy: RigidProxy, h: number, offset: number): void {
  const { expected: e, yielded } = proxy;
  answer(proxy, h * e[0], h * e[1], h * e[2], h * e[3], h * e[4], h * e[5]);
  for (let n = 0; n < 6; n++) {
    yielded[YIELD.velocity + n] -= change[n];
    yielded[YIELD.offset + n] -= offset * change[n];
  }
}

/**
 * Ends a substep: its impulses change velocity and place of the proxies, and join what the host is to take.
 *
 * @param isSolved as for `moveProxies`
 */
export function yieldProxies(set: ColliderSet, isSolved = false): void {
  set.proxies.forEach((proxy, owner) => {
    const w = set.substepWrenches.subarray(6 * owner, 6 * owner + 6);
    const { yielded, support, centreNow: c, wrench } = proxy;
    const tx = w[3] - (c[1] * w[2] - c[2] * w[1]);
    const ty = w[4] - (c[2] * w[0] - c[0] * w[2]);
    const tz = w[5] - (c[0] * w[1] - c[1] * w[0]);
    // About where the center is now: a body that has gone on since is not turned by what met it before.
    w.set([tx, ty, tz], 3);
    metered.by?.relate(proxy, w);
    const held = heldOf(support, w);
    answer(proxy, w[0] - held * support[0], w[1] - held * support[1], w[2] - held * support[2], tx, ty, tz);
    for (let n = 0; n < 6; n++) {
      yielded[YIELD.velocity + n] += change[n];
      yielded[YIELD.offset + n] += set.substepTime * change[n];
    }
    if (!isSolved) takeBack(proxy, set.substepTime, set.substepTime);
    for (let n = 0; n < 6; n++) wrench[n] += w[n];
    w.fill(0);
  });
}

function norm(v: ArrayLike<number>, at: number): number {
  return Math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2);
}
