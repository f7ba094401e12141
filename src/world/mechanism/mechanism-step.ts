import { ratesAt } from "../../articulated/joints/rates-at";
import type { ArticulatedSimulation } from "../../articulated/step/simulation";

/**
 * The step of a mechanism in a world, which is taken twice: as if nothing touched it, and with what did. Contacts are solved for velocities that
 * M⁻¹ of the coordinates before the step changes, as those of a whole step are. So what was touched takes whole steps, pushed by
 * what the free one was faster by, where that was taken in parts:
 *
 *   f = M (u − u₁) / h      u, u₁ velocities after the free step, and after a whole one, in the coordinates before
 */
export class MechanismStep {
  /** State at its end, and its velocities in the coordinates before it, as which they act on M. */
  readonly q: Float64Array;
  readonly rates: Float64Array;
  readonly startRates: Float64Array;
  /** See `FreeRoot.expect`. */
  delay = 0;
  private isInParts = false;
  private readonly hasLimits: boolean;
  private readonly controls: Float64Array;
  private readonly forces: Float64Array;

  /** @param maxTimeStep the step is divided evenly into such that are no longer [s] */
  constructor(
    private readonly simulation: ArticulatedSimulation,
    readonly maxTimeStep: number,
  ) {
    const vector = (): Float64Array => new Float64Array(simulation.nv);
    [this.q, this.rates, this.startRates, this.controls, this.forces] = Array.from({ length: 5 }, vector);
    this.hasLimits = simulation.contactStep.limits;
  }

  /** Stands through the step. */
  rest(): void {
    this.q.set(this.simulation.q);
    this.rates.fill(0);
    this.startRates.fill(0);
  }

  /**
   * Nothing touches it, and it meets no limit.
   *
   * @param h [s]
   * @param external forces on the coordinates through the step, nv numbers [N or N m]
   * @throws PliantError where it is no longer finite
   */
  takeFree(h: number, external: Float64Array): void {
    const { contactStep } = this.simulation;
    contactStep.limits = false;
    try {
      this.advance(h, external);
    } finally {
      contactStep.limits = this.hasLimits;
    }
    ratesAt(this.simulation.model, this.simulation.q, this.q, this.rates, this.startRates);
  }

  /**
   * After `takeFree`, again, with limits.
   *
   * @param impulse on the coordinates, undefined where nothing touched it [N s or N m s]
   * @param mass M, nv × nv, row-major
   * @throws PliantError where it is no longer finite
   */
  take(h: number, external: Float64Array, impulse: Float64Array | undefined, mass: Float64Array): void {
    const { forces, startRates } = this;
    const { contactStep, nv } = this.simulation;
    if (!impulse) {
      this.advance(h, external);
      return;
    }
    const { fastMotion } = contactStep.options;
    contactStep.options.fastMotion = "whole";
    try {
      for (let k = 0; k < nv; k++) forces[k] = external[k] + impulse[k] / h;
      if (this.isInParts) {
        const fast = startRates.slice();
        this.takeFree(h, external);
        for (let k = 0; k < nv; k++)
          for (let j = 0; j < nv; j++) forces[k] += (mass[k * nv + j] * (fast[j] - startRates[j])) / h;
      }
      this.advance(h, forces);
    } finally {
      contactStep.options.fastMotion = fastMotion;
    }
  }

  private advance(h: number, forces: Float64Array): void {
    const { simulation, controls, q, rates } = this;
    const steps = Math.max(1, Math.ceil(h / this.maxTimeStep - 1e-9));
    simulation.timeStep = h / steps;
    q.set(simulation.q);
    rates.set(simulation.qd);
    for (let k = 0; k < controls.length; k++) controls[k] = simulation.control[k] + forces[k];
    this.isInParts = false;
    this.delay = 0;
    for (let n = 0; n < steps; n++) {
      simulation.advance(q, rates, controls, q, rates);
      const isInParts = simulation.partCount > 0;
      this.isInParts ||= isInParts;
      this.delay += (n + (isInParts ? 0.5 : 0)) / (steps * steps);
    }
  }
}
