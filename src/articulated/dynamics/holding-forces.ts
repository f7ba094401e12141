import type { ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { biasForces } from "./inverse-dynamics";
import { updateKinematics } from "./kinematics";

/**
 * Forces on the coordinates that hold a position at rest against weight and springs.
 *
 * @param scratch with the gravity that counts
 * @param q coordinates, nv numbers
 * @param springs default those of the model
 * @param out nv numbers [N m or N]
 */
export function holdingForces(
  scratch: ArticulatedScratch,
  q: Float64Array,
  out: Float64Array,
  springs: Pick<ArticulatedModel, "stiffness" | "restPosition"> = scratch.model,
): void {
  updateKinematics(scratch, q, new Float64Array(q.length));
  biasForces(scratch, out);
  for (let k = 0; k < q.length; k++) out[k] += springs.stiffness[k] * (q[k] - springs.restPosition[k]);
}
