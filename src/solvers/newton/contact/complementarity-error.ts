/**
 * Distance of impulses from a solution of an island's equations, in the same unit for all methods of solution: it does
 * not depend on the scale r and the function φ of a Newton iteration, so that iterations may be compared (figures 17
 * and 18).
 *
 * a  gap at the end of the step over h [m/s];  p  normal impulse [N s];  d  effective mobility [J M⁻¹ Jᵀ]ᵢᵢ [1/kg]
 * v  slip velocity, p_f  friction impulse, two components each
 *
 *     normal     |min(a, d p)|
 *     friction   d ‖p_f − Π(p_f − v/d)‖, Π the nearest point of the disc of radius µ p
 *     joint row  mobility times the distance of p from its required value
 */

import type { IslandSystem } from "../island/island-system";

/**
 * @param speed J u for each unknown
 * @param p impulses
 * @param h time step [s]
 * @returns the largest error [m/s]
 */
export function complementarityError(system: IslandSystem, speed: Float64Array, p: Float64Array, h: number): number {
  return Math.max(contactError(system, speed, p), rowError(system, speed, p, h));
}

function contactError(system: IslandSystem, speed: Float64Array, p: Float64Array): number {
  const { contacts, firstContact, contactCount } = system;
  let worst = 0;
  for (let k = 0; k < contactCount; k++) {
    const c = firstContact + k;
    const i = 3 * k;
    const normal = Math.min(contacts.bias[c] + speed[i], contacts.diagonal[3 * c] * p[i]);
    const d = Math.max(contacts.diagonal[3 * c + 1], contacts.diagonal[3 * c + 2]);
    const limit = contacts.friction[c] * Math.max(0, p[i]);
    const y1 = p[i + 1] - speed[i + 1] / d;
    const y2 = p[i + 2] - speed[i + 2] / d;
    const length = Math.sqrt(y1 * y1 + y2 * y2);
    const scale = length > limit ? limit / length : 1;
    const e1 = p[i + 1] - scale * y1;
    const e2 = p[i + 2] - scale * y2;
    worst = Math.max(worst, Math.abs(normal), d * Math.sqrt(e1 * e1 + e2 * e2));
  }
  return worst;
}

function rowError(system: IslandSystem, speed: Float64Array, p: Float64Array, h: number): number {
  const { rows, firstRow, rowCount } = system;
  const first = 3 * system.contactCount;
  let worst = 0;
  for (let k = 0; k < rowCount; k++) {
    const r = firstRow + k;
    const i = first + k;
    const share = rows.share[r];
    const g = (share * rows.value[r]) / h + (1 - share) * speed[i] - rows.target[r] + rows.compliance[r] * p[i];
    const mobility = rows.diagonal[r] + rows.compliance[r];
    if (!(mobility > 0)) continue;
    const free = p[i] - g / mobility;
    const bound = free < rows.lower[r] ? rows.lower[r] : free > rows.upper[r] ? rows.upper[r] : free;
    worst = Math.max(worst, mobility * Math.abs(bound - p[i]));
  }
  return worst;
}
