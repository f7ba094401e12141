/**
 * The response of a single link of a mechanism to impulses, for solvers that treat the link as a body. It is given
 * about the point with the least coupling: there a push turns the link as little as possible, and a moment pushes it as
 * little as possible. For a link on a hinge this is a point of the axis.
 *
 *     v = A f + B n,   ω = Bᵀ f + C n        velocity of a point and spin for an impulse there and a moment
 *     B at a point r further off is B − [r]ₓ C, so that |B|² is least where Σ (|cⱼ|² − cⱼ cⱼᵀ) r = Σ cⱼ × bⱼ, over columns
 */

import { solveMass } from "../../articulated/dynamics/mass-matrix";
import { WORLD } from "../../articulated/model";
import type { ArticulatedScratch } from "../../articulated/scratch";
import { type Matrix3, solve3 } from "../../math/matrix3";
import { eigenSymmetric3 } from "../../math/eigen/symmetric3";
import type { Vec3 } from "../../math/types";
import { cross, dot } from "../../math/vectors";

/** Weight of the distance of the point from the center of mass, as a part of the trace of the matrix. */
const ANCHOR = 1e-9;
/** Eigenvalues below this part of the largest one count as zero. */
const NONE = 1e-9;

export interface LinkAnswer {
  /** the point [m] */
  readonly point: Vec3;
  /** A [1/kg] and C [1/(kg m²)]: xx, yy, zz, xy, xz, yz */
  readonly push: readonly number[];
  readonly turn: readonly number[];
}

/** out += Jᵀ w: forces on the coordinates for an impulse on a link, and its moment about a point. */
export function addLinkForce(
  { model, motion }: ArticulatedScratch,
  link: number,
  [x, y, z]: Vec3,
  wrench: ArrayLike<number>,
  at: number,
  out: Float64Array,
  to = 0,
): void {
  const [px, py, pz] = [wrench[at], wrench[at + 1], wrench[at + 2]];
  const tx = wrench[at + 3] + y * pz - z * py;
  const ty = wrench[at + 4] + z * px - x * pz;
  const tz = wrench[at + 5] + x * py - y * px;
  for (let d = model.linkLastDof[link]; d !== WORLD; d = model.dofParent[d]) {
    const s = 6 * d;
    out[to + d] += motion[s] * tx + motion[s + 1] * ty + motion[s + 2] * tz;
    out[to + d] += motion[s + 3] * px + motion[s + 4] * py + motion[s + 5] * pz;
  }
}

/** out += J q̇: velocity of a point of a link, and its spin. */
export function addLinkTwist(
  { model, motion }: ArticulatedScratch,
  link: number,
  [x, y, z]: Vec3,
  rates: Float64Array,
  out: Float64Array,
  at = 0,
): void {
  for (let d = model.linkLastDof[link]; d !== WORLD; d = model.dofParent[d]) {
    const s = 6 * d;
    const [wx, wy, wz] = [motion[s], motion[s + 1], motion[s + 2]];
    out[at] += rates[d] * (motion[s + 3] + wy * z - wz * y);
    out[at + 1] += rates[d] * (motion[s + 4] + wz * x - wx * z);
    out[at + 2] += rates[d] * (motion[s + 5] + wx * y - wy * x);
    out[at + 3] += rates[d] * wx;
    out[at + 4] += rates[d] * wy;
    out[at + 5] += rates[d] * wz;
  }
}

/** Call it after `factorMassMatrix`. @param center center of mass of the link [m] */
export function linkAnswer(scratch: ArticulatedScratch, link: number, center: Vec3): LinkAnswer {
  const there = answerAt(scratch, link, center);
  const point = lessCoupled(there, center);
  const answer = point === center ? there : answerAt(scratch, link, point);
  return { point, push: symmetric(answer, 0), turn: symmetric(answer, 3) };
}

/** Velocity and spin for unit impulses and moments: row r, column c at 6 r + c. */
function answerAt(scratch: ArticulatedScratch, link: number, point: Vec3): Float64Array {
  const answer = new Float64Array(36);
  const forces = new Float64Array(scratch.model.nv);
  const wrench = new Float64Array(6);
  const twist = new Float64Array(6);
  for (let column = 0; column < 6; column++) {
    forces.fill(0);
    twist.fill(0);
    wrench.fill(0);
    wrench[column] = 1;
    addLinkForce(scratch, link, point, wrench, 0, forces);
    solveMass(scratch, forces);
    addLinkTwist(scratch, link, point, forces, twist);
    for (let row = 0; row < 6; row++) answer[6 * row + column] = twist[row];
  }
  return answer;
}

function lessCoupled(answer: Float64Array, center: Vec3): Vec3 {
  const column = (row: number, c: number): Vec3 => [
    answer[6 * row + c],
    answer[6 * row + 6 + c],
    answer[6 * row + 12 + c],
  ];
  const m = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const right: [number, number, number] = [0, 0, 0];
  for (let j = 3; j < 6; j++) {
    const [b, c] = [column(0, j), column(3, j)];
    const square = dot(c, c);
    cross(c, b).forEach((value, i) => (right[i] += value));
    for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) m[3 * i + k] += (i === k ? square : 0) - c[i] * c[k];
  }
  const trace = m[0] + m[4] + m[8];
  if (!(trace > 0)) return center;
  for (let i = 0; i < 9; i += 4) m[i] += ANCHOR * trace;
  const offset = solve3(m as unknown as Matrix3, right);
  return [center[0] + offset[0], center[1] + offset[1], center[2] + offset[2]];
}

function symmetric(answer: Float64Array, from: number): number[] {
  const at = (r: number, c: number): number =>
    0.5 * (answer[6 * (from + r) + from + c] + answer[6 * (from + c) + from + r]);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

/** The largest eigenvalue of xx, yy, zz, xy, xz, yz. */
export function largest(m: readonly number[]): number {
  eigen(m);
  return Math.max(...values);
}

/**
 * M⁺ v: the shortest x for which M x is nearest to v; M as for `largest`.
 *
 * @param floor eigenvalues up to this count as zero, too
 */
export function leastInverse(m: readonly number[], v: ArrayLike<number>, at: number, floor = 0): Vec3 {
  eigen(m);
  const out: [number, number, number] = [0, 0, 0];
  const least = Math.max(floor, NONE * Math.max(...values));
  for (let k = 0; k < 3; k++) {
    if (!(values[k] > least)) continue;
    const along = (vectors[k] * v[at] + vectors[3 + k] * v[at + 1] + vectors[6 + k] * v[at + 2]) / values[k];
    for (let c = 0; c < 3; c++) out[c] += along * vectors[3 * c + k];
  }
  return out;
}

function eigen([xx, yy, zz, xy, xz, yz]: readonly number[]): void {
  eigenSymmetric3([xx, yy, zz, xy, yz, xz], values, vectors);
}

const values = new Float64Array(3);
const vectors = new Float64Array(9);
