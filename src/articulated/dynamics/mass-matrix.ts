/** The mass matrix by composite rigid bodies, its sparse factor M = Lᵀ D L (Featherstone), and one solve with it. */
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { dot6, inertiaTimes } from "../spatial";
import { refusePivot } from "./pivot";

/** Updates the inertia of every link with all links behind it. Call after `updateInertias`. O(n). */
export function updateCompositeInertias(scratch: ArticulatedScratch): void {
  const { model, inertia, composite } = scratch;
  composite.set(inertia);
  for (let i = model.linkCount - 1; i >= 0; i--) {
    const above = model.parent[i];
    if (above !== WORLD) for (let c = 0; c < 10; c++) composite[10 * above + c] += composite[10 * i + c];
  }
}

const momentum = new Float64Array(6);

/**
 * Writes M(q), including armature, to `scratch.mass` (nv × nv, both triangles; entries between branches stay zero).
 * Call after `updateKinematics`. O(n · depth).
 *
 * M_kj = S_jᵀ Iᶜ_k S_k for j = k and its ancestors.
 *
 * @param dt [s]; adds Δt D, so that forces of dampers are those at the end of a step: M (q̇' − q̇) = Δt (τ − c − D q̇')
 */
export function massMatrix(scratch: ArticulatedScratch, dt = 0): Float64Array {
  const { model, motion, composite, mass } = scratch;
  const { nv, supportStart, support, dofLink } = model;
  updateCompositeInertias(scratch);
  for (let k = 0; k < nv; k++) {
    inertiaTimes(composite, 10 * dofLink[k], motion, 6 * k, momentum, 0);
    mass[k * nv + k] = dot6(motion, 6 * k, momentum, 0) + model.armature[k] + dt * model.damping[k];
    for (let at = supportStart[k]; at < supportStart[k + 1]; at++) {
      const j = support[at];
      mass[k * nv + j] = mass[j * nv + k] = dot6(motion, 6 * j, momentum, 0);
    }
  }
  return mass;
}

/**
 * Factors `scratch.mass` as Lᵀ D L without fill: row k has entries only at the ancestors of k. Call after `massMatrix`.
 * O(n · depth²).
 *
 * @throws PliantError `degenerate-geometry` if a pivot is not positive: some joint has no inertia to move
 */
export function factorMassMatrix(scratch: ArticulatedScratch): void {
  const { model, mass, factor, inversePivot } = scratch;
  const { nv, supportStart, support } = model;
  for (let k = 0; k < nv; k++) {
    const row = k * nv;
    inversePivot[k] = mass[row + k];
    for (let at = supportStart[k]; at < supportStart[k + 1]; at++) factor[row + support[at]] = mass[row + support[at]];
  }
  for (let k = nv - 1; k >= 0; k--) {
    const row = k * nv;
    const pivot = inversePivot[k];
    if (!(pivot > 0)) refusePivot(model, k, pivot);
    const inverse = 1 / pivot;
    inversePivot[k] = inverse;
    const end = supportStart[k + 1];
    for (let at = supportStart[k]; at < end; at++) {
      const i = support[at];
      const entry = factor[row + i];
      const a = entry * inverse;
      // the ancestors of i follow it in the list; a_kj of the nearer ones have already been divided by the pivot
      inversePivot[i] -= a * entry;
      for (let rest = at + 1; rest < end; rest++) factor[i * nv + support[rest]] -= a * factor[row + support[rest]];
      factor[row + i] = a;
    }
  }
}

/** x ← M⁻¹ x for one vector of nv numbers. Call after `factorMassMatrix`. O(n · depth). */
export function solveMass(scratch: ArticulatedScratch, x: Float64Array): void {
  const { model, factor, inversePivot } = scratch;
  const { nv, supportStart, support } = model;
  for (let k = nv - 1; k >= 0; k--) {
    const value = x[k];
    if (value === 0) continue;
    for (let at = supportStart[k]; at < supportStart[k + 1]; at++)
      x[support[at]] -= factor[k * nv + support[at]] * value;
  }
  for (let k = 0; k < nv; k++) {
    let value = x[k] * inversePivot[k];
    for (let at = supportStart[k]; at < supportStart[k + 1]; at++)
      value -= factor[k * nv + support[at]] * x[support[at]];
    x[k] = value;
  }
}
