/**
 * Recursive Newton-Euler: the generalized forces of a motion. With twists v and accelerations a minus gravity,
 * Featherstone's equations in world axes are
 *
 *     a_i = a_parent + Σ S q̈ + Ṡ q̇,     f_i = I_i a_i + v_i ×* I_i v_i,     τ = Sᵀ Σ f over the links behind the joint
 */
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { addCrossForce, addScaled6, dot6, inertiaTimes } from "../spatial";

/**
 * τ = M q̈ + c: the forces of actuators needed for the acceleration q̈, including armature but without springs and
 * dampers. Call after `updateKinematics`. O(n).
 *
 * @param qdd q̈, nv numbers; undefined for zero, which gives c
 * @param out τ, nv numbers [N·m or N]
 */
export function inverseDynamics(scratch: ArticulatedScratch, qdd: Float64Array | undefined, out: Float64Array): void {
  const { model, force, motion } = scratch;
  accelerate(scratch, qdd);
  accumulateForces(scratch);
  for (let k = 0; k < model.nv; k++) {
    const inertial = dot6(motion, 6 * k, force, 6 * model.dofLink[k]);
    out[k] = qdd === undefined ? inertial : inertial + model.armature[k] * qdd[k];
  }
}

/**
 * c(q, q̇) of equation (1) of paper 4: Coriolis, centrifugal and gravitational forces. Call after `updateKinematics`.
 * O(n).
 */
export function biasForces(scratch: ArticulatedScratch, out: Float64Array): void {
  inverseDynamics(scratch, undefined, out);
}

const momentum = new Float64Array(6);

/** Fills accelerations a and forces f of the single links. */
function accelerate(scratch: ArticulatedScratch, qdd: Float64Array | undefined): void {
  const { model, velocity, motion, motionRate, acceleration, force, inertia, qd, gravity } = scratch;
  for (let i = 0; i < model.linkCount; i++) {
    const at = 6 * i;
    const above = model.parent[i];
    if (above === WORLD)
      for (let c = 0; c < 3; c++) {
        acceleration[at + c] = 0;
        acceleration[at + 3 + c] = -gravity[c];
      }
    else for (let c = 0; c < 6; c++) acceleration[at + c] = acceleration[6 * above + c];
    const end = model.linkDof[i] + model.linkDofCount[i];
    for (let k = model.linkDof[i]; k < end; k++) {
      addScaled6(motionRate, 6 * k, qd[k], acceleration, at);
      if (qdd !== undefined) addScaled6(motion, 6 * k, qdd[k], acceleration, at);
    }
    inertiaTimes(inertia, 10 * i, acceleration, at, force, at);
    inertiaTimes(inertia, 10 * i, velocity, at, momentum, 0);
    addCrossForce(velocity, at, momentum, 0, force, at);
  }
}

/** Sums the forces of the links towards the roots. */
function accumulateForces(scratch: ArticulatedScratch): void {
  const { model, force } = scratch;
  for (let i = model.linkCount - 1; i >= 0; i--) {
    const above = model.parent[i];
    if (above !== WORLD) for (let c = 0; c < 6; c++) force[6 * above + c] += force[6 * i + c];
  }
}
