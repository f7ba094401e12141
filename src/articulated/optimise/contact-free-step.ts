import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import { ForwardDynamicsDerivatives } from "../derivatives/forward-dynamics";
import { ForwardDynamics } from "../dynamics/forward-dynamics";
import { holdingForces } from "../dynamics/holding-forces";
import { addPassiveForces } from "../dynamics/passive-forces";
import { updateKinematics } from "../dynamics/kinematics";
import { requirePlain } from "../require-plain";
import type { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import { makeStepJacobians, type StepJacobians } from "../step/derivatives/step-jacobians";
import { RotationDerivatives } from "../step/derivatives/rotation-derivatives";
import { rotationJoints, type RotationJoint } from "../step/rotation-step";
import type { DifferentiableStep, StepDerivatives } from "./differentiable-step";

/**
 * Semi-implicit Euler steps of a mechanism without contact, (1) of paper 4 without f: q̇' = q̇ + Δt M⁻¹(τ − c), q' = q
 * + Δt q̇', with rotations and dampers as in `ContactStep`, never in parts. Controls are the forces of the joints that
 * have an actuator (`effortLimit` > 0), in the order of the coordinates. Rotation vectors are not re-parametrized
 * between steps: rotations of free and ball joints must stay below a full turn.
 */
export class ContactFreeStep implements DifferentiableStep {
  readonly nv: number;
  readonly nu: number;
  /** Degree of freedom of each control. */
  readonly actuated: Int32Array;
  private readonly scratch: ArticulatedScratch;
  private readonly dynamics: ForwardDynamics;
  private readonly derivatives: ForwardDynamicsDerivatives;
  private readonly tau: Float64Array;
  private readonly qdd: Float64Array;
  private readonly rotations: readonly RotationJoint[];
  private readonly rotationDerivatives: RotationDerivatives;
  private readonly shift: Float64Array;
  private readonly jacobians: StepJacobians;

  /** @throws PliantError for a time step that is not positive, or a gravity that is not finite */
  constructor(
    readonly model: ArticulatedModel,
    readonly timeStep: number,
    gravity: Vec3 = [0, -9.81, 0],
  ) {
    if (!(Number.isFinite(timeStep) && timeStep > 0))
      throw new PliantError("invalid-argument", "ContactFreeStep.timeStep", timeStep, "must be positive");
    if (!gravity.every(Number.isFinite))
      throw new PliantError("non-finite", "ContactFreeStep.gravity", gravity, "must be three finite numbers");
    requirePlain(model, "ContactFreeStep");
    this.nv = model.nv;
    this.actuated = actuatedDofs(model);
    this.nu = this.actuated.length;
    this.scratch = new ArticulatedScratch(model);
    this.scratch.gravity.set(gravity);
    this.dynamics = new ForwardDynamics(model);
    this.derivatives = new ForwardDynamicsDerivatives(model);
    this.tau = new Float64Array(model.nv);
    this.qdd = new Float64Array(model.nv);
    this.rotations = rotationJoints(model);
    const { rotations, scratch } = this;
    this.rotationDerivatives = new RotationDerivatives({ model, rotations, scratch, options: { timeStep } });
    this.shift = new Float64Array(model.nv);
    this.jacobians = makeStepJacobians(model.nv);
  }

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.setForces(u);
    updateKinematics(this.scratch, q, qd);
    addPassiveForces(this.model, q, qd, this.tau);
    this.dynamics.compute(this.scratch, this.tau, undefined, this.qdd, this.timeStep);
    this.integrate(this.qdd, outQ, outQd);
  }

  holdingControls(q: Float64Array, out: Float64Array): void {
    holdingForces(this.scratch, q, this.tau);
    for (let j = 0; j < this.nu; j++) out[j] = this.tau[this.actuated[j]];
  }

  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void {
    const { nv, nu, timeStep: dt, derivatives, actuated } = this;
    this.setForces(u);
    updateKinematics(this.scratch, q, qd);
    derivatives.compute(this.scratch, this.tau, dt);
    this.integrate(derivatives.qdd, outQ, outQd);
    this.fillJacobians();
    const { jacobians: j } = this;
    const nx = 2 * nv;
    for (let row = 0; row < nv; row++) {
      const [top, bottom] = [row * nx, (nv + row) * nx];
      for (let column = 0; column < nv; column++) {
        const from = row * nv + column;
        out.a[top + column] = j.positionByPosition[from];
        out.a[top + nv + column] = j.positionByVelocity[from];
        out.a[bottom + column] = j.velocityByPosition[from];
        out.a[bottom + nv + column] = j.velocityByVelocity[from];
      }
      for (let column = 0; column < nu; column++) {
        const from = row * nv + actuated[column];
        out.b[row * nu + column] = j.positionByControl[from];
        out.b[(nv + row) * nu + column] = j.velocityByControl[from];
      }
    }
  }

  private fillJacobians(): void {
    const { nv, timeStep: dt, derivatives, jacobians: j, rotationDerivatives: rotations } = this;
    for (let i = 0; i < nv * nv; i++) {
      j.velocityByPosition[i] = dt * derivatives.byPosition[i];
      j.velocityByVelocity[i] = dt * derivatives.byVelocity[i];
      j.velocityByControl[i] = dt * derivatives.byForce[i];
    }
    for (let k = 0; k < nv; k++) j.velocityByVelocity[k * nv + k] += 1;
    rotations.compute();
    rotations.addShiftTo(j.velocityByPosition, j.velocityByVelocity);
    for (let i = 0; i < nv * nv; i++) {
      j.positionByPosition[i] = dt * j.velocityByPosition[i];
      j.positionByVelocity[i] = dt * j.velocityByVelocity[i];
      j.positionByControl[i] = dt * j.velocityByControl[i];
    }
    for (let k = 0; k < nv; k++) j.positionByPosition[k * nv + k] += 1;
    rotations.apply(j, undefined);
  }

  private setForces(u: Float64Array): void {
    this.tau.fill(0);
    for (let j = 0; j < this.nu; j++) this.tau[this.actuated[j]] = u[j];
  }

  /** Integrates from the state in `scratch`. */
  private integrate(qdd: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    const { scratch, shift, rotations, timeStep: dt, qdd: solved } = this;
    shift.fill(0);
    for (const joint of rotations) joint.start(scratch.q, scratch.qd, dt, shift);
    for (let i = 0; i < this.nv; i++) {
      solved[i] = scratch.qd[i] + dt * qdd[i] + shift[i];
      outQd[i] = solved[i];
      outQ[i] = scratch.q[i] + dt * solved[i];
    }
    for (const joint of rotations) joint.finish(scratch.q, solved, dt, outQ, outQd);
  }
}

/** Degrees of freedom with an actuator: those with a non-zero `effortLimit`. */
export function actuatedDofs(model: ArticulatedModel): Int32Array {
  const all = Array.from(model.effortLimit, (limit, dof) => (limit > 0 ? dof : -1));
  return Int32Array.from(all.filter((dof) => dof >= 0));
}

/** Bounds of the controls of a model, for `optimizeTrajectory`: ∓ and ± `effortLimit` of the actuated joints. */
export function effortBounds(model: ArticulatedModel): { lower: Float64Array; upper: Float64Array } {
  const upper = Float64Array.from(actuatedDofs(model), (dof) => model.effortLimit[dof]);
  return { lower: upper.map((value) => -value), upper };
}
