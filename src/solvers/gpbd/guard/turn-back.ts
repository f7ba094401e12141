/**
 * Elements that are still inside out at the end of a frame come back there. In a substep neighbors and contact undo what `untangle` does, and the
 * energy that the elements would come back with is one that the guard does not believe, see energy-guard.ts: such bodies stayed crumpled, or
 * flew apart like dust. So a guarded body that steps by itself is swept over until no principal stretch σ of an element is below ℓ, and, if nothing
 * holds it, none above `LARGEST_STRETCH`, beyond which it is blown up and not stretched. Neighbors undo that, too, where many are tangled: then some
 * sweeps have closer bounds, as if the body were nearly rigid.
 *
 *     F = U diag(σ) Vᵀ,  ΔF = U diag(clamp(σ) − σ) Vᵀ,  Δxₐ = wₐ ΔF M⁻¹ gₐ   with w = 1/m and M = Σ wₐ gₐ gₐᵀ, as in untangle.ts
 *
 * The displacement is no velocity, and the element moves on as a rigid body: it keeps its momentum, and its angular momentum unless that would
 * take more energy than it has. So motion is lost, as in a blow without a rebound, and none comes of nothing. A body with nothing inside out
 * does none of this. Obstacles stay in the way: `land` ends a particle's way where it meets one, or it would be beyond a thin floor for good. Elements
 * that this presses flat are turned back again from there.
 * Twin of turn-back.wgsl.
 */
import * as constants from "../../../generated/constants";
import { createSweepContact, sweepContact } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { determinant } from "../../../math/determinant";
import { singularValues } from "../../../math/eigen/svd3";
import { isSolid, type EnergyTerm, type GpbdModel } from "../model";
import { arityOf } from "../elements/elements";
import { invert } from "../elements/solids/untangle";
import { deformationGradient, shapeGradients } from "../strains/green-tet";

const { FLAT_STRETCH, LARGEST_STRETCH, SMALLEST_NEAR, LARGEST_NEAR, TURN_SWEEPS, TURN_ROUNDS, NEAR_SWEEPS } = constants;

/** Values of the particles: changed. */
interface Turned {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** inverse masses, 0 of what is held [1/kg] */
  readonly inverseMasses: Float64Array;
}

/** Obstacles, where the frame leaves them. */
interface Obstacles {
  readonly colliders: ColliderSet;
  /** distance to keep from them [m] */
  readonly thickness: number;
}

const vertices = new Uint32Array(4);
const x = new Float64Array(12);
const f = new Float64Array(9);
const g = new Float64Array(12);
const u = new Float64Array(9);
const v = new Float64Array(9);
const sigma = new Float64Array(3);
const change = new Float64Array(9);
const m = new Float64Array(9);
const inverse = new Float64Array(9);
const along = new Float64Array(9);

/** Turns linear tetrahedra of a body back. */
export function turnBack(model: GpbdModel, turned: Turned, obstacles: Obstacles): void {
  const before = turned.positions.slice();
  for (let round = 0; round < TURN_ROUNDS && sweepOver(model, turned); round++)
    land(before, turned.positions, obstacles);
}

const contact = createSweepContact();

/** Passes over all obstacles: the second is for what another obstacle has pushed back. */
const LANDINGS = 2;

/** Keeps particles that were turned back on their side of obstacles. */
function land(before: Float64Array, positions: Float64Array, { colliders, thickness }: Obstacles): void {
  for (let i = 0; i < positions.length; i += 3) {
    if (positions[i] === before[i] && positions[i + 1] === before[i + 1] && positions[i + 2] === before[i + 2])
      continue;
    for (let k = 0; k < LANDINGS * colliders.primitiveCount; k++)
      if (sweepContact(colliders, k % colliders.primitiveCount, before, positions, i, thickness, 1, 1, contact))
        for (let c = 0; c < 3; c++) positions[i + c] += contact.push * contact.normal[c];
  }
}

