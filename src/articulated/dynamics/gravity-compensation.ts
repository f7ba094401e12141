import { InverseDynamicsDerivatives } from "../derivatives/inverse-dynamics";
import { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import { biasForces } from "./inverse-dynamics";
import { updateKinematics } from "./kinematics";

/**
 * Forces that carry a part of the weight of links, at their centers of mass: inverse dynamics at rest, of a mechanism
 * that has only the carried parts of the masses.
 */
export class GravityCompensation {
  private readonly carried = new ArticulatedModel(this.model.description);
  private readonly scratch: ArticulatedScratch;
  private readonly rest = new Float64Array(this.model.nv);
  private readonly forces = new Float64Array(this.model.nv);
  private derivatives: InverseDynamicsDerivatives | undefined;
  private byPosition = new Float64Array(0);
  private byVelocity = new Float64Array(0);

  constructor(private readonly model: ArticulatedModel) {
    this.carried.inertia.fill(0);
    this.scratch = new ArticulatedScratch(this.carried);
  }

  /**
   * out += forces on the coordinates, nv numbers [N m or N].
   *
   * @param q coordinates, nv numbers
   * @param gravity [m/s²]
   */
  add(q: Float64Array, gravity: Float64Array, out: Float64Array): void {
    const { model, carried, scratch, forces } = this;
    for (let i = 0; i < model.linkCount; i++) carried.mass[i] = model.gravityCompensation[i] * model.mass[i];
    for (const key of ["centerOfMass", "parentPosition", "childPosition"] as const) carried[key].set(model[key]);
    scratch.gravity.set(gravity);
    updateKinematics(scratch, q, this.rest);
    biasForces(scratch, forces);
    for (let k = 0; k < forces.length; k++) out[k] += forces[k];
  }

  /** out += scale · ∂(forces of the last `add`)/∂q, nv × nv, row-major. */
  addDerivatives(scale: number, out: Float64Array): void {
    if (this.derivatives === undefined) {
      this.derivatives = new InverseDynamicsDerivatives(this.carried);
      this.byPosition = new Float64Array(out.length);
      this.byVelocity = new Float64Array(out.length);
    }
    this.byPosition.fill(0);
    this.byVelocity.fill(0);
    this.derivatives.compute(this.scratch, this.rest, this.byPosition, this.byVelocity);
    for (let i = 0; i < out.length; i++) out[i] += scale * this.byPosition[i];
  }
}
