import { leftJacobianAcceleration, rotationCoefficients } from "../joints/rotation-vector";
import { segmentKind } from "../joints/segments";
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addCrossMotion, addScaled6, crossMotion } from "../spatial";

const a = new Float64Array(6);
const v = new Float64Array(6);
const w = new Float64Array(6);
const turned = new Float64Array(6);
const local = new Float64Array(9);

/**
 * Ψ = S̈ + S × g for every degree of freedom: the part of ∂a/∂q that does not depend on the link. With the twist v and
 * the acceleration a minus gravity of the frame before the segment, Ψ = a × S + v × Ṡ for a turn, slide or screw. A
 * rotation vector adds v × (Ṡ − v × S) and (R J̈, p × R J̈).
 *
 * Call after `inverseDynamics`.
 *
 * @param qdd the q̈ that `inverseDynamics` was called with
 * @param psi 6 a degree of freedom
 */
export function motionAccelerations(
  scratch: ArticulatedScratch,
  qdd: Float64Array | undefined,
  psi: Float64Array,
): void {
  const { model, acceleration, velocity, gravity, motion, motionRate, qd } = scratch;
  for (let i = 0; i < model.linkCount; i++) {
    const above = model.parent[i];
    for (let c = 0; c < 6; c++) {
      a[c] = above === WORLD ? (c < 3 ? 0 : -gravity[c - 3]) : acceleration[6 * above + c];
      v[c] = above === WORLD ? 0 : velocity[6 * above + c];
    }
    for (let s = model.segmentStart[i]; s < model.segmentStart[i + 1]; s++) {
      const turns = model.segmentKind[s] === segmentKind.rotationVector;
      const first = model.segmentDof[s];
      const end = first + (turns ? 3 : 1);
      for (let k = first; k < end; k++) {
        crossMotion(a, 0, motion, 6 * k, psi, 6 * k);
        addCrossMotion(v, 0, motionRate, 6 * k, psi, 6 * k);
      }
      if (turns) addRotationVector(scratch, s, qdd, psi);
      for (let k = first; k < end; k++) {
        addScaled6(motionRate, 6 * k, qd[k], a, 0);
        addScaled6(motion, 6 * k, qd[k], v, 0);
        if (qdd !== undefined) addScaled6(motion, 6 * k, qdd[k], a, 0);
      }
    }
  }
}

function addRotationVector(
  scratch: ArticulatedScratch,
  s: number,
  qdd: Float64Array | undefined,
  psi: Float64Array,
): void {
  const { model, motion, motionRate, q, qd, segmentRotation: R, segmentPosition: p } = scratch;
  const first = model.segmentDof[s];
  rotationCoefficients(q[first] ** 2 + q[first + 1] ** 2 + q[first + 2] ** 2);
  leftJacobianAcceleration(q, qd, qdd, first, local);
  for (let column = 0; column < 3; column++) {
    const at = 6 * (first + column);
    // the part of Ṡ by the change of φ alone
    crossMotion(v, 0, motion, at, turned, 0);
    for (let c = 0; c < 6; c++) turned[c] = motionRate[at + c] - turned[c];
    addCrossMotion(v, 0, turned, 0, psi, at);
    const x = local[column];
    const y = local[3 + column];
    const z = local[6 + column];
    for (let c = 0; c < 3; c++) w[c] = R[9 * s + 3 * c] * x + R[9 * s + 3 * c + 1] * y + R[9 * s + 3 * c + 2] * z;
    psi[at] += w[0];
    psi[at + 1] += w[1];
    psi[at + 2] += w[2];
    psi[at + 3] += p[3 * s + 1] * w[2] - p[3 * s + 2] * w[1];
    psi[at + 4] += p[3 * s + 2] * w[0] - p[3 * s] * w[2];
    psi[at + 5] += p[3 * s] * w[1] - p[3 * s + 1] * w[0];
  }
}
