import { invalid } from "../../errors";
import { makeStepGradient } from "./derivatives/pullback";
import type { ArticulatedSimulation } from "./simulation";

/** Gradient of a loss over a trajectory. */
export interface TrajectoryGradient {
  /** Gradient by the initial state, nv numbers each. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  /** Gradient by the controls, steps × nv. */
  readonly control: Float64Array;
  /** Gradient by the parameters of the simulation. */
  readonly parameter: Float64Array;
}

/**
 * Adds ∂ℓ/∂q and ∂ℓ/∂q̇ of the state after `step` steps (0: the start) to `position` and `velocity`, which are
 * initially zero.
 */
export type LossGradient = (
  step: number,
  q: Float64Array,
  qd: Float64Array,
  position: Float64Array,
  velocity: Float64Array,
) => void;

/**
 * A trajectory of many steps that can be run and differentiated in reverse. Only about every √T-th state is stored, and
 * the states between two stored ones are computed again when the reverse sweep reaches them. So memory grows as √T, and
 * the work less than threefold.
 */
export class Trajectory {
  /** Number of steps between stored states. */
  readonly stride: number = Math.ceil(Math.sqrt(this.steps));
  /** Stored states: every `stride`-th, (q, q̇) each. */
  private readonly kept: Float64Array;
  /** States between two stored ones. */
  private readonly stretch: Float64Array;
  private readonly controls: Float64Array;
  private readonly state: { q: Float64Array; qd: Float64Array; tau: Float64Array };
  private readonly back = makeStepGradient(this.simulation.nv, this.simulation.parameters.length);
  private hasRun = false;

  /**
   * @param simulation provides the step; its own state is not changed
   * @param steps T, a positive integer
   * @throws PliantError `invalid-argument`
   */
  constructor(
    private readonly simulation: ArticulatedSimulation,
    readonly steps: number,
  ) {
    if (!Number.isInteger(steps) || steps <= 0) throw invalid("Trajectory.steps", steps, "must be a positive integer");
    const { nv } = simulation;
    this.kept = new Float64Array(2 * nv * (Math.ceil(steps / this.stride) + 1));
    this.stretch = new Float64Array(2 * nv * (this.stride + 1));
    this.controls = new Float64Array(nv * steps);
    this.state = { q: new Float64Array(nv), qd: new Float64Array(nv), tau: new Float64Array(nv) };
  }

  /** Count of numbers stored for the reverse sweep, without the controls. */
  get storage(): number {
    return this.kept.length + this.stretch.length;
  }

  /**
   * Runs the steps.
   *
   * @param q initial coordinates, nv numbers; receives the final ones
   * @param qd initial velocities, nv numbers; receives the final ones
   * @param controls steps × nv
   * @param visit called with every state, including the initial one
   * @throws PliantError for wrong lengths or numbers that are not finite; `q` and `qd` are unchanged then
   */
  run(
    q: Float64Array,
    qd: Float64Array,
    controls: Float64Array,
    visit?: (step: number, q: Float64Array, qd: Float64Array) => void,
  ): void {
    const { simulation, steps, state } = this;
    simulation.model.checkVector(q, "q");
    simulation.model.checkVector(qd, "qd");
    if (controls.length !== this.controls.length) {
      const rule = `length must be steps × nv = ${this.controls.length}`;
      throw invalid("Trajectory.run controls", controls.length, rule);
    }
    this.hasRun = false;
    this.controls.set(controls);
    state.q.set(q);
    state.qd.set(qd);
    for (let t = 0; t < steps; t++) {
      visit?.(t, state.q, state.qd);
      if (t % this.stride === 0) this.write(this.kept, t / this.stride);
      this.advance(t);
    }
    visit?.(steps, state.q, state.qd);
    this.write(this.kept, Math.ceil(steps / this.stride));
    this.hasRun = true;
    q.set(state.q);
    qd.set(state.qd);
  }

  /**
   * Gradient of a loss that is a sum over the states of the last `run`.
   *
   * @param loss provides the gradient by each state
   * @param escapeSaddles see `ArticulatedSimulation.vjp`
   * @throws PliantError `invalid-argument` before the first `run`
   */
  gradient(loss: LossGradient, escapeSaddles = false): TrajectoryGradient {
    const { simulation, steps, stride, state, stretch, back } = this;
    if (!this.hasRun) throw invalid("Trajectory.gradient", "no trajectory", "run must have ended before");
    const { nv } = simulation;
    const parameter = new Float64Array(simulation.parameters.length);
    const control = new Float64Array(nv * steps);
    const position = new Float64Array(nv);
    const velocity = new Float64Array(nv);
    const [byQ, byQd] = [new Float64Array(nv), new Float64Array(nv)];
    this.read(this.kept, Math.ceil(steps / stride));
    loss(steps, state.q, state.qd, position, velocity);
    for (let first = Math.floor((steps - 1) / stride) * stride; first >= 0; first -= stride) {
      const end = Math.min(first + stride, steps);
      this.read(this.kept, first / stride);
      for (let t = first; t < end; t++) {
        this.write(stretch, t - first);
        if (t + 1 < end) this.advance(t);
      }
      for (let t = end - 1; t >= first; t--) {
        this.read(stretch, t - first);
        this.advance(t);
        simulation.vjp(position, velocity, back, escapeSaddles);
        for (let i = 0; i < parameter.length; i++) parameter[i] += back.parameter[i];
        control.set(back.control, t * nv);
        this.read(stretch, t - first);
        byQ.fill(0);
        byQd.fill(0);
        loss(t, state.q, state.qd, byQ, byQd);
        for (let k = 0; k < nv; k++) {
          position[k] = back.position[k] + byQ[k];
          velocity[k] = back.velocity[k] + byQd[k];
        }
      }
    }
    return { position, velocity, control, parameter };
  }

  private advance(t: number): void {
    const { q, qd, tau } = this.state;
    const { nv } = this.simulation;
    for (let k = 0; k < nv; k++) tau[k] = this.controls[t * nv + k];
    this.simulation.advance(q, qd, tau, q, qd);
  }

  private write(to: Float64Array, place: number): void {
    const { q, qd } = this.state;
    to.set(q, 2 * q.length * place);
    to.set(qd, 2 * q.length * place + q.length);
  }

  private read(from: Float64Array, place: number): void {
    const { q, qd } = this.state;
    const at = 2 * q.length * place;
    for (let k = 0; k < q.length; k++) {
      q[k] = from[at + k];
      qd[k] = from[at + q.length + k];
    }
  }
}
