import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import { ForwardDynamicsDerivatives } from "../derivatives/forward-dynamics";
import { ForwardDynamics } from "../dynamics/forward-dynamics";
import { addPassiveForces } from "../dynamics/passive-forces";
import { updateKinematics } from "../dynamics/kinematics";
import type { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import type { DifferentiableStep, StepDerivatives } from "./differentiable-step";

/**
 * Semi-implicit Euler steps of a mechanism that touches nothing, (1) of paper 4 without f:
 * q̇' = q̇ + Δt M⁻¹(τ − c), q' = q + Δt q̇'. Controls are the forces of the joints that have an actuator
 * (`effortLimit` > 0), in the order of the coordinates. Rotation vectors are not re-parametrised on the way: rotations of
 * free and ball joints must stay below a full turn.
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
    this.nv = model.nv;
    this.actuated = actuatedDofs(model);
    this.nu = this.actuated.length;
    this.scratch = new ArticulatedScratch(model);
    this.scratch.gravity.set(gravity);
    this.dynamics = new ForwardDynamics(model);
    this.derivatives = new ForwardDynamicsDerivatives(model);
    this.tau = new Float64Array(model.nv);
    this.qdd = new Float64Array(model.nv);
  }

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.setForces(u);
    updateKinematics(this.scratch, q, qd);
    addPassiveForces(this.model, q, qd, this.tau);
    this.dynamics.compute(this.scratch, this.tau, undefined, this.qdd);
    this.integrate(q, qd, this.qdd, outQ, outQd);
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
    derivatives.compute(this.scratch, this.tau);
    this.integrate(q, qd, derivatives.qdd, outQ, outQd);
    const { byPosition, byVelocity, byForce } = derivatives;
    const nx = 2 * nv;
    const { a, b } = out;
    for (let i = 0; i < nv; i++) {
      const [top, bottom] = [i * nx, (nv + i) * nx];
      for (let j = 0; j < nv; j++) {
        const same = i === j ? 1 : 0;
        const byQ = dt * byPosition[i * nv + j];
        const byQd = same + dt * byVelocity[i * nv + j];
        a[bottom + j] = byQ;
        a[bottom + nv + j] = byQd;
        a[top + j] = same + dt * byQ;
        a[top + nv + j] = dt * byQd;
      }
      for (let j = 0; j < nu; j++) {
        const byU = dt * byForce[i * nv + actuated[j]];
        b[(nv + i) * nu + j] = byU;
        b[i * nu + j] = dt * byU;
      }
    }
  }

  private setForces(u: Float64Array): void {
    this.tau.fill(0);
    for (let j = 0; j < this.nu; j++) this.tau[this.actuated[j]] = u[j];
  }

  private integrate(
    q: Float64Array,
    qd: Float64Array,
    qdd: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
  ): void {
    for (let i = 0; i < this.nv; i++) {
      outQd[i] = qd[i] + this.timeStep * qdd[i];
      outQ[i] = q[i] + this.timeStep * outQd[i];
    }
  }
}

/** Degrees of freedom with an actuator: those whose `effortLimit` is not 0. */
export function actuatedDofs(model: ArticulatedModel): Int32Array {
  const all = Array.from(model.effortLimit, (limit, dof) => (limit > 0 ? dof : -1));
  return Int32Array.from(all.filter((dof) => dof >= 0));
}

/** Bounds of the controls of a model, for `optimizeTrajectory`: ∓ and ± `effortLimit` of the actuated joints. */
export function effortBounds(model: ArticulatedModel): { lower: Float64Array; upper: Float64Array } {
  const upper = Float64Array.from(actuatedDofs(model), (dof) => model.effortLimit[dof]);
  return { lower: upper.map((value) => -value), upper };
}