/** @returns whether anything was out of bounds */
function sweepOver(model: GpbdModel, turned: Turned): boolean {
  let isOut = false;
  const isFree = !turned.inverseMasses.includes(0);
  /** which turn moved each particle last, and how many there were when an element was found to be within bounds */
  const turns = new Uint32Array(model.particleCount).fill(1);
  let count = 1;
  for (const term of model.terms) {
    if (!isSolid(term.kind) || arityOf(term) !== 4) continue;
    const { indices, elementCount } = term;
    const looked = new Uint32Array(elementCount);
    for (let sweep = 0, moved = 1; sweep < TURN_SWEEPS && moved > 0; sweep++) {
      if (sweep === NEAR_SWEEPS) looked.fill(0);
      const isNear = sweep >= NEAR_SWEEPS && sweep < TURN_SWEEPS - NEAR_SWEEPS;
      const [from, to] = isNear ? [SMALLEST_NEAR, LARGEST_NEAR] : [FLAT_STRETCH, LARGEST_STRETCH];
      moved = 0;
      for (let e = 0, i = 0; e < elementCount; e++, i += 4) {
        // Nothing has moved it since.
        const last = looked[e];
        if (
          turns[indices[i]] <= last &&
          turns[indices[i + 1]] <= last &&
          turns[indices[i + 2]] <= last &&
          turns[indices[i + 3]] <= last
        )
          continue;
        if (turn(term, e, turned, from, isFree ? to : Infinity)) {
          moved++;
          count++;
          for (let a = i; a < i + 4; a++) turns[indices[a]] = count;
        } else looked[e] = count;
      }
      if (moved > 0) isOut = true;
    }
  }
  return isOut;
}

/**
 * Brings the principal stretches of an element between bounds.
 *
 * @returns whether it moved anything
 */
function turn(
  term: EnergyTerm,
  e: number,
  { positions, velocities, inverseMasses }: Turned,
  smallest: number,
  largest: number,
): boolean {
  const at = (term.rest.length / term.elementCount) * e;
  for (let a = 0; a < 4; a++) {
    const p = 3 * (vertices[a] = term.indices[4 * e + a]);
    for (let c = 0; c < 3; c++) x[3 * a + c] = positions[p + c];
  }
  deformationGradient(x, term.rest, at, f);
  let squares = 0;
  for (let i = 0; i < 9; i++) squares += f[i] * f[i];
  // σ₁σ₂ ≤ ½ ‖F‖² and σ₁ ≤ ‖F‖, so this says that all are within bounds without looking for them.
  if (squares <= largest * largest && 2 * determinant(f) >= smallest * squares && squares > 0) return false;
  singularValues(f, 0, 3, u, sigma, v);
  // An element that was brought to a bound is there but for rounding.
  if (sigma[2] >= 0.98 * smallest && sigma[0] <= 1.02 * largest) return false;
  change.fill(0);
  for (let k = 0; k < 3; k++) {
    const rise = Math.min(largest, Math.max(smallest, sigma[k])) - sigma[k];
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) change[3 * i + j] += rise * u[3 * i + k] * v[3 * j + k];
  }
  shapeGradients(term.rest, at, 4, g);
  m.fill(0);
  for (let a = 0; a < 4; a++)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) m[3 * i + j] += inverseMasses[vertices[a]] * g[3 * a + i] * g[3 * a + j];
  if (!liftedInverse(m, inverse)) return false;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      along[3 * i + j] = 0;
      for (let k = 0; k < 3; k++) along[3 * i + j] += change[3 * i + k] * inverse[3 * k + j];
    }
  let isFree = true;
  for (let a = 0; a < 4; a++) isFree &&= inverseMasses[vertices[a]] !== 0;
  if (isFree) findSpin(velocities, inverseMasses);
  for (let a = 0; a < 4; a++)
    for (let i = 0; i < 3; i++) {
      const way = along[3 * i] * g[3 * a] + along[3 * i + 1] * g[3 * a + 1] + along[3 * i + 2] * g[3 * a + 2];
      x[3 * a + i] += inverseMasses[vertices[a]] * way;
      positions[3 * vertices[a] + i] = x[3 * a + i];
    }
  if (isFree) moveOn(velocities, inverseMasses);
  return true;
}

