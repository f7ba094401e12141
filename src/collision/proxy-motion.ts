/**
 * How proxies of rigid bodies yield to contact within a frame, on the CPU; twin of shaders/gpbd/move-proxies.wgsl and
 * reaction.wgsl. A substep moves them by h times the velocity that earlier substeps gave them, and ends with the impulses
 * of its own contacts: semi-implicit Euler for what is added to the motion that the host has planned.
 */
import type { ColliderSet } from "./collider-set";
import { interpolatePose, POSE, rotate } from "./pose";
import { type RigidProxy, YIELD } from "./rigid-proxy";

const pose = new Float64Array(POSE);
const arm = new Float64Array(3);

/** A body begins its frame: proxies stand where they were when the frame began, with what they were given since. */
export function beginProxies(set: ColliderSet): void {
  for (const { yielded, base } of set.proxies) yielded.set(base, YIELD.offset);
}

/**
 * Puts the primitives of proxies where they are at the start and at the end of a substep.
 *
 * @param fraction0 where in the frame the substep begins, 0 to 1; `fraction1` where it ends
 * @param dt of the frame [s]
 */
export function moveProxies(set: ColliderSet, fraction0: number, fraction1: number, dt: number): void {
  const h = (fraction1 - fraction0) * dt;
  placePrimitives(set, fraction0, dt, set.substepStarts);
  for (const { yielded } of set.proxies)
    for (let i = 0; i < 6; i++) yielded[YIELD.offset + i]! += h * yielded[YIELD.velocity + i]!;
  placePrimitives(set, fraction1, dt, set.substepEnds);
}

function placePrimitives(set: ColliderSet, fraction: number, dt: number, out: Float64Array): void {
  for (let k = 0; k < set.primitiveCount; k++) {
    const owner = set.proxyOf[k]!;
    if (owner < 0) continue;
    const proxy = set.proxies[owner]!;
    interpolatePose(set.startPoses, set.endPoses, POSE * k, fraction, pose);
    displace(pose, proxy, fraction * dt);
    out.set(pose, POSE * k);
    // how far the displacement takes any point out of the box that the primitive has in the frame
    const { yielded, centre } = proxy;
    let radius = 0;
    for (let c = 0; c < 3; c++) {
      const at = centre[c]! + fraction * dt * proxy.velocity[c]!;
      radius += Math.max(at - set.bounds[6 * k + c]!, set.bounds[6 * k + 3 + c]! - at) ** 2;
    }
    const moved = norm(yielded, YIELD.offset) + norm(yielded, YIELD.turn) * Math.sqrt(radius);
    set.slack[k] = out === set.substepStarts ? moved : Math.max(set.slack[k]!, moved);
  }
}

/** Moves a pose by what a proxy has yielded: turned about the centre of mass, then offset. */
function displace(place: Float64Array, { yielded, centre, velocity }: RigidProxy, time: number): void {
  for (let c = 0; c < 3; c++) arm[c] = place[c]! - centre[c]! - time * velocity[c]!;
  displacePose(place, arm, yielded, YIELD.offset);
}

const turning = new Float64Array(POSE);
const turned = new Float64Array(3);

/**
 * @param place pose: changed
 * @param from its position seen from the point that is turned about [m]
 * @param displacement offset [m] and rotation vector [rad] from place `at` on
 */
export function displacePose(
  place: Float64Array,
  from: ArrayLike<number>,
  displacement: ArrayLike<number>,
  at: number,
): void {
  quaternionOf(displacement, at + 3, turning);
  rotate(turning, 0, from[0]!, from[1]!, from[2]!, turned, 0);
  for (let c = 0; c < 3; c++) place[c]! += displacement[at + c]! + turned[c]! - from[c]!;
  const [ax, ay, az, aw] = [turning[3]!, turning[4]!, turning[5]!, turning[6]!];
  const [bx, by, bz, bw] = [place[3]!, place[4]!, place[5]!, place[6]!];
  place[3] = aw * bx + ax * bw + ay * bz - az * by;
  place[4] = aw * by - ax * bz + ay * bw + az * bx;
  place[5] = aw * bz + ax * by - ay * bx + az * bw;
  place[6] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Unit quaternion of a small rotation vector φ: (φ/2, 1), normalised; off by φ³/12, which no frame comes near. */
function quaternionOf(vector: ArrayLike<number>, at: number, out: Float64Array): void {
  const [x, y, z] = [vector[at]! / 2, vector[at + 1]! / 2, vector[at + 2]! / 2];
  const scale = 1 / Math.sqrt(1 + x * x + y * y + z * z);
  out[3] = scale * x;
  out[4] = scale * y;
  out[5] = scale * z;
  out[6] = scale;
}

/**
 * Ends a substep: its impulses change the velocities of the proxies, and join what the host is to take.
 *
 * @param fraction where in the frame the substep ends
 * @param dt of the frame [s]
 */
export function yieldProxies(set: ColliderSet, fraction: number, dt: number): void {
  set.proxies.forEach((proxy, owner) => {
    const w = set.substepWrenches.subarray(6 * owner, 6 * owner + 6);
    const { yielded, inverseMass, inverseInertia: i, centre, velocity, wrench } = proxy;
    const c = [0, 1, 2].map((axis) => centre[axis]! + fraction * dt * velocity[axis]! + yielded[YIELD.offset + axis]!);
    const tx = w[3]! - (c[1]! * w[2]! - c[2]! * w[1]!);
    const ty = w[4]! - (c[2]! * w[0]! - c[0]! * w[2]!);
    const tz = w[5]! - (c[0]! * w[1]! - c[1]! * w[0]!);
    for (let axis = 0; axis < 3; axis++) yielded[axis]! += inverseMass * w[axis]!;
    yielded[YIELD.spin]! += i[0]! * tx + i[3]! * ty + i[4]! * tz;
    yielded[YIELD.spin + 1]! += i[3]! * tx + i[1]! * ty + i[5]! * tz;
    yielded[YIELD.spin + 2]! += i[4]! * tx + i[5]! * ty + i[2]! * tz;
    for (let n = 0; n < 6; n++) wrench[n]! += w[n]!;
    w.fill(0);
  });
}

function norm(v: ArrayLike<number>, at: number): number {
  return Math.sqrt(v[at]! ** 2 + v[at + 1]! ** 2 + v[at + 2]! ** 2);
}
