import { checkPositive } from "../../checks";
import { invalid, nonFinite, unsupported } from "../../errors";
import { Actuators } from "../actuators/actuators";
import type { ContactSet } from "../contact/contact-set";
import type { MechanismDescription } from "../description";
import type { LcpStatistics } from "../lcp/solve";
import { ArticulatedModel } from "../model";
import { ContactStep } from "./contact-step";
import { StepJacobianSolver } from "./derivatives/jacobians";
import { RungeKutta } from "./runge-kutta";
import { RungeKuttaDerivatives } from "./derivatives/runge-kutta-derivatives";
import { makeStepJacobians, type StepJacobians } from "./derivatives/step-jacobians";
import { StepLinearisation } from "./derivatives/linearisation";
import type { SimulationOptions } from "./options";
import {
  StepParameterDerivatives,
  shiftStepParameter,
  stepParameterValue,
  type StepParameter,
} from "./derivatives/parameters";
import { Pace, whole, type Parts } from "./pace";
import { StepPullback, makeStepGradient, type StepGradient } from "./derivatives/pullback";

/**
 * A mechanism that is stepped through time with contact, and can be differentiated (paper 4).
 *
 * `q`, `qd` and `control` are the state and the forces of the actuators, nv numbers each (`JointType` explains their
 * meaning), and may be written between steps. Derivatives are those of the last step, taken by `step` or by `advance`.
 */
export class ArticulatedSimulation {
  readonly model: ArticulatedModel =
    this.mechanism instanceof ArticulatedModel ? this.mechanism : new ArticulatedModel(this.mechanism);
  readonly nq: number = this.model.nv;
  readonly nv: number = this.model.nv;
  /** Number of controls: one for each coordinate, with or without an actuator. */
  readonly nu: number = this.model.nv;
  /** Coordinates [rad or m], velocities, and actuator forces [N·m or N]. */
  readonly q: Float64Array = this.model.initialPosition.slice();
  readonly qd: Float64Array = this.model.initialVelocity.slice();
  readonly control = new Float64Array(this.nv);
  /** Motors and servos of the options; their inputs may be written between steps. */
  readonly actuators: Actuators;
  /** Number of steps taken by `step`. */
  stepCount = 0;
  /** The step itself, for access to its intermediate results. */
  readonly contactStep = new ContactStep(this.model, this.options);
  private readonly linearisation = new StepLinearisation(this.contactStep);
  private readonly jacobianSolver = new StepJacobianSolver(this.linearisation);
  private pullback = new StepPullback(this.linearisation, 0);
  private parameterList: readonly StepParameter[] = [];
  private parameterDerivatives: StepParameterDerivatives | undefined;
  /** Chooses the parts of each step; then the parts of the last step, and the object that takes them, when needed. */
  private readonly pace = new Pace(this.model);
  private parts: Parts = whole;
  private motion: RungeKutta | undefined;
  private motionDerivatives: RungeKuttaDerivatives | undefined;
  private readonly nextQ = new Float64Array(this.nv);
  private readonly nextQd = new Float64Array(this.nv);
  /** Number of computed steps; the next field is the number of the linearized step, -1 for none. */
  private computed = 0;
  private linearised = -1;

  /**
   * @param mechanism description, or a model compiled from one
   * @throws PliantError for a mechanism, shape or option that is not valid
   */
  constructor(
    private readonly mechanism: MechanismDescription | ArticulatedModel,
    private readonly options: SimulationOptions = {},
  ) {
    const { actuators } = this.contactStep.options;
    this.actuators = new Actuators(this.model, actuators);
    if (actuators.length > 0) this.contactStep.actuators = this.actuators;
  }

  /** Δt of future steps [s]. */
  get timeStep(): number {
    return this.contactStep.options.timeStep;
  }

  /** @throws PliantError unless it is positive and finite; nothing is changed then */
  set timeStep(value: number) {
    checkPositive(value, "ArticulatedSimulation.timeStep");
    this.contactStep.options.timeStep = value;
  }

  /**
   * External forces on the links [N·m, N], 6 a link: moment, then force, in world axes about the world's origin. They
   * may be written between steps, and persist until then. Derivatives treat them as fixed in the world.
   */
  get wrenches(): Float64Array {
    return this.contactStep.wrenches;
  }

