/** Rows of loops: points of two links that stay together, and links that do not turn against each other. */
import { conjugate, product, quaternionOfMatrix, rotationVector } from "../../math/quaternions";
import { WORLD, type CompiledClosure } from "../model";
import type { ArticulatedScratch } from "../scratch";

/** Rows of a closure: three for the points, and three for turns if it has a rotation. */
export const rowsOf = (closure: CompiledClosure): number => (closure.rotation === undefined ? 3 : 6);

/** Links of a closure with the sign of their motion in its rows. */
const sides = [
  ["linkA", "pointA", 1],
  ["linkB", "pointB", -1],
] as const;

const pointA = new Float64Array(3);
const pointB = new Float64Array(3);
const wrench = new Float64Array(6);

/** The place of a point of a closure in the world. */
function place(scratch: ArticulatedScratch, link: number, local: ArrayLike<number>, out: Float64Array): Float64Array {
  out.set([local[0], local[1], local[2]]);
  if (link === WORLD) return out;
  const { linkRotation: r, linkPosition: p } = scratch;
  for (let c = 0; c < 3; c++) {
    const at = 9 * link + 3 * c;
    out[c] = p[3 * link + c] + r[at] * local[0] + r[at + 1] * local[1] + r[at + 2] * local[2];
  }
  return out;
}

/** Error of a row [m or rad]: distance of the points, or turn of the first link against the second. */
export function closureError(scratch: ArticulatedScratch, closure: CompiledClosure, row: number): number {
  if (row < 3) {
    place(scratch, closure.linkA, closure.pointA, pointA);
    place(scratch, closure.linkB, closure.pointB, pointB);
    return pointA[row] - pointB[row];
  }
  const turnOf = (link: number): readonly [number, number, number, number] =>
    link === WORLD ? [0, 0, 0, 1] : quaternionOfMatrix(scratch.linkRotation, 9 * link);
  const sought = product(turnOf(closure.linkB), closure.rotation!);
  return rotationVector(product(turnOf(closure.linkA), conjugate(sought)))[row - 3];
}

/** Adds J of a row: velocity of the point, or of turning, along an axis of the world. */
export function addClosureRow(
  scratch: ArticulatedScratch,
  closure: CompiledClosure,
  row: number,
  out: Float64Array,
  at: number,
): void {
  const { model, motion } = scratch;
  for (const [side, point, sign] of sides) {
    const link = closure[side];
    if (link === WORLD) continue;
    const p = place(scratch, link, closure[point], pointA);
    for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k])
      out[at + k] += sign * (row < 3 ? velocityAt(motion, 6 * k, p, row) : motion[6 * k + row - 3]);
  }
}

/** Component of v + ω × p for a twist (ω, v at the origin). */
function velocityAt(twists: Float64Array, t: number, p: Float64Array, axis: number): number {
  const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
  return twists[t + 3 + axis] + twists[t + b] * p[c] - twists[t + c] * p[b];
}

/** Adds the force of a row to the wrenches of its links, 6 a link about the world's origin. */
export function addClosureWrench(
  scratch: ArticulatedScratch,
  closure: CompiledClosure,
  row: number,
  f: number,
  wrenches: Float64Array,
): void {
  for (const [side, point, sign] of sides) {
    const link = closure[side];
    if (link === WORLD) continue;
    wrench.fill(0);
    if (row < 3) {
      const [b, c] = [(row + 1) % 3, (row + 2) % 3];
      const p = place(scratch, link, closure[point], pointA);
      // p × u, u
      wrench[b] = p[c];
      wrench[c] = -p[b];
      wrench[3 + row] = 1;
    } else wrench[row - 3] = 1;
    for (let i = 0; i < 6; i++) wrenches[6 * link + i] += sign * f * wrench[i];
  }
}

/** out += ∂(Jᵀ f)/∂q by the motion of the points, nv × nv; the rest is `addWrenchDerivatives` of the wrenches. */
export function addClosureForces(
  scratch: ArticulatedScratch,
  closure: CompiledClosure,
  row: number,
  f: number,
  out: Float64Array,
): void {
  if (row >= 3) return;
  const { model, motion } = scratch;
  const [b, c] = [(row + 1) % 3, (row + 2) % 3];
  for (const [side, point, sign] of sides) {
    const link = closure[side];
    if (link === WORLD) continue;
    const p = place(scratch, link, closure[point], pointA);
    for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
      // dp × u
      const [toB, toC] = [velocityAt(motion, 6 * k, p, c), -velocityAt(motion, 6 * k, p, b)];
      for (let j = model.linkLastDof[link]; j !== WORLD; j = model.dofParent[j])
        out[j * model.nv + k] += sign * f * (motion[6 * j + b] * toB + motion[6 * j + c] * toC);
    }
  }
}

/** out += ∂(J x)/∂q of a row, for the velocities x of `velocities`. */
export function addClosureDerivative(
  velocities: ArticulatedScratch,
  closure: CompiledClosure,
  row: number,
  out: Float64Array,
  at: number,
): void {
  const { model, motion, motionRate, velocity } = velocities;
  const change = wrench;
  for (const [side, point, sign] of sides) {
    const link = closure[side];
    if (link === WORLD) continue;
    const p = place(velocities, link, closure[point], pointA);
    const V = 6 * link;
    for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
      const s = 6 * k;
      // The twist of a body changes by Ṡ + S × V.
      for (let i = 0; i < 3; i++) {
        const [b, c] = [(i + 1) % 3, (i + 2) % 3];
        change[i] = motionRate[s + i] + motion[s + b] * velocity[V + c] - motion[s + c] * velocity[V + b];
        change[3 + i] =
          motionRate[s + 3 + i] +
          motion[s + b] * velocity[V + 3 + c] -
          motion[s + c] * velocity[V + 3 + b] +
          motion[s + 3 + b] * velocity[V + c] -
          motion[s + 3 + c] * velocity[V + b];
      }
      if (row >= 3) {
        out[at + k] += sign * change[row - 3];
        continue;
      }
      const [b, c] = [(row + 1) % 3, (row + 2) % 3];
      const carried = velocity[V + b] * velocityAt(motion, s, p, c) - velocity[V + c] * velocityAt(motion, s, p, b);
      out[at + k] += sign * (velocityAt(change, 0, p, row) + carried);
    }
  }
}