/** Motion of an element about its center, which stays: twice the energy [J], center [m], velocity [m/s], angular momentum [N m s] */
const spin = {
  energy: 0,
  center: new Float64Array(3),
  velocity: new Float64Array(3),
  momentum: new Float64Array(3),
};
const turning = new Float64Array(3);

function findSpin(velocities: Float64Array, inverseMasses: Float64Array): void {
  const { center, velocity, momentum } = spin;
  center.fill(0);
  velocity.fill(0);
  momentum.fill(0);
  let mass = 0;
  let energy = 0;
  for (let a = 0; a < 4; a++) {
    const own = 1 / inverseMasses[vertices[a]];
    mass += own;
    for (let c = 0; c < 3; c++) {
      center[c] += own * x[3 * a + c];
      velocity[c] += own * velocities[3 * vertices[a] + c];
    }
  }
  for (let c = 0; c < 3; c++) {
    center[c] /= mass;
    velocity[c] /= mass;
  }
  for (let a = 0; a < 4; a++) {
    const p = 3 * vertices[a];
    const own = 1 / inverseMasses[vertices[a]];
    for (let c = 0; c < 3; c++) {
      const i = c === 2 ? 0 : c + 1;
      const j = 3 - c - i;
      const w = velocities[p + c] - velocity[c];
      momentum[c] +=
        own *
        ((x[3 * a + i] - center[i]) * (velocities[p + j] - velocity[j]) -
          (x[3 * a + j] - center[j]) * (velocities[p + i] - velocity[i]));
      energy += own * w * w;
    }
  }
  spin.energy = energy;
}

/** The element, where it is now, moves on as a rigid body. */
function moveOn(velocities: Float64Array, inverseMasses: Float64Array): void {
  const { center, velocity, momentum, energy } = spin;
  m.fill(0);
  for (let a = 0; a < 4; a++) {
    const own = 1 / inverseMasses[vertices[a]];
    const rx = x[3 * a] - center[0];
    const ry = x[3 * a + 1] - center[1];
    const rz = x[3 * a + 2] - center[2];
    m[0] += own * (ry * ry + rz * rz);
    m[4] += own * (rx * rx + rz * rz);
    m[8] += own * (rx * rx + ry * ry);
    m[1] = m[3] -= own * rx * ry;
    m[5] = m[7] -= own * ry * rz;
    m[2] = m[6] -= own * rx * rz;
  }
  if (!liftedInverse(m, inverse)) return;
  let wanted = 0;
  for (let i = 0; i < 3; i++) {
    turning[i] = inverse[3 * i] * momentum[0] + inverse[3 * i + 1] * momentum[1] + inverse[3 * i + 2] * momentum[2];
    wanted += turning[i] * momentum[i];
  }
  const part = wanted > energy ? Math.sqrt(energy / wanted) : 1;
  for (let a = 0; a < 4; a++)
    for (let c = 0; c < 3; c++) {
      const i = c === 2 ? 0 : c + 1;
      const j = 3 - c - i;
      const around = turning[i] * (x[3 * a + j] - center[j]) - turning[j] * (x[3 * a + i] - center[i]);
      velocities[3 * vertices[a] + c] = velocity[c] + part * around;
    }
}

/** Inverse of a symmetric matrix, which is lifted a little, so that two held vertices leave it regular; false for nothing. */
function liftedInverse(a: Float64Array, out: Float64Array): boolean {
  const trace = a[0] + a[4] + a[8];
  if (!(trace > 0)) return false;
  for (let i = 0; i < 9; i += 4) a[i] += 1e-6 * trace;
  invert(a, out);
  return true;
}
