import { updateKinematics } from "../dynamics/kinematics";
import type { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import { InverseDynamicsDerivatives } from "./inverse-dynamics";

/** ∂(M(q) x)/∂q: inverse dynamics at rest and without weight, for the acceleration x. */
export class MassProductDerivatives {
  private readonly scratch: ArticulatedScratch;
  private readonly derivatives: InverseDynamicsDerivatives;
  private readonly rest: Float64Array;
  private readonly unused: Float64Array;

  constructor(model: ArticulatedModel) {
    this.scratch = new ArticulatedScratch(model);
    this.scratch.gravity.fill(0);
    this.derivatives = new InverseDynamicsDerivatives(model);
    this.rest = new Float64Array(model.nv);
    this.unused = new Float64Array(model.nv * model.nv);
  }

  /**
   * @param q coordinates, nv numbers
   * @param x nv numbers, held fixed
   * @param out nv × nv, row-major: entry (k, j) is ∂(M x)_k/∂q_j. Entries between branches are not written.
   */
  compute(q: Float64Array, x: Float64Array, out: Float64Array): void {
    updateKinematics(this.scratch, q, this.rest);
    this.derivatives.compute(this.scratch, x, out, this.unused);
  }
}
