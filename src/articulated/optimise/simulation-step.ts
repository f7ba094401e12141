import { holdingForces } from "../dynamics/holding-forces";
import type { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import type { ArticulatedSimulation } from "../step/simulation";
import type { StepParameter } from "../step/derivatives/parameters";
import type { ParametricStep, StepDerivatives } from "./differentiable-step";

/**
 * The steps of an `ArticulatedSimulation`, including contact, for the optimizers. Controls are the forces of the joints
 * that have an actuator (`effortLimit` > 0), in the order of the coordinates, or the inputs of the simulation's motors and servos; the
 * state of the simulation does not change.
 */
export class SimulationStep implements ParametricStep {
  readonly nv: number = this.simulation.nv;
  readonly nu: number;
  readonly timeStep: number = this.simulation.timeStep;
  /** Degree of freedom of each control; none if controls are inputs of actuators. */
  readonly actuated: Int32Array;
  readonly parameterNames: readonly string[] = this.identified.map(nameOf);
  readonly parameters: Float64Array;
  readonly parameterBounds: { readonly lower: Float64Array; readonly upper: Float64Array };
  private readonly tau = new Float64Array(this.nv);
  private jacobians: ReturnType<ArticulatedSimulation["makeJacobians"]>;
  private gradient: ReturnType<ArticulatedSimulation["makeGradient"]>;
  private readonly scratch = new Float64Array(2 * this.nv);

  /**
   * @param identified parameters for `identify`; default none
   * @param controls "efforts" (default), or "inputs" of the actuators of the simulation's options
   * @throws PliantError for a parameter that the mechanism does not have
   */
  constructor(
    readonly simulation: ArticulatedSimulation,
    private readonly identified: readonly StepParameter[] = [],
    private readonly controls: "efforts" | "inputs" = "efforts",
  ) {
    const isDriven = controls === "inputs";
    this.actuated = isDriven ? new Int32Array(0) : actuatedDofs(simulation.model);
    this.nu = isDriven ? simulation.actuators.input.length : this.actuated.length;
    this.parameters = Float64Array.from(identified, (parameter) => simulation.parameterValue(parameter));
    this.parameterBounds = {
      lower: Float64Array.from(identified, (parameter) => (hasSign(parameter) ? 1e-9 : -Number.MAX_VALUE)),
      upper: Float64Array.from(identified, (parameter) => (isPull(parameter) ? 0 : Number.MAX_VALUE)),
    };
    simulation.setParameters(identified);
    this.jacobians = simulation.makeJacobians();
    this.gradient = simulation.makeGradient();
  }

  /** Bounds of the controls: limits of effort, or ranges of inputs. */
  get controlBounds(): { readonly lower: Float64Array; readonly upper: Float64Array } {
    if (this.controls === "efforts") {
      const upper = Float64Array.from(this.actuated, (dof) => this.model.effortLimit[dof]);
      return { lower: upper.map((value) => -value), upper };
    }
    const { compiled } = this.simulation.actuators;
    return {
      lower: Float64Array.from(compiled, ({ control }) => control[0]),
      upper: Float64Array.from(compiled, ({ control }) => control[1]),
    };
  }

  get model(): ArticulatedModel {
    return this.simulation.model;
  }

  get limits(): boolean {
    return this.simulation.contactStep.limits;
  }

  set limits(act: boolean) {
    this.simulation.contactStep.limits = act;
  }

  get softness(): number {
    return this.simulation.contactStep.softness;
  }

  set softness(part: number) {
    this.simulation.contactStep.softness = part;
  }

  step(q: Float64Array, qd: Float64Array, u: Float64Array, outQ: Float64Array, outQd: Float64Array): void {
    if (this.controls === "inputs") this.simulation.actuators.input.set(u);
    else for (let j = 0; j < this.nu; j++) this.tau[this.actuated[j]] = u[j];
    this.simulation.advance(q, qd, this.tau, outQ, outQd);
  }

  holdingControls(q: Float64Array, out: Float64Array): void {
    const { simulation, controls, nu, actuated } = this;
    const { options, compensation, actuators } = simulation.contactStep;
    const scratch = new ArticulatedScratch(simulation.model);
    scratch.gravity.set(options.gravity);
    const [forces, carried] = [new Float64Array(this.nv), new Float64Array(this.nv)];
    holdingForces(scratch, q, forces, actuators);
    compensation?.add(q, scratch.gravity, carried);
    for (let k = 0; k < forces.length; k++) forces[k] -= carried[k];
    if (controls === "inputs") simulation.actuators.inputsFor(q, forces, out);
    else for (let j = 0; j < nu; j++) out[j] = forces[actuated[j]];
  }

  stepWithJacobians(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives,
  ): void {
    const { nv, nu, jacobians: j } = this;
    this.step(q, qd, u, outQ, outQd);
    this.simulation.jacobians(j);
    const nx = 2 * nv;
    for (let row = 0; row < nv; row++) {
      for (let column = 0; column < nv; column++) {
        const from = row * nv + column;
        const [top, bottom] = [row * nx + column, (nv + row) * nx + column];
        out.a[top] = j.positionByPosition[from];
        out.a[top + nv] = j.positionByVelocity[from];
        out.a[bottom] = j.velocityByPosition[from];
        out.a[bottom + nv] = j.velocityByVelocity[from];
      }
      for (let column = 0; column < nu; column++) {
        out.b[row * nu + column] = this.alongControl(column, j.positionByControl, row * nv);
        out.b[(nv + row) * nu + column] = this.alongControl(column, j.velocityByControl, row * nv);
      }
    }
  }

  /** Derivative by a control, from those by the forces on all coordinates, which begin at `at`. */
  private alongControl(control: number, byForce: Float64Array, at: number): number {
    if (this.controls === "efforts") return byForce[at + this.actuated[control]];
    return this.simulation.actuators.alongInput(control, byForce, at);
  }

  pullBack(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    gradient: Float64Array,
    out: { readonly x: Float64Array; readonly u: Float64Array },
    escapeSaddles: boolean,
  ): void {
    const { nv, scratch } = this;
    this.step(q, qd, u, scratch.subarray(0, nv), scratch.subarray(nv));
    const { position, velocity, control } = this.simulation.vjp(
      gradient.subarray(0, nv),
      gradient.subarray(nv),
      this.gradient,
      escapeSaddles,
    );
    out.x.set(position);
    out.x.set(velocity, nv);
    for (let j = 0; j < this.nu; j++) out.u[j] = this.alongControl(j, control, 0);
  }

  setParameters(values: Float64Array): void {
    const { simulation } = this;
    for (let i = 0; i < values.length; i++) {
      const parameter = this.identified[i];
      // A combination has no value of its own.
      const isRelative = parameter.kind === "combination";
      const now = isRelative ? this.parameters[i] : simulation.parameterValue(parameter);
      simulation.shiftParameter(parameter, values[i] - now);
      this.parameters[i] = values[i];
      if (isRelative) continue;
      // A shift back from a far larger value loses digits.
      const rest = values[i] - simulation.parameterValue(parameter);
      if (Math.abs(rest) > 1e-9 * Math.abs(values[i])) simulation.shiftParameter(parameter, rest);
    }
  }

  stepWithSensitivity(
    q: Float64Array,
    qd: Float64Array,
    u: Float64Array,
    outQ: Float64Array,
    outQd: Float64Array,
    out: StepDerivatives & { readonly p: Float64Array },
  ): void {
    this.stepWithJacobians(q, qd, u, outQ, outQd, out);
    const { positionByParameter, velocityByParameter } = this.jacobians;
    out.p.set(positionByParameter);
    out.p.set(velocityByParameter, positionByParameter.length);
  }
}

/** Degrees of freedom with an actuator: those with a non-zero `effortLimit`. */
function actuatedDofs(model: ArticulatedModel): Int32Array {
  const all = Array.from(model.effortLimit, (limit, dof) => (limit > 0 ? dof : -1));
  return Int32Array.from(all.filter((dof) => dof >= 0));
}

function nameOf(parameter: StepParameter): string {
  switch (parameter.kind) {
    case "friction":
      return `friction of ${parameter.link ?? "the world"}`;
    case "combination":
      return parameter.terms.map((term) => nameOf(term.parameter)).join(" with ");
    case "center-of-mass":
      return `centre of mass of ${parameter.link}, ${"xyz"[parameter.component]}`;
    case "inertia":
      return `inertia of ${parameter.link}, ${["xx", "yy", "zz", "xy", "xz", "yz"][parameter.component]}`;
    case "parent-offset":
    case "child-offset":
      return `joint of ${parameter.link} along ${parameter.direction.join(" ")}`;
    case "mass":
      return `mass of ${parameter.link}`;
    case "actuator-gain":
    case "servo-stiffness":
    case "servo-damping":
      return `${words(parameter.kind)} of ${parameter.actuator}`;
    case "actuator-bias":
      return `bias ${parameter.component} of ${parameter.actuator}`;
    default:
      return `${words(parameter.kind)} of ${parameter.joint}${parameter.component === undefined ? "" : `, ${parameter.component}`}`;
  }
}

function words(kind: string): string {
  return kind.replaceAll("-", " ");
}

/** Whether values below zero make no sense. */
function hasSign({ kind }: StepParameter): boolean {
  return !["center-of-mass", "inertia", "combination", "rest-position", "actuator-gain", "actuator-bias"].includes(
    kind,
  );
}

/** Whether values above zero make no sense. */
function isPull(parameter: StepParameter): boolean {
  return parameter.kind === "actuator-bias" && parameter.component > 0;
}
