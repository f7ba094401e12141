import type { ArticulatedModel } from "../model";

/**
 * out += −k (q − q₀) − d q̇: the forces of springs and dampers of the joints. Its derivatives are the diagonals −k and
 * −d.
 *
 * @param out nv numbers [N·m or N]
 */
export function addPassiveForces(model: ArticulatedModel, q: Float64Array, qd: Float64Array, out: Float64Array): void {
  const { stiffness, restPosition, damping } = model;
  for (let k = 0; k < model.nv; k++) out[k] -= stiffness[k] * (q[k] - restPosition[k]) + damping[k] * qd[k];
}
