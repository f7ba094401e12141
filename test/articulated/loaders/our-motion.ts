import { Actuators, isShared } from "../../../src/articulated/actuators/actuators";
import { ForwardDynamics } from "../../../src/articulated/dynamics/forward-dynamics";
import { GravityCompensation } from "../../../src/articulated/dynamics/gravity-compensation";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { addPassiveForces } from "../../../src/articulated/dynamics/passive-forces";
import type { LoadedMechanism } from "../../../src/articulated/loaders/loaded";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedScratch } from "../../../src/articulated/scratch";

/** Accelerations of our mechanism with its springs, servos and carried weights. */
export class OurMotion {
  readonly model: ArticulatedModel;
  readonly scratch: ArticulatedScratch;
  readonly actuators: Actuators;
  private readonly dynamics: ForwardDynamics;
  private readonly compensation: GravityCompensation;

  constructor({ mechanism, actuators, gravity }: LoadedMechanism) {
    this.model = new ArticulatedModel(mechanism);
    this.scratch = new ArticulatedScratch(this.model);
    this.scratch.gravity.set(gravity!);
    this.actuators = new Actuators(this.model, actuators);
    this.dynamics = new ForwardDynamics(this.model);
    this.compensation = new GravityCompensation(this.model);
  }

  accelerations(q: Float64Array, qd: Float64Array): Float64Array {
    const { model, scratch } = this;
    const [tau, qdd] = [new Float64Array(model.nv), new Float64Array(model.nv)];
    this.actuators.prepare(q, qd, 0, tau);
    this.addShared(tau);
    updateKinematics(scratch, q, qd);
    addPassiveForces(model, q, qd, tau);
    this.compensation.add(q, scratch.gravity, tau);
    this.dynamics.compute(scratch, tau, undefined, qdd);
    return qdd;
  }

  /** Forces of servos that joints share, which a step has as rows. */
  private addShared(tau: Float64Array): void {
    for (const servo of this.actuators.compiled.filter(isShared)) {
      const { dofs, coefficients, gain, bias, force, u, length, speed } = servo;
      const wanted = gain * u + bias[0] + bias[1] * length + bias[2] * speed;
      const f = Math.min(Math.max(wanted, force[0]), force[1]);
      dofs.forEach((dof, j) => (tau[dof] += coefficients[j] * f));
    }
  }
}
