import { addContactWrenches } from "../../articulated/step/contact-motion";
import { RowPart } from "../../articulated/step/constraint-rows";
import { ratesAt } from "../../articulated/joints/rates-at";
import type { ArticulatedSimulation } from "../../articulated/step/simulation";
import type { LinkageFriction, LinkageLimit } from "../../solvers/newton/linkage/linkage";

/** Part of the range of a coordinate. A limit nearer than this counts in a step. */
const NEAR_LIMIT = 0.05;

/**
 * The step of a mechanism in a world. It is taken twice: first as if nothing touched the mechanism, then with the
 * impulses of contacts. The contact solver changes velocities by M⁻¹ at the coordinates before the step, as a whole
 * step does. A mechanism that was touched therefore takes whole steps. If its free step was taken in parts, a force
 * gives the whole steps the additional velocity of the parts:
 *
 *   f = M (u − u₁) / h      u, u₁ velocities after the free step, and after a whole one, in the coordinates before
 */
export class MechanismStep {
  /**
   * Coordinates and rates at the end of the step, and the rates in the coordinates before the step, on which M acts.
   */
  readonly q: Float64Array;
  readonly rates: Float64Array;
  readonly startRates: Float64Array;
  /** Impulses of contacts that the mechanism finds in its own step, as `addContactWrenches` gives them. */
  readonly contacts = new Float64Array(6 * this.simulation.model.linkCount);
  /** See `FreeRoot.expect`. */
  delay = 0;
  private isInParts = false;
  private readonly hasLimits: boolean = this.simulation.contactStep.limits;
  private readonly controls: Float64Array;
  private readonly forces: Float64Array;

  /** @param maxTimeStep the step is divided evenly into parts that are no longer than this [s] */
  constructor(
    private readonly simulation: ArticulatedSimulation,
    readonly maxTimeStep: number,
  ) {
    const vector = (): Float64Array => new Float64Array(simulation.nv);
    [this.q, this.rates, this.startRates, this.controls, this.forces] = Array.from({ length: 5 }, vector);
  }

  /** Finds limits that the free step comes near to, or passes. */
  findLimits(h: number, out: LinkageLimit[]): void {
    const { q, model } = this.simulation;
    const { lower, upper } = model;
    for (let coordinate = 0; coordinate < this.q.length; coordinate++) {
      const rate = this.startRates[coordinate];
      const near = NEAR_LIMIT * (upper[coordinate] - lower[coordinate]) + 2 * h * Math.abs(rate);
      const below = q[coordinate] - lower[coordinate];
      const above = upper[coordinate] - q[coordinate];
      const end = this.q[coordinate];
      if (Number.isFinite(below) && (below < near || end < lower[coordinate]))
        out.push({ coordinate, side: 1, gap: below, rate });
      if (Number.isFinite(above) && (above < near || end > upper[coordinate]))
        out.push({ coordinate, side: -1, gap: above, rate });
    }
  }

  /** Finds what dry friction may still give, of its bounds, after the free step. */
  findFriction(h: number, out: LinkageFriction[]): void {
    const { contactStep, timeStep, model } = this.simulation;
    const { rows, lcp } = contactStep;
    for (let r = 0; r < rows.count; r++) {
      if (rows.part[r] !== RowPart.JointFriction) continue;
      const coordinate = rows.dof[r];
      const most = h * model.frictionLoss[coordinate];
      const given = (h / timeStep) * lcp.f[r];
      out.push({ coordinate, rate: this.startRates[coordinate], lower: -most - given, upper: most - given });
    }
  }

  /** Lets the mechanism stand still through the step. */
  rest(): void {
    this.q.set(this.simulation.q);
    this.rates.fill(0);
    this.startRates.fill(0);
    this.contacts.fill(0);
  }

  /**
   * Takes the step without contacts and limits.
   *
   * @param h [s]
   * @param external forces on the coordinates through the step, nv numbers [N or N m]
   * @throws PliantError if the state is no longer finite
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
   * Takes the step again after `takeFree`, with contacts and limits.
   *
   * @param impulse impulse of contacts on the coordinates, undefined if nothing touched the mechanism [N s or N m s]
   * @param mass M, nv × nv, row-major
   * @throws PliantError if the state is no longer finite
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
    this.contacts.fill(0);
    for (let n = 0; n < steps; n++) {
      simulation.advance(q, rates, controls, q, rates);
      const isInParts = simulation.partCount > 0;
      // Steps in parts have no contacts.
      const { detector, rows, lcp } = simulation.contactStep;
      if (!isInParts) addContactWrenches(detector.contacts, rows, lcp.f, this.contacts);
      this.isInParts ||= isInParts;
      this.delay += (n + (isInParts ? 0.5 : 0)) / (steps * steps);
    }
  }
}
