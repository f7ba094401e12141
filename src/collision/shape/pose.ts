import type { Quat, Vec3 } from "../../math/types";
import type { Primitive } from "../distance/primitives";
import { lengthOf } from "../../math/vectors";

/** Numbers of a pose in a flat array: position x, y, z [m], then a unit quaternion x, y, z, w. */
export const POSE = 7;

/** Writes a pose; without a rotation, `out` keeps its own. */
export function writePose(out: Float64Array, position: Vec3, rotation: Quat | undefined): void {
  out.set(position);
  if (!rotation) return;
  const scale = 1 / lengthOf(rotation[0], rotation[1], rotation[2], rotation[3]);
  for (let i = 0; i < 4; i++) out[3 + i] = rotation[i] * scale;
}

/** Whether two poses are the same; q and -q count as the same rotation. */
export function samePose(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return false;
  const sign = dot4(a, 3, b, 3) < 0 ? -1 : 1;
  for (let i = 3; i < POSE; i++) if (a[i] !== sign * b[i]) return false;
  return true;
}

/** World pose of a primitive: its own pose followed by that of its collider. */
export function composePose(collider: Float64Array, primitive: Primitive, out: Float64Array, at: number): void {
  const { position: p, rotation: r } = primitive;
  rotate(collider, 0, p[0], p[1], p[2], out, at);
  for (let i = 0; i < 3; i++) out[at + i] += collider[i];
  const [x, y, z, w] = [collider[3], collider[4], collider[5], collider[6]];
  out[at + 3] = w * r[0] + x * r[3] + y * r[2] - z * r[1];
  out[at + 4] = w * r[1] - x * r[2] + y * r[3] + z * r[0];
  out[at + 5] = w * r[2] + x * r[1] - y * r[0] + z * r[3];
  out[at + 6] = w * r[3] - x * r[0] - y * r[1] - z * r[2];
}

/**
 * Chooses q or -q for the end rotation, the one on the side of the start rotation; otherwise interpolation would turn
 * the long way.
 */
export function alignRotation(start: Float64Array, end: Float64Array, at: number): void {
  if (dot4(start, at + 3, end, at + 3) >= 0) return;
  for (let i = 3; i < POSE; i++) end[at + i] = -end[at + i];
}

/**
 * The pose at a fraction of the way from one pose to another: positions and quaternions are interpolated linearly, and
 * quaternions are normalized.
 */
export function interpolatePose(
  start: Float64Array,
  end: Float64Array,
  at: number,
  fraction: number,
  out: Float64Array,
): void {
  asked[0] = fraction;
  interpolatePoseBy(start, end, at, asked, 0, out);
}

const asked = new Float64Array(3);

/** As `interpolatePose`, with the fraction at a place of a list. */
export function interpolatePoseBy(
  start: Float64Array,
  end: Float64Array,
  at: number,
  fractions: Float64Array,
  place: number,
  out: Float64Array,
): void {
  const fraction = fractions[place];
  for (let i = 0; i < 3; i++) out[i] = start[at + i] + fraction * (end[at + i] - start[at + i]);
  let squared = 0;
  for (let i = 3; i < POSE; i++) {
    out[i] = start[at + i] + fraction * (end[at + i] - start[at + i]);
    squared += out[i] * out[i];
  }
  const scale = 1 / Math.sqrt(squared);
  for (let i = 3; i < POSE; i++) out[i] *= scale;
}

/**
 * World box of a primitive on its way between two poses. The box of its own box at both ends holds the straight part of
 * the way; a rotation by an angle θ bulges an arc of radius ρ by ρ (1 - cos(θ/2)) beyond it.
 */
export function sweptBounds(
  primitive: Primitive,
  start: Float64Array,
  end: Float64Array,
  at: number,
  out: Float64Array,
  to: number,
): void {
  out.fill(Infinity, to, to + 3).fill(-Infinity, to + 3, to + 6);
  const { boundsMin, boundsMax } = primitive;
  let radius = 0;
  for (let corner = 0; corner < 8; corner++) {
    const x = corner & 1 ? boundsMax[0] : boundsMin[0];
    const y = corner & 2 ? boundsMax[1] : boundsMin[1];
    const z = corner & 4 ? boundsMax[2] : boundsMin[2];
    radius = Math.max(radius, lengthOf(x, y, z));
    extend(start, at, x, y, z, out, to);
    extend(end, at, x, y, z, out, to);
  }
  // |q₀·q₁| is cos(θ/2).
  const bulge = radius * Math.max(0, 1 - dot4(start, at + 3, end, at + 3));
  // The tables that shaders read are in f32: a small margin keeps the box a bound there.
  for (let i = 0; i < 3; i++) {
    const slack = bulge + 1e-6 * (radius + Math.abs(out[to + i]) + Math.abs(out[to + 3 + i]));
    out[to + i] -= slack;
    out[to + 3 + i] += slack;
  }
}

