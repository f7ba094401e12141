/** Energy and momentum of the state of the last `updateKinematics`. */
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { dot6, inertiaTimes } from "../spatial";

const momentum = new Float64Array(6);

/** ½ q̇ᵀ M q̇, armature included [J]. */
export function kineticEnergy(scratch: ArticulatedScratch): number {
  const { model, inertia, velocity, qd } = scratch;
  let energy = 0;
  for (let i = 0; i < model.linkCount; i++) {
    inertiaTimes(inertia, 10 * i, velocity, 6 * i, momentum, 0);
    energy += 0.5 * dot6(velocity, 6 * i, momentum, 0);
  }
  for (let k = 0; k < model.nv; k++) energy += 0.5 * model.armature[k] * qd[k] * qd[k];
  return energy;
}

/** Energy of weight (zero at the world's origin) and of springs [J]. */
export function potentialEnergy(scratch: ArticulatedScratch): number {
  const { model, inertia, gravity, q } = scratch;
  let energy = 0;
  for (let i = 0; i < model.linkCount; i++) for (let c = 0; c < 3; c++) energy -= gravity[c] * inertia[10 * i + 1 + c];
  for (let k = 0; k < model.nv; k++) energy += 0.5 * model.stiffness[k] * (q[k] - model.restPosition[k]) ** 2;
  return energy;
}

/**
 * Momentum of a tree of links about the world's origin.
 *
 * @param root root link of the tree; undefined for all links
 * @param out [angular kg·m²/s, linear kg·m/s], six numbers
 */
export function totalMomentum(scratch: ArticulatedScratch, out: Float64Array, root?: number): void {
  const { model, inertia, velocity } = scratch;
  out.fill(0);
  for (let i = 0; i < model.linkCount; i++) {
    if (root !== undefined && rootOf(scratch, i) !== root) continue;
    inertiaTimes(inertia, 10 * i, velocity, 6 * i, momentum, 0);
    for (let c = 0; c < 6; c++) out[c] += momentum[c];
  }
}

/** Center of mass of all links [m]; the origin if they have no mass. */
export function centerOfMass(scratch: ArticulatedScratch, out: Float64Array): void {
  const { model, inertia } = scratch;
  out.fill(0);
  let mass = 0;
  for (let i = 0; i < model.linkCount; i++) {
    mass += inertia[10 * i];
    for (let c = 0; c < 3; c++) out[c] += inertia[10 * i + 1 + c];
  }
  if (mass > 0) for (let c = 0; c < 3; c++) out[c] /= mass;
}

function rootOf(scratch: ArticulatedScratch, link: number): number {
  let root = link;
  while (scratch.model.parent[root] !== WORLD) root = scratch.model.parent[root];
  return root;
}
