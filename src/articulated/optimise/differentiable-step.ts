import { invalid } from "../../errors";
import type { ArticulatedModel } from "../model";

/**
 * One time step of a mechanism as a function with derivatives, (q, q̇, τ) ↦ (q', q̇'), equation (1) of paper 4. This is
 * all that the optimizers need of a simulation: `SimulationStep` makes one from an `ArticulatedSimulation`.
 */
export interface DifferentiableStep {
  /** number of coordinates, and of velocities */
  readonly nv: number;
  /** number of controls */
  readonly nu: number;
  /** Δt [s] */
  readonly timeStep: number;
  /** The mechanism; optional. Costs of links need it. */
  readonly model?: ArticulatedModel | undefined;
  /** Whether limits of joints act. Steps that know none have none. `optimizeTrajectory` takes them away for a while. */
  limits?: boolean | undefined;
  /** Part by which contacts give way in derivatives, but not in the step; see `TrajectoryOptions.softness`. Optional. */
  softness?: number | undefined;
  /**
   * Controls that hold a position against weight and springs, as far as they can. Optional.
   *
   * @param q coordinates, nv numbers; not changed
   * @param out nu numbers
   */
  holdingControls?(q: Float64Array, out: Float64Array): void;
  /**
   * Takes the step, independent of earlier steps.
   *
   * @param q coordinates before, nv numbers [rad or m]; not changed
   * @param qd velocities before, nv numbers; not changed
   * @param u controls, nu numbers [N·m or N]; not changed
   * @param outQ coordinates after; may be `q`
   * @param outQd velocities after; may be `qd`
   */
  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void;
  /** As `step`, with the Jacobians of the step. @param out receives the Jacobians */
  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void;
  /**
   * Vector-Jacobian product of the step: Aᵀ g and Bᵀ g without forming A and B. Optional.
   *
   * @param gradient g, by q' and q̇', nx numbers; not changed
   * @param escapeSaddles whether contacts may count as open or closed as the cost suggests (paper 4, 4.4): `out` is
   * then not the true gradient, but leads further if the true one is 0
   */
  pullBack?(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    gradient: Float64Array,
    out: { readonly x: Float64Array; readonly u: Float64Array },
    escapeSaddles: boolean,
  ): void;
}

/**
 * Jacobians of a step in terms of the whole state x = (q, q̇) with nx = 2 nv, row-major:
 * A = ∂x'/∂x (nx × nx), B = ∂x'/∂u (nx × nu).
 */
export interface StepDerivatives {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** A step that also depends on identifiable parameters. */
export interface ParametricStep extends DifferentiableStep {
  /** Names of the parameters, for messages and reports. */
  readonly parameterNames: readonly string[];
  /** Current values of the parameters. */
  readonly parameters: Float64Array;
  /** Default bounds of `identify`. */
  readonly parameterBounds?: { readonly lower: Float64Array; readonly upper: Float64Array };
  /** Changes the parameters for all future steps. Throws PliantError if the mechanism rejects one. */
  setParameters(values: Float64Array): void;
  /** As `stepWithJacobians`, with P = ∂x'/∂θ (nx × number of parameters, row-major). */
  stepWithSensitivity(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives & { readonly p: Float64Array },
  ): void;
}

/** New arrays for the Jacobians of a step. */
export function makeDerivatives({ nv, nu }: DifferentiableStep): StepDerivatives {
  const nx = 2 * nv;
  return { a: new Float64Array(nx * nx), b: new Float64Array(nx * nu) };
}

/**
 * Several steps with the same control as a single step. There are fewer unknowns, and each of them has a larger effect:
 * with k steps the Jacobians are A = Aₖ … A₁ and B = Σⱼ Aₖ … Aⱼ₊₁ Bⱼ.
 */
export class HeldControlStep implements DifferentiableStep {
  readonly nv: number = this.base.nv;
  readonly nu: number = this.base.nu;
  readonly timeStep: number = this.base.timeStep * this.count;
  /** Sums the products of the single steps; only if these have `pullBack`. */
  readonly pullBack: DifferentiableStep["pullBack"] =
    this.base.pullBack && ((...given) => this.pullBackSteps(...given));
  readonly model: ArticulatedModel | undefined = this.base.model;
  readonly holdingControls: DifferentiableStep["holdingControls"] = this.base.holdingControls?.bind(this.base);
  private readonly one = makeDerivatives(this.base);
  private readonly product = new Float64Array(2 * this.nv * Math.max(2 * this.nv, this.nu));
  /** States before each of the steps. */
  private readonly states: Float64Array;
  private readonly controlSum = new Float64Array(this.nu);

  /** @throws PliantError unless `count` is a positive integer */
  constructor(
    private readonly base: DifferentiableStep,
    readonly count: number,
  ) {
    if (!(Number.isInteger(count) && count > 0))
      throw invalid("HeldControlStep.count", count, "must be a positive integer");
    this.states = new Float64Array(2 * base.nv * count);
  }

  get limits(): boolean | undefined {
    return this.base.limits;
  }

  set limits(act: boolean | undefined) {
    this.base.limits = act;
  }

  get softness(): number | undefined {
    return this.base.softness;
  }

  set softness(part: number | undefined) {
    this.base.softness = part;
  }

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    this.base.step(q, qd, u, outQ, outQd);
    for (let i = 1; i < this.count; i++) this.base.step(outQ, outQd, u, outQ, outQd);
  }

  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void {
    const nx = 2 * this.nv;
    const { nu, one, product } = this;
    this.base.stepWithJacobians(q, qd, u, outQ, outQd, out);
    for (let i = 1; i < this.count; i++) {
      this.base.stepWithJacobians(outQ, outQd, u, outQ, outQd, one);
      multiplyInto(one.a, out.a, product, nx, nx, nx);
      for (let k = 0; k < nx * nx; k++) out.a[k] = product[k];
      multiplyInto(one.a, out.b, product, nx, nx, nu);
      for (let k = 0; k < nx * nu; k++) out.b[k] = product[k] + one.b[k];
    }
  }

  private pullBackSteps(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    gradient: Float64Array,
    out: { readonly x: Float64Array; readonly u: Float64Array },
    escapeSaddles: boolean,
  ): void {
    const { base, count, nv, states, controlSum } = this;
    const state = (i: number): [Float64Array, Float64Array] => [
      states.subarray(2 * nv * i, 2 * nv * i + nv),
      states.subarray(2 * nv * i + nv, 2 * nv * (i + 1)),
    ];
    states.set(q);
    states.set(qd, nv);
    for (let i = 0; i + 1 < count; i++) base.step(...state(i), u, ...state(i + 1));
    out.x.set(gradient);
    controlSum.fill(0);
    for (let i = count - 1; i >= 0; i--) {
      base.pullBack!(...state(i), u, out.x, out, escapeSaddles);
      for (let j = 0; j < this.nu; j++) controlSum[j] += out.u[j];
    }
    out.u.set(controlSum);
  }
}

/** out = X Y for X rows × inner, Y inner × columns, row-major. */
export function multiplyInto(
  x: Float64Array,
  y: Float64Array,
  out: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): void {
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += x[i * inner + k] * y[k * columns + j];
      out[i * columns + j] = sum;
    }
}
