/**
 * Change of the columns S of one joint with the coordinates of the same joint. For consecutive segments, ∂S_k/∂q_j =
 * S_j × S_k if j comes first, otherwise 0; the columns of a rotation vector depend on each other's coordinates by
 * ∂J/∂φ.
 */
import { segmentKind } from "../joints/segments";
import { momentTimesJacobianDerivative } from "../joints/rotation-vector";
import type { ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { crossMotion, dot6 } from "../spatial";

/** Whether the joint of a link has a rotation vector, for which the chain of degrees of freedom is not sufficient. */
export function hasRotationVector(model: ArticulatedModel, link: number): boolean {
  const end = model.segmentStart[link + 1];
  return end > model.segmentStart[link] && model.segmentKind[end - 1] === segmentKind.rotationVector;
}

const product = new Float64Array(6);
const moment = new Float64Array(3);
const turns = new Float64Array(9);

/**
 * block[k · n + j] = F · ∂S_k/∂q_j for the n coordinates of a link's joint, numbered within the joint.
 *
 * @param force array with the spatial force F at offset `at`
 */
export function jointBlock(
  scratch: ArticulatedScratch,
  link: number,
  force: Float64Array,
  at: number,
  block: Float64Array,
): void {
  const { model, motion, q, segmentRotation: R, segmentPosition: p } = scratch;
  const first = model.linkDof[link];
  const n = model.linkDofCount[link];
  block.fill(0, 0, n * n);
  for (let s = model.segmentStart[link]; s < model.segmentStart[link + 1]; s++) {
    const dof = model.segmentDof[s];
    if (model.segmentKind[s] === segmentKind.rotationVector) {
      const f0 = force[at + 3];
      const f1 = force[at + 4];
      const f2 = force[at + 5];
      const n0 = force[at] - (p[3 * s + 1] * f2 - p[3 * s + 2] * f1);
      const n1 = force[at + 1] - (p[3 * s + 2] * f0 - p[3 * s] * f2);
      const n2 = force[at + 2] - (p[3 * s] * f1 - p[3 * s + 1] * f0);
      for (let c = 0; c < 3; c++) moment[c] = R[9 * s + c] * n0 + R[9 * s + 3 + c] * n1 + R[9 * s + 6 + c] * n2;
      momentTimesJacobianDerivative(q, dof, moment, turns);
      for (let k = 0; k < 3; k++)
        for (let j = 0; j < 3; j++) block[(dof - first + k) * n + dof - first + j] = turns[3 * k + j];
      continue;
    }
    // a turn, slide or screw carries all later columns of the joint with it
    for (let later = s + 1; later < model.segmentStart[link + 1]; later++) {
      const width = model.segmentKind[later] === segmentKind.rotationVector ? 3 : 1;
      for (let k = model.segmentDof[later]; k < model.segmentDof[later] + width; k++) {
        crossMotion(motion, 6 * dof, motion, 6 * k, product, 0);
        block[(k - first) * n + dof - first] = dot6(product, 0, force, at);
      }
    }
  }
}
