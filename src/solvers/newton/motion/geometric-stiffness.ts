/**
 * Geometric stiffness of joints (8.3). A joint's force f acts on a body at the arm r. The arm turns with the body, f
 * does not: the moment changes by (φ × r) × f if the body turns by φ, like a spring of stiffness r·f about all axes
 * perpendicular to r. Under a load, h² r·f may exceed the inertia many times, and a step with the force's moment at its
 * start would be unstable.
 *
 * The paper estimates the stiffness from two iterates, for particles. Here it is known in closed form, and is added to
 * the matrix of the body as in Tournier et al. (2015) and Andrews et al. (2017), with the forces of the last step:
 *
 *     H = I + h² c K,   K = Σ max(0, r·f) (1 − r̂ r̂ᵀ),   c = max(0, 1 − a I_min/(h² Σ r·f)),   ω̃ ← H⁻¹ I ω̃
 *
 * Only the excess over a safe part a of the explicit step's limit is used, so that light loads keep swinging without
 * damping.
 */

import { type BodyTable, Motion, TWIST_SIZE } from "./bodies";

/** a: largest h² r·f / I of a purely explicit step, which is unstable from 4 on. */
const EXPLICIT = 0.5;

/** Adds the stiffness of a force [N], times a sign, at an arm [m]. */
export function addGeometricStiffness(
  bodies: BodyTable,
  slot: number,
  arm: Float64Array,
  force: Float64Array,
  sign: number,
  h: number,
): void {
  const { model, scratch } = bodies;
  if (model.motion[slot] !== Motion.dynamic) return;
  const load = sign * h * h * (arm[0] * force[0] + arm[1] * force[1] + arm[2] * force[2]);
  if (!(load > 0)) return;
  const squared = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2];
  const scale = load / squared;
  const s = scratch.stiffness;
  const at = 6 * slot;
  s[at] += load - scale * arm[0] * arm[0];
  s[at + 1] -= scale * arm[0] * arm[1];
  s[at + 2] -= scale * arm[0] * arm[2];
  s[at + 3] += load - scale * arm[1] * arm[1];
  s[at + 4] -= scale * arm[1] * arm[2];
  s[at + 5] += load - scale * arm[2] * arm[2];
}

/** Whether a body has geometric stiffness. */
export function hasStiffness(bodies: BodyTable, slot: number): boolean {
  return implicitPart(bodies, slot) > 0;
}

/** c */
function implicitPart(bodies: BodyTable, slot: number): number {
  const { stiffness } = bodies.scratch;
  const { inertia } = bodies.model;
  const at = 6 * slot;
  // the trace of 1 − r̂ r̂ᵀ is two
  const load = 0.5 * (stiffness[at] + stiffness[at + 3] + stiffness[at + 5]);
  const least = Math.min(inertia[3 * slot], inertia[3 * slot + 1], inertia[3 * slot + 2]);
  return load > EXPLICIT * least ? 1 - (EXPLICIT * least) / load : 0;
}

/**
 * Replaces the inverse inertia by H⁻¹, and slows ω̃ accordingly.
 *
 * @param inertia I in world axes: xx, xy, xz, yy, yz, zz
 */
export function stiffen(bodies: BodyTable, slot: number, inertia: Float64Array): void {
  const { scratch } = bodies;
  const at = 6 * slot;
  const k = scratch.stiffness;
  const part = implicitPart(bodies, slot);
  const xx = inertia[0] + part * k[at];
  const xy = inertia[1] + part * k[at + 1];
  const xz = inertia[2] + part * k[at + 2];
  const yy = inertia[3] + part * k[at + 3];
  const yz = inertia[4] + part * k[at + 4];
  const zz = inertia[5] + part * k[at + 5];
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - xz * yy;
  const scale = 1 / (xx * cxx + xy * cxy + xz * cxz);
  const out = scratch.worldInverseInertia;
  out[at] = cxx * scale;
  out[at + 1] = cxy * scale;
  out[at + 2] = cxz * scale;
  out[at + 3] = (xx * zz - xz * xz) * scale;
  out[at + 4] = (xy * xz - xx * yz) * scale;
  out[at + 5] = (xx * yy - xy * xy) * scale;
  const u = scratch.freeVelocity;
  const w = TWIST_SIZE * slot + 3;
  const lx = inertia[0] * u[w] + inertia[1] * u[w + 1] + inertia[2] * u[w + 2];
  const ly = inertia[1] * u[w] + inertia[3] * u[w + 1] + inertia[4] * u[w + 2];
  const lz = inertia[2] * u[w] + inertia[4] * u[w + 1] + inertia[5] * u[w + 2];
  u[w] = out[at] * lx + out[at + 1] * ly + out[at + 2] * lz;
  u[w + 1] = out[at + 1] * lx + out[at + 3] * ly + out[at + 4] * lz;
  u[w + 2] = out[at + 2] * lx + out[at + 4] * ly + out[at + 5] * lz;
}
