/**
 * Rotation vectors φ and φ (1 − 2π/|φ|) represent the same rotation. Before |φ| reaches 2π, where the coordinates are
 * singular, the shorter one replaces φ, and φ̇ is mapped by the derivative of that change,
 *
 *     E(φ) = (1 − 2π/|φ|) 1 + 2π φφᵀ / |φ|³.
 */
import type { ArticulatedModel } from "../model";
import { segmentKind } from "./segments";

/**
 * Rotation vectors longer than this are changed. The limit is more than half a turn, so that vectors do not flip back
 * and forth.
 */
export const longestRotationVector = 1.25 * Math.PI;

const E = new Float64Array(9);

/**
 * Changes the long rotation vectors of a state, in place.
 *
 * @param changed receives the first degree of freedom of each changed vector
 * @param before only with `changed`: receives the old φ (3 numbers) and φ̇ (3 numbers), 6 for each changed vector
 * @returns number of changed vectors; `changed` needs room for one in three degrees of freedom
 */
export function reparametrise(
  model: ArticulatedModel,
  q: Float64Array,
  qd: Float64Array,
  changed?: Int32Array,
  before?: Float64Array,
): number {
  let count = 0;
  for (let s = 0; s < model.segmentKind.length; s++) {
    if (model.segmentKind[s] !== segmentKind.rotationVector) continue;
    const at = model.segmentDof[s];
    const length = Math.sqrt(q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2]);
    if (length <= longestRotationVector) continue;
    if (changed !== undefined) changed[count] = at;
    if (before !== undefined)
      for (let c = 0; c < 3; c++) {
        before[6 * count + c] = q[at + c];
        before[6 * count + 3 + c] = qd[at + c];
      }
    count++;
    changeMap(q, at, E);
    const u = qd[at];
    const v = qd[at + 1];
    const w = qd[at + 2];
    const scale = 1 - (2 * Math.PI) / length;
    for (let c = 0; c < 3; c++) {
      q[at + c] *= scale;
      qd[at + c] = E[3 * c] * u + E[3 * c + 1] * v + E[3 * c + 2] * w;
    }
  }
  return count;
}

/** E(φ), which is both ∂φ_new/∂φ and ∂φ̇_new/∂φ̇. @param out 9 numbers, row-major */
export function changeMap(phi: Float64Array, at: number, out: Float64Array): void {
  const s = phi[at] ** 2 + phi[at + 1] ** 2 + phi[at + 2] ** 2;
  const length = Math.sqrt(s);
  const along = (2 * Math.PI) / (s * length);
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++)
      out[3 * r + c] = along * phi[at + r] * phi[at + c] + (r === c ? 1 - (2 * Math.PI) / length : 0);
}

/**
 * ∂φ̇_new/∂φ = ∂(E(φ) φ̇)/∂φ for fixed φ̇: 2π/|φ|³ (φ̇φᵀ + φφ̇ᵀ + (φ·φ̇)(1 − 3 φφᵀ/|φ|²)).
 *
 * @param phi φ, at offset `at`
 * @param rate φ̇, at offset `rateAt`
 * @param out 9 numbers, row-major
 */
export function changeMapDerivative(
  phi: Float64Array,
  at: number,
  rate: Float64Array,
  rateAt: number,
  out: Float64Array,
): void {
  const s = phi[at] ** 2 + phi[at + 1] ** 2 + phi[at + 2] ** 2;
  const along = (2 * Math.PI) / (s * Math.sqrt(s));
  const dot = phi[at] * rate[rateAt] + phi[at + 1] * rate[rateAt + 1] + phi[at + 2] * rate[rateAt + 2];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const outer = rate[rateAt + r] * phi[at + c] + phi[at + r] * rate[rateAt + c];
      const rest = (r === c ? dot : 0) - (3 * dot * phi[at + r] * phi[at + c]) / s;
      out[3 * r + c] = along * (outer + rest);
    }
}
