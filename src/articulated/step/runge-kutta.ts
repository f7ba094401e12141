/**
 * Free motion in parts, by explicit Runge-Kutta rules in the coordinates (Hairer, Nørsett and Wanner 1993, II.1 and II.14):
 *
 *   Qᵢ = q + h cᵢ Vᵢ₋₁,   Vᵢ = q̇ + h aᵢ Aᵢ₋₁,   Aᵢ = q̈(Qᵢ, Vᵢ, τ)       stages; V₋₁ = q̇
 *   q' = q + h Σ bᵢ Vᵢ,   q̇' = q̇ + h Σ bᵢ Aᵢ
 *
 * The whole step, semi-implicit Euler, is of first order: with it, a tree that turns at 10 rad/s loses a tenth of its
 * energy in two seconds. With dampers, all stages use M + h D instead of M, and are therefore bounded for any D.
 *
 * Light links beside a long lever change M a thousand times faster than they turn. So the last stage has to have the energy of the first and
 * the work of the forces, as far as a rule of second order keeps it; else there are more parts.
 */
import { kineticEnergy, potentialEnergy } from "../dynamics/energy";
import { RotationChanges } from "../joints/rotation-changes";
import { ContactStep } from "./contact-step";
import { type Pace, type Parts, turns } from "./pace";

interface Rule {
  /** cᵢ, aᵢ and bᵢ */
  readonly place: readonly number[];
  readonly reach: readonly number[];
  readonly weight: readonly number[];
  /** All stages have the same Q, and M. */
  readonly isStill: boolean;
}

/** Rule of second order: half a step with the initial velocities gives the velocities in the middle. */
const midpoint: Rule = { place: [1 / 2, 1 / 2], reach: [0, 1 / 2], weight: [0, 1], isStill: true };
/** The classical rule of fourth order. */
const classical: Rule = {
  place: [0, 1 / 2, 1 / 2, 1],
  reach: [0, 1 / 2, 1 / 2, 1],
  weight: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
  isStill: false,
};

/** Largest error of the energy of a part's last stage, as a part of its kinetic energy; 1e-4 is usual, and the error of a part far less. */
const ENERGY = 0.01;

/** Takes steps of free motion in parts, and remembers the last step for its derivatives. */
export class RungeKutta {
  /** The step that computes q̈; its time step is h. */
  readonly stage = new ContactStep(this.whole.model, this.whole.options, []);
  /** number of parts of the last `run`, and their rule */
  count = 0;
  rule: Rule = midpoint;
  /** rotation vectors that each part changed */
  readonly changes: RotationChanges[] = [];
  /** Q and V of each stage */
  private readonly states: (readonly [Float64Array, Float64Array])[] = [];
  private readonly tau: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly sumQ: Float64Array;
  private readonly sumQd: Float64Array;
  private readonly forces: Float64Array;
  /** what the last stage of the present part should have [J] */
  private energy = 0;

  /** @param whole the step that these are parts of */
  constructor(
    private readonly whole: ContactStep,
    private readonly pace: Pace,
  ) {
    const { model } = whole;
    const vector = (): Float64Array => new Float64Array(model.nv);
    [this.tau, this.acceleration, this.sumQ, this.sumQd] = [vector(), vector(), vector(), vector()];
    this.forces = vector();
  }

  /**
   * Takes the whole step in parts, with the same arguments. Call after `start` of the whole step. If links get so fast that a part turns them
   * twice as far as it may, or if energy is not kept, there have to be more parts: from there on a rule of any order may be without bounds.
   *
   * @returns the number of parts
   */
  run({ count, isFine }: Parts, tau: Float64Array, outQ: Float64Array, outQd: Float64Array): number {
    const { whole, stage } = this;
    const { nv } = whole.model;
    this.count = count;
    this.rule = isFine ? classical : midpoint;
    this.tau.set(tau);
    stage.options.timeStep = whole.options.timeStep / count;
    stage.scratch.gravity.set(whole.scratch.gravity);
    stage.wrenches.set(whole.wrenches);
    const size = this.rule.reach.length * count;
    while (this.states.length < size) this.states.push([new Float64Array(nv), new Float64Array(nv)]);
    while (this.changes.length < count) this.changes.push(new RotationChanges(whole.model));
    outQ.set(whole.scratch.q);
    outQd.set(whole.scratch.qd);
    for (let part = 0; part < count; part++)
      if (!this.take(part, outQ, outQd)) return this.run({ count: 2 * count, isFine: true }, tau, outQ, outQd);
    return count;
  }

  /** @returns whether it turned no link too far, and kept energy */
  private take(part: number, q: Float64Array, qd: Float64Array): boolean {
    const { rule, acceleration, sumQ, sumQd } = this;
    const h = this.stage.options.timeStep;
    sumQ.set(q);
    sumQd.set(qd);
    for (let i = 0; i < rule.reach.length; i++) {
      const [Q, V] = this.stateOf(part, i);
      const [place, reach] = [h * rule.place[i], h * rule.reach[i]];
      const before = i === 0 ? qd : this.stateOf(part, i - 1)[1];
      for (let k = 0; k < q.length; k++) {
        Q[k] = q[k] + place * before[k];
        V[k] = qd[k] + (i === 0 ? 0 : reach * acceleration[k]);
      }
      this.stage.accelerateAt(Q, V, this.tau, acceleration, i > 0 && rule.isStill);
      const isTrue = h * this.pace.rateOf(this.stage.scratch) <= 2 * turns.longest && this.keepsEnergy(i, V);
      if (!isTrue && 2 * this.count <= turns.mostParts) return false;
      const weight = h * rule.weight[i];
      for (let k = 0; k < q.length; k++) {
        sumQ[k] += weight * V[k];
        sumQd[k] += weight * acceleration[k];
      }
    }
    q.set(sumQ);
    qd.set(sumQd);
    this.changes[part].make(q, qd);
    return true;
  }

  /** Call after the acceleration of stage i, with its V. */
  private keepsEnergy(i: number, V: Float64Array): boolean {
    const { rule, stage, forces, acceleration } = this;
    const { scratch, model, options } = stage;
    if (rule.isStill) {
      // at the same velocities, by the change of M alone
      if (i > 0) return true;
      const kinetic = kineticEnergy(scratch);
      return Math.abs(kinetic - kineticEnergy(this.whole.scratch)) <= 5 * ENERGY * kinetic;
    }
    const last = rule.reach.length - 1;
    if (i === 0) this.energy = kineticEnergy(scratch) + potentialEnergy(scratch);
    else if (i === last - 1) {
      const h = options.timeStep;
      forces.fill(0);
      stage.addActuation(forces, 1);
      for (let k = 0; k < V.length; k++)
        this.energy += h * V[k] * (forces[k] - model.damping[k] * (V[k] + h * acceleration[k]));
    } else if (i === last) {
      const kinetic = kineticEnergy(scratch);
      return Math.abs(kinetic + potentialEnergy(scratch) - this.energy) <= ENERGY * kinetic;
    }
    return true;
  }

  /** Computes q̈ of a stage again, so that `stage` holds its data. */
  accelerate(part: number, i: number): void {
    const [Q, V] = this.stateOf(part, i);
    this.stage.accelerateAt(Q, V, this.tau, this.acceleration, false);
  }

  /** Qᵢ and Vᵢ */
  private stateOf(part: number, i: number): readonly [Float64Array, Float64Array] {
    return this.states[part * this.rule.reach.length + i];
  }
}