const world = new Float64Array(3);

function extend(pose: Float64Array, at: number, x: number, y: number, z: number, out: Float64Array, to: number): void {
  rotate(pose, at, x, y, z, world, 0);
  for (let i = 0; i < 3; i++) {
    out[to + i] = Math.min(out[to + i], pose[at + i] + world[i]);
    out[to + 3 + i] = Math.max(out[to + 3 + i], pose[at + i] + world[i]);
  }
}

/** v turned by the rotation of a pose: v + 2 q × (q × v + w v). */
export function rotate(
  pose: Float64Array,
  at: number,
  vx: number,
  vy: number,
  vz: number,
  out: Float64Array,
  to: number,
): void {
  setAsked(vx, vy, vz);
  turn(pose, at, 1, asked, 0, out, to);
}

/** v turned by the inverse rotation. */
export function rotateBack(
  pose: Float64Array,
  at: number,
  vx: number,
  vy: number,
  vz: number,
  out: Float64Array,
  to: number,
): void {
  setAsked(vx, vy, vz);
  turn(pose, at, -1, asked, 0, out, to);
}

/** The point at place `i` of a list, in the frame of a pose. */
export function toFrame(
  pose: Float64Array,
  at: number,
  points: ArrayLike<number>,
  i: number,
  out: Float64Array,
  to: number,
): void {
  for (let c = 0; c < 3; c++) asked[c] = points[i + c] - pose[at + c];
  turn(pose, at, -1, asked, 0, out, to);
}

/** The vector at place `i` of a list, turned by the rotation of a pose: as `rotate`. */
export function rotateAt(
  pose: Float64Array,
  at: number,
  vectors: Float64Array,
  i: number,
  out: Float64Array,
  to: number,
): void {
  turn(pose, at, 1, vectors, i, out, to);
}

function setAsked(x: number, y: number, z: number): void {
  asked[0] = x;
  asked[1] = y;
  asked[2] = z;
}

/** @param sign −1 for the inverse rotation */
function turn(
  pose: Float64Array,
  at: number,
  sign: number,
  vectors: Float64Array,
  i: number,
  out: Float64Array,
  to: number,
): void {
  const qx = sign * pose[at + 3];
  const qy = sign * pose[at + 4];
  const qz = sign * pose[at + 5];
  const qw = pose[at + 6];
  const vx = vectors[i];
  const vy = vectors[i + 1];
  const vz = vectors[i + 2];
  const tx = qy * vz - qz * vy + qw * vx;
  const ty = qz * vx - qx * vz + qw * vy;
  const tz = qx * vy - qy * vx + qw * vz;
  out[to] = vx + 2 * (qy * tz - qz * ty);
  out[to + 1] = vy + 2 * (qz * tx - qx * tz);
  out[to + 2] = vz + 2 * (qx * ty - qy * tx);
}

function dot4(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
}

/**
 * Upper bound of the distance that points of a body move from one pose to another: that of its origin, and its angle times its reach [m].
 *
 * @param at place of both poses in their lists
 * @param reach largest distance of its points from its origin [m]
 */
export function poseDistance(from: Float64Array, to: Float64Array, at: number, reach: number): number {
  const [x, y, z] = [to[at] - from[at], to[at + 1] - from[at + 1], to[at + 2] - from[at + 2]];
  let dot = 0;
  for (let i = at + 3; i < at + POSE; i++) dot += from[i] * to[i];
  // A dot product that is closer to 1 than this is rounding. The angle is 4 asin(c/2) of the chord c, which is at most √2.
  const rest = 1 - Math.abs(dot);
  const angle = rest < 1e-14 ? 0 : STEEPEST * Math.sqrt(2 * rest);
  return Math.sqrt(x * x + y * y + z * z) + angle * reach;
}

/** Largest ratio of the angle between two rotations to the distance of their quaternions: that of half a turn. */
const STEEPEST = Math.PI / Math.SQRT2;
