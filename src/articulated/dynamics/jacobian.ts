/** Motion of links and of their points with the coordinates, and the transposed map of forces. */
import { outOfRange } from "../../errors";
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { dot6 } from "../spatial";

/**
 * Spatial Jacobian of a link: its twist [ω, v at the world's origin] = J q̇. Call after `updatePositions`.
 *
 * @param out 6 × nv, row-major; columns of other branches are set to zero
 */
export function linkJacobian(scratch: ArticulatedScratch, link: number, out: Float64Array): void {
  const { model, motion } = scratch;
  const { nv } = model;
  out.fill(0);
  for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k])
    for (let c = 0; c < 6; c++) out[c * nv + k] = motion[6 * k + c];
}

/**
 * Jacobian of a point fixed to a link: velocity = J q̇. Call after `updatePositions`.
 *
 * @param x world position of the point [m]
 * @param out 3 × nv, row-major; columns of other branches are set to zero
 */
export function pointJacobian(
  scratch: ArticulatedScratch,
  link: number,
  x: ArrayLike<number>,
  out: Float64Array,
): void {
  const { model, motion } = scratch;
  const { nv } = model;
  out.fill(0);
  for (let k = model.linkLastDof[link]; k !== WORLD; k = model.dofParent[k]) {
    const at = 6 * k;
    out[k] = motion[at + 3] + motion[at + 1] * x[2] - motion[at + 2] * x[1];
    out[nv + k] = motion[at + 4] + motion[at + 2] * x[0] - motion[at] * x[2];
    out[2 * nv + k] = motion[at + 5] + motion[at] * x[1] - motion[at + 1] * x[0];
  }
}

/**
 * out += Σ Jᵀ w over all links. Call after `updatePositions`. O(n).
 *
 * @param wrenches 6 a link [N·m, N] about the world's origin; on return, those of a link are the sum over all links
 * behind it
 * @param out nv numbers [N·m or N]
 */
export function addWrenches(scratch: ArticulatedScratch, wrenches: Float64Array, out: Float64Array): void {
  const { model, motion } = scratch;
  for (let i = model.linkCount - 1; i >= 0; i--) {
    const above = model.parent[i];
    const end = model.linkDof[i] + model.linkDofCount[i];
    for (let k = model.linkDof[i]; k < end; k++) out[k] += dot6(motion, 6 * k, wrenches, 6 * i);
    if (above !== WORLD) for (let c = 0; c < 6; c++) wrenches[6 * above + c] += wrenches[6 * i + c];
  }
}

/**
 * World position of a point given in the axes of a link. Call after `updatePositions`.
 *
 * @throws PliantError `index-out-of-range` if there is no such link
 */
export function pointToWorld(
  scratch: ArticulatedScratch,
  link: number,
  local: ArrayLike<number>,
  out: Float64Array,
): void {
  if (!(link >= 0 && link < scratch.model.linkCount))
    throw outOfRange("link", link, `must be from 0 to ${scratch.model.linkCount - 1}`);
  const { linkRotation: r, linkPosition: p } = scratch;
  const at = 9 * link;
  const x = local[0];
  const y = local[1];
  const z = local[2];
  out[0] = p[3 * link] + r[at] * x + r[at + 1] * y + r[at + 2] * z;
  out[1] = p[3 * link + 1] + r[at + 3] * x + r[at + 4] * y + r[at + 5] * z;
  out[2] = p[3 * link + 2] + r[at + 6] * x + r[at + 7] * y + r[at + 8] * z;
}