  /** Contacts of the last step. */
  get contacts(): ContactSet {
    return this.contactStep.detector.contacts;
  }

  /** Number of parts of the last step, 0 for a whole step; see `SimulationOptions.fastMotion`. */
  get partCount(): number {
    return this.parts.count;
  }

  /** Statistics of the solution of contact problems so far. */
  get statistics(): Readonly<LcpStatistics> {
    return this.contactStep.solver.statistics;
  }

  /** Part of the contact problems that were solved by the classes of the previous step; 1 if there were no problems. */
  get guessRate(): number {
    const { guessed, hits } = this.statistics;
    return guessed === 0 ? 1 : hits / guessed;
  }

  /**
   * Takes a step.
   *
   * @throws PliantError `non-finite` if state or controls contain NaN or an infinity, or would after the step. The
   * state is unchanged then.
   */
  step(): void {
    this.advance(this.q, this.qd, this.control, this.nextQ, this.nextQd);
    this.q.set(this.nextQ);
    this.qd.set(this.nextQd);
    this.stepCount++;
  }

  /**
   * The step as a function (q, q̇, τ) ↦ (q', q̇'); the state of the simulation does not change.
   *
   * @param outQ q'; may be `q`
   * @param outQd q̇'; may be `qd`
   * @throws PliantError `invalid-argument` for a wrong length, `non-finite` as `step`; `outQ` and `outQd` are unchanged then
   */
  advance(q: Float64Array, qd: Float64Array, tau: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    const { model, contactStep, nextQ, nextQd } = this;
    this.check(q, "q");
    this.check(qd, "qd");
    this.check(tau, "control");
    this.checkWrenches();
    this.checkLength(outQ, "outQ", this.nv);
    this.checkLength(outQd, "outQd", this.nv);
    contactStep.start(q, qd, tau);
    this.parts = this.choose();
    if (this.parts.count > 0) {
      this.motion ??= new RungeKutta(contactStep, this.pace);
      const count = this.motion.run(this.parts, tau, nextQ, nextQd);
      if (count !== this.parts.count) this.parts = { count, isFine: true };
    } else contactStep.finish(nextQ, nextQd);
    this.computed++;
    for (let k = 0; k < this.nv; k++)
      if (!Number.isFinite(nextQ[k]) || !Number.isFinite(nextQd[k])) {
        const object = `mechanism "${model.name}": velocity of coordinate ${k} after the step`;
        this.computed = 0;
        this.linearised = -1;
        throw nonFinite(object, nextQd[k], "must be finite");
      }
    if (outQ !== nextQ) outQ.set(nextQ);
    if (outQd !== nextQd) outQd.set(nextQd);
  }

  /**
   * Sets the parameters for derivatives of `jacobians` and `vjp`. Default none.
   *
   * @throws PliantError for one that the mechanism does not have
   */
  setParameters(parameters: readonly StepParameter[]): void {
    if ((this.contactStep.compensation || this.model.closures.length > 0) && parameters.length > 0)
      throw unsupported(
        `mechanism "${this.model.name}": parameters`,
        parameters[0].kind,
        "must be of a mechanism without gravityCompensation and closures",
      );
    this.parameterDerivatives = new StepParameterDerivatives(this.contactStep, parameters);
    this.parameterList = [...parameters];
    this.pullback = new StepPullback(this.linearisation, parameters.length);
    this.motionDerivatives = undefined;
  }

  get parameters(): readonly StepParameter[] {
    return this.parameterList;
  }

  /** @throws PliantError for a parameter that the mechanism does not have */
  parameterValue(parameter: StepParameter): number {
    return stepParameterValue(this.contactStep, parameter);
  }

  /**
   * Adds to a parameter, for all steps from now on.
   *
   * @throws PliantError if the value is not allowed; nothing is changed then
   */
  shiftParameter(parameter: StepParameter, change: number): void {
    shiftStepParameter(this.contactStep, parameter, change);
  }

  /** Arrays for `jacobians`, of the right sizes. */
  makeJacobians(): StepJacobians {
    return makeStepJacobians(this.nv, this.parameterList.length);
  }

