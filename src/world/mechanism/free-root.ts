/**
 * Conservation of momentum for a mechanism that nothing holds. A step finds velocities at the configuration before it,
 * where the momentum is right. At the configuration after the step the momentum has an error: the turn in the step
 * times the impulses. A change of the root's twist corrects it. Of all changes of velocities that would do so, this one
 * takes the least energy.
 *
 * S  motions of the six degrees of freedom of the root; P  momentum about the world's origin, both [angular, linear]
 */

import { massMatrix } from "../../articulated/dynamics/mass-matrix";
import { totalMomentum } from "../../articulated/dynamics/energy";
import { updateKinematics } from "../../articulated/dynamics/kinematics";
import { WORLD } from "../../articulated/model";
import type { ArticulatedScratch } from "../../articulated/scratch";
import { dot6 } from "../../articulated/spatial";
import type { ArticulatedSimulation } from "../../articulated/step/simulation";
import { solveCholesky } from "../../math/dense";
import { solve3 } from "../../math/matrix3";

/** Degrees of freedom of a free root. */
const FREE = 6;

/**
 * The first degree of freedom of the only root, if it is free; otherwise undefined. Springs, friction, loops and tendons to the world,
 * and carried weight, give the mechanism momentum that `FreeRoot` does not know.
 */
export function freeRootOf({ model, actuators }: ArticulatedSimulation): number | undefined {
  const roots = [...model.parent.keys()].filter((link) => model.parent[link] === WORLD);
  if (roots.length !== 1 || model.jointTypes[roots[0]] !== "free") return undefined;
  const dof = model.linkDof[roots[0]];
  const isHeld = [model.stiffness, model.damping, model.armature, model.frictionLoss].some((all) =>
    all.subarray(dof, dof + FREE).some((value) => value !== 0),
  );
  const isLimited = [model.lower, model.upper].some((all) => all.subarray(dof, dof + FREE).some(Number.isFinite));
  const isTied =
    model.closures.some(({ linkB }) => linkB === WORLD) ||
    actuators.compiled.some(({ branches }) => branches.some(({ points }) => points.some(({ link }) => link === WORLD)));
  const isCarried = model.gravityCompensation.some((part) => part !== 0);
  return isHeld || isLimited || isTied || isCarried ? undefined : dof;
}

/** Corrects the momentum of one step. */
export class FreeRoot {
  private readonly target = new Float64Array(6);
  private readonly momentum = new Float64Array(6);
  private readonly matrix = new Float64Array(FREE * FREE);
  private readonly change = new Float64Array(FREE);

  /** @param dof first of the root's degrees of freedom */
  constructor(
    private readonly scratch: ArticulatedScratch,
    private readonly dof: number,
  ) {}

  /**
   * Computes the momentum after the step. Call it before the step, after `updateKinematics` of its start.
   *
   * @param h [s]
   * @param delay the time, as a part of h, at which the whole weight of the step would turn the mechanism about the
   * world's origin as much as the weight throughout the step does; 0 for a single step of semi-implicit Euler, in which
   * the center of mass moves with the velocity after the step
   * @param given impulses on the coordinates, nv numbers, without those of gravity [N s or N m s]
   */
  expect(h: number, delay: number, given: Float64Array): void {
    const { scratch, dof, target } = this;
    const { motion, gravity, inertia, model } = scratch;
    totalMomentum(scratch, target);
    const later = delay * h * h;
    const [, , , px, py, pz] = target;
    target[0] += later * (py * gravity[2] - pz * gravity[1]);
    target[1] += later * (pz * gravity[0] - px * gravity[2]);
    target[2] += later * (px * gravity[1] - py * gravity[0]);
    for (let i = 0; i < model.linkCount; i++) {
      const [m, x, y, z] = inertia.subarray(10 * i, 10 * i + 4);
      target[0] += h * (y * gravity[2] - z * gravity[1]);
      target[1] += h * (z * gravity[0] - x * gravity[2]);
      target[2] += h * (x * gravity[1] - y * gravity[0]);
      for (let c = 0; c < 3; c++) target[3 + c] += h * m * gravity[c];
    }
    // Sᵀ W = f; the last three motions are translations along orthogonal axes.
    const force = [0, 0, 0];
    for (let k = 0; k < 3; k++)
      for (let c = 0; c < 3; c++) force[c] += motion[6 * (dof + 3 + k) + 3 + c] * given[dof + 3 + k];
    const axes: number[] = [];
    const turns: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const at = 6 * (dof + k);
      axes.push(motion[at], motion[at + 1], motion[at + 2]);
      turns[k] = given[dof + k] - motion[at + 3] * force[0] - motion[at + 4] * force[1] - motion[at + 5] * force[2];
    }
    const moment = solve3(axes as unknown as Parameters<typeof solve3>[0], turns);
    for (let c = 0; c < 3; c++) {
      target[c] += moment[c];
      target[3 + c] += force[c];
    }
  }

  /** After the step: changes the velocities of the root. */
  settle(q: Float64Array, rates: Float64Array): void {
    const { scratch, dof, target, momentum, matrix, change } = this;
    const { nv } = scratch.model;
    updateKinematics(scratch, q, rates);
    totalMomentum(scratch, momentum);
    for (let c = 0; c < 6; c++) momentum[c] = target[c] - momentum[c];
    const mass = massMatrix(scratch);
    for (let k = 0; k < FREE; k++) {
      change[k] = dot6(scratch.motion, 6 * (dof + k), momentum, 0);
      for (let j = 0; j < FREE; j++) matrix[FREE * k + j] = mass[(dof + k) * nv + dof + j];
    }
    if (solveCholesky(matrix, change, FREE)) for (let k = 0; k < FREE; k++) rates[dof + k] += change[k];
  }
}
