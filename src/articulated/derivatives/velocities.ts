import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { crossMotion } from "../spatial";

const carried = new Float64Array(6);

/**
 * ∂v/∂q of the twist of a link with q̇ held: Ṡ_j + S_j × v for each degree of freedom before it. After
 * `updateVelocities` with the velocities that are meant.
 *
 * @param out 6 × nv, row-major; other columns are set to zero
 */
export function twistDerivatives(scratch: ArticulatedScratch, link: number, out: Float64Array): void {
  const { model, motion, motionRate, velocity } = scratch;
  const { nv } = model;
  out.fill(0);
  for (let j = model.linkLastDof[link]; j !== WORLD; j = model.dofParent[j]) {
    crossMotion(motion, 6 * j, velocity, 6 * link, carried, 0);
    for (let c = 0; c < 6; c++) out[c * nv + j] = motionRate[6 * j + c] + carried[c];
  }
}

/**
 * ∂(velocity)/∂q of a point that is fixed to a link, with q̇ held: the velocity is v + ω × x, and x moves with the link.
 * After `updateVelocities` with the velocities that are meant.
 *
 * @param x world position of the point [m]
 * @param out 3 × nv, row-major; other columns are set to zero
 */
export function pointVelocityDerivatives(
  scratch: ArticulatedScratch,
  link: number,
  x: ArrayLike<number>,
  out: Float64Array,
): void {
  const { model, motion, motionRate, velocity } = scratch;
  const { nv } = model;
  const x0 = x[0];
  const x1 = x[1];
  const x2 = x[2];
  const w0 = velocity[6 * link];
  const w1 = velocity[6 * link + 1];
  const w2 = velocity[6 * link + 2];
  out.fill(0);
  for (let j = model.linkLastDof[link]; j !== WORLD; j = model.dofParent[j]) {
    const at = 6 * j;
    crossMotion(motion, at, velocity, 6 * link, carried, 0);
    for (let c = 0; c < 6; c++) carried[c] += motionRate[at + c];
    // δv + δω × x + ω × δx with δx = S_j at x
    const d0 = motion[at + 3] + motion[at + 1] * x2 - motion[at + 2] * x1;
    const d1 = motion[at + 4] + motion[at + 2] * x0 - motion[at] * x2;
    const d2 = motion[at + 5] + motion[at] * x1 - motion[at + 1] * x0;
    out[j] = carried[3] + carried[1] * x2 - carried[2] * x1 + w1 * d2 - w2 * d1;
    out[nv + j] = carried[4] + carried[2] * x0 - carried[0] * x2 + w2 * d0 - w0 * d2;
    out[2 * nv + j] = carried[5] + carried[0] * x1 - carried[1] * x0 + w0 * d1 - w1 * d0;
  }
}
