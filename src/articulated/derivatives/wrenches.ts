import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addCrossForce } from "../spatial";
import { hasRotationVector, jointBlock } from "./joint-block";

const turned = new Float64Array(6);
const block = new Float64Array(36);

/**
 * out += ∂(Σ Jᵀ w)/∂q for forces w on the links that are constant in the world: the first term of equation (20) of
 * paper 4. The caller adds the change of w itself (contact points and normals). Call after `updatePositions`. O(n ·
 * depth).
 *
 * With W_k the sum of the forces behind k, ∂(S_kᵀ W_k)/∂q_j = (S_j × S_k)ᵀ W_k = S_jᵀ (S_k ×* W_k) for j before k.
 *
 * @param wrenches 6 a link [N·m, N] about the world's origin
 * @param out nv × nv, row-major: entry (k, j) is ∂(Jᵀw)_k/∂q_j
 */
export function addWrenchDerivatives(scratch: ArticulatedScratch, wrenches: Float64Array, out: Float64Array): void {
  const { model, motion } = scratch;
  const { nv, supportStart, support, linkDof } = model;
  const W = scratch.wrenchSum;
  sumBehind(scratch, wrenches);
  for (let i = 0; i < model.linkCount; i++) {
    const first = linkDof[i];
    const count = model.linkDofCount[i];
    const turns = hasRotationVector(model, i);
    for (let k = first; k < first + count; k++) {
      turned.fill(0);
      addCrossForce(motion, 6 * k, W, 6 * i, turned, 0);
      for (let at = supportStart[k] + (turns ? k - first : 0); at < supportStart[k + 1]; at++) {
        const j = support[at];
        out[k * nv + j] +=
          motion[6 * j] * turned[0] +
          motion[6 * j + 1] * turned[1] +
          motion[6 * j + 2] * turned[2] +
          motion[6 * j + 3] * turned[3] +
          motion[6 * j + 4] * turned[4] +
          motion[6 * j + 5] * turned[5];
      }
    }
    if (!turns) continue;
    jointBlock(scratch, i, W, 6 * i, block);
    for (let k = 0; k < count; k++)
      for (let j = 0; j < count; j++) out[(first + k) * nv + first + j] += block[k * count + j];
  }
}

/** Fills `scratch.wrenchSum`: forces on each link and all links behind it. */
function sumBehind({ model, wrenchSum }: ArticulatedScratch, wrenches: Float64Array): void {
  wrenchSum.set(wrenches);
  for (let i = model.linkCount - 1; i >= 0; i--) {
    const above = model.parent[i];
    if (above !== WORLD) for (let c = 0; c < 6; c++) wrenchSum[6 * above + c] += wrenchSum[6 * i + c];
  }
}