  /** Arrays for `vjp`, of the right sizes. */
  makeGradient(): StepGradient {
    return makeStepGradient(this.nv, this.parameterList.length);
  }

  /**
   * Jacobians of the last step (7)-(10).
   *
   * @param out from `makeJacobians`; new ones if omitted
   * @throws PliantError `invalid-argument` before the first step, or if `out` was made for other parameters
   */
  jacobians(out: StepJacobians = this.makeJacobians()): StepJacobians {
    this.checkLength(out.positionByPosition, "jacobians.positionByPosition", this.nv * this.nv);
    const width = this.nv * this.parameterList.length;
    this.checkLength(out.velocityByParameter, "jacobians.velocityByParameter", width);
    const inParts = this.derivativesInParts();
    if (inParts) {
      inParts.jacobians(out);
      return out;
    }
    this.linearise();
    this.parameterDerivatives?.compute(this.linearisation);
    this.jacobianSolver.solve(out, this.parameterDerivatives);
    return out;
  }

  /**
   * Vector-Jacobian product of the last step: maps the gradient of a loss by (q', q̇') back to (q, q̇, τ, parameters).
   *
   * @param position ∂ℓ/∂q', nv numbers; may be an array of `out`
   * @param velocity ∂ℓ/∂q̇', nv numbers; may be an array of `out`
   * @param out from `makeGradient`; new ones if omitted
   * @param escapeSaddles whether contacts may count as open or closed as the loss suggests, if the gradient by the
   * controls is then larger (paper 4, 4.4). Default false.
   * @throws PliantError `invalid-argument` before the first step or for wrong lengths, `non-finite` for a bad gradient
   */
  vjp(
    position: Float64Array,
    velocity: Float64Array,
    out: StepGradient = this.makeGradient(),
    escapeSaddles = false,
  ): StepGradient {
    this.check(position, "gradient by q'");
    this.check(velocity, "gradient by q̇'");
    this.checkLength(out.position, "gradient.position", this.nv);
    this.checkLength(out.parameter, "gradient.parameter", this.parameterList.length);
    const inParts = this.derivativesInParts();
    if (inParts) {
      inParts.pull(position, velocity, out);
      return out;
    }
    this.linearise();
    this.pullback.apply(position, velocity, out, this.parameterDerivatives, escapeSaddles);
    return out;
  }

  /** The parts of the current step. */
  private choose(): Parts {
    const { rows, options, scratch } = this.contactStep;
    const isFree = rows.count === 0 && this.contactStep.actuators === undefined && options.fastMotion === "parts";
    return isFree ? this.pace.partsOf(scratch, options.timeStep) : whole;
  }

  /** Derivatives of the last step, if it was taken in parts. */
  private derivativesInParts(): RungeKuttaDerivatives | undefined {
    if (this.computed <= 0) {
      const object = `mechanism "${this.model.name}": derivatives`;
      throw invalid(object, this.computed, "a step must have been taken");
    }
    if (this.parts.count === 0) return undefined;
    this.motionDerivatives ??= new RungeKuttaDerivatives(this.motion!, this.parameterList);
    return this.motionDerivatives;
  }

  private linearise(): void {
    if (this.linearised === this.computed) return;
    this.linearisation.compute();
    this.linearised = this.computed;
  }

  /** As `checkVector` of the model, which builds messages even for valid input: that is too slow for every step. */
  private check(values: Float64Array, what: string): void {
    let valid = values.length === this.nv;
    for (let k = 0; k < values.length && valid; k++) valid = Number.isFinite(values[k]);
    if (!valid) this.model.checkVector(values, what);
  }

  private checkWrenches(): void {
    const { wrenches } = this.contactStep;
    for (let i = 0; i < wrenches.length; i++) {
      if (Number.isFinite(wrenches[i])) continue;
      const object = `mechanism "${this.model.name}": wrenches[${i}]`;
      throw nonFinite(object, wrenches[i], "must be finite");
    }
  }

  private checkLength(values: ArrayLike<number>, what: string, length: number): void {
    if (values.length === length) return;
    const object = `mechanism "${this.model.name}": ${what}`;
    throw invalid(object, values.length, `length must be ${length}`);
  }
}
