import { invalid, nonFinite, unsupported } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { ArticulatedModel } from "../model";
import type { ActuatedJoint, ActuatorDescription } from "./description";
import { compileBranch, movingDofs, TendonPaths } from "./tendon-path";

const actuatorNames = optionNames<ActuatorDescription>()("name joints path gain bias controlRange forceRange");
const jointNames = optionNames<ActuatedJoint>()("joint coefficient");

/** An actuator with the state of its last step. */
export type CompiledActuator = ReturnType<typeof compile>;

/**
 * Solutions of a step in which all servos change between bounds and springs at once, and those in which only the first one does that
 * has to. The latter way, Murty's, always ends if nothing touches the mechanism. After these, bounds are not left any more.
 */
const [TOGETHER, SINGLY] = [6, 40];
/** Part of the terms of a force that is rounding. */
const ROUNDING = 1e-12;

/**
 * Actuators of a mechanism. Servos act at the end of the step, so that any gain is stable: with ℓ' = ℓ + Δt ℓ̇' the
 * force f = −k (ℓ' − u) − d ℓ̇' is a spring k and a damper d + Δt k, and dampers of joints already act at the end of
 * the step. A servo beyond its bounds is a constant force for the step.
 *
 * Springs and dampers of servos are those of the model while the step is taken. A servo of several joints is a row of the contact problem
 * (`addServoRows`), with its bounds.
 */
export class Actuators {
  /** One number for each actuator: force of a motor, position or velocity that a servo seeks. */
  readonly input: Float64Array;
  readonly names: readonly string[];
  readonly compiled: readonly CompiledActuator[];
  /** Joints' own springs and dampers; those of the model include servos. */
  readonly stiffness: Float64Array = this.model.stiffness.slice();
  readonly damping: Float64Array = this.model.damping.slice();
  readonly restPosition: Float64Array = this.model.restPosition.slice();
  /** Measures tendons through space, if there are any. */
  private readonly paths: TendonPaths | undefined;
  private readonly slopes = new Float64Array(this.model.nv);
  /** Number of solutions of the present step. */
  private solutions = 0;

  /** @throws PliantError for an actuator of an unknown joint, or numbers that are not valid */
  constructor(
    private readonly model: ArticulatedModel,
    actuators: readonly ActuatorDescription[],
  ) {
    this.names = actuators.map(({ name }) => name);
    this.compiled = actuators.map((actuator) => compile(model, actuator));
    this.input = new Float64Array(actuators.length);
    if (this.compiled.some(({ branches }) => branches.length > 0)) this.paths = new TendonPaths(model);
  }

  /**
   * @returns the place of an actuator in `input`
   * @throws PliantError if there is none with this name
   */
  indexOf(name: string): number {
    const index = this.names.indexOf(name);
    if (index < 0) throw invalid(`mechanism "${this.model.name}"`, name, "must be the name of an actuator");
    return index;
  }

  /**
   * Prepares the model for a step, and adds forces to those on the coordinates.
   *
   * @param out nv numbers [N m or N]
   * @throws PliantError `non-finite` for an input that is not finite
   */
  prepare(q: Float64Array, qd: Float64Array, timeStep: number, out: Float64Array): void {
    const { compiled, input } = this;
    this.solutions = 0;
    this.paths?.place(q);
    compiled.forEach((actuator, i) => {
      const { dofs, coefficients, gain, bias, control } = actuator;
      if (!Number.isFinite(input[i]))
        throw nonFinite(`actuator "${this.names[i]}"`, input[i], "must have a finite input");
      const u = Math.min(Math.max(input[i], control[0]), control[1]);
      const length = this.measure(actuator, q);
      const speed = dofs.reduce((sum, dof, j) => sum + coefficients[j] * qd[dof], 0);
      [actuator.u, actuator.length, actuator.speed] = [u, length, speed];
      actuator.isBounded = false;
      if (isShared(actuator)) return;
      bindTo(actuator, gain * u + bias[0] + bias[1] * length + bias[2] * speed);
    });
    this.apply(timeStep, out);
  }

  /**
   * Finds the servos that the solution of a step puts beyond their bounds, or back within these.
   *
   * @param rates q̇', velocities after the step
   * @returns whether there are any: then the forces changed, and the step has to be solved with those of `apply`
   */
  review(rates: Float64Array, timeStep: number): boolean {
    this.solutions++;
    let isChanged = false;
    for (const actuator of this.compiled) {
      const { dofs, coefficients, gain, bias, u, length, isBounded, bounded, force } = actuator;
      // A motor has one force for all of the step.
      if ((bias[1] === 0 && bias[2] === 0) || isShared(actuator)) continue;
      const speed = coefficients[0] * rates[dofs[0]];
      const terms = [gain * u, bias[0], bias[1] * length, bias[1] * timeStep * speed, bias[2] * speed];
      const total = terms.reduce((sum, term) => sum + term, 0);
      const rounding = ROUNDING * terms.reduce((sum, term) => sum + Math.abs(term), 0);
      if (isBounded) {
        const isBeyond = bounded === force[0] ? total <= bounded + rounding : total >= bounded - rounding;
        if (isBeyond || this.solutions > SINGLY) continue;
        actuator.isBounded = false;
      } else if (total >= force[0] - rounding && total <= force[1] + rounding) continue;
      else bindTo(actuator, total);
      isChanged = true;
      if (this.solutions > TOGETHER) break;
    }
    return isChanged;
  }

  /** ℓ of an actuator [rad or m]; coefficients of a tendon through space become those of the position. */
  private measure({ branches, dofs, coefficients, ratios }: CompiledActuator, q: Float64Array): number {
    let length = dofs.reduce((sum, dof, j) => sum + ratios[j] * q[dof], 0);
    if (branches.length > 0) {
      const { slopes } = this;
      slopes.fill(0);
      length += this.paths!.measure(branches, slopes);
      dofs.forEach((dof, j) => (coefficients[j] = ratios[j] + slopes[dof]));
    }
    return length;
  }

  /**
   * Adds the forces of actuators to those on the coordinates, and their springs and dampers to those of the model.
   *
   * @param out nv numbers [N m or N]
   */
  apply(timeStep: number, out: Float64Array): void {
    const { model, compiled } = this;
    const { stiffness, damping, restPosition } = model;
    stiffness.set(this.stiffness);
    damping.set(this.damping);
    const sought = restPosition;
    for (let dof = 0; dof < model.nv; dof++) sought[dof] = this.stiffness[dof] * this.restPosition[dof];
    for (const actuator of compiled) {
      if (isShared(actuator)) continue;
      const { dofs, coefficients, gain, bias, u, isBounded, bounded } = actuator;
      const [force, k, d] = bias;
      if (isBounded) {
        dofs.forEach((dof, j) => (out[dof] += coefficients[j] * bounded));
        continue;
      }
      dofs.forEach((dof, j) => {
        const c = coefficients[j];
        out[dof] += c * (gain * u + force);
        stiffness[dof] -= c * c * k;
        damping[dof] -= c * c * (d + timeStep * k);
      });
    }
    // −k q + k q₀: only the product of both counts.
    for (let dof = 0; dof < model.nv; dof++)
      if (stiffness[dof] !== 0) restPosition[dof] = sought[dof] / stiffness[dof];
      else {
        out[dof] += sought[dof];
        restPosition[dof] = 0;
      }
  }

  /**
   * Adds the derivatives of the last step's impulses by the positions, of joints that share a servo and of tendons through space; others are
   * springs of the model. An impulse f = F − κ c · q̇' along c changes by c dF, and c by the curvature H of the tendon:
   *
   *   c ⊗ (Δt b₁ c − κ H q̇') + f H
   *
   * @param q positions before the step
   * @param rates q̇' as solved for
   * @param byPosition nv × nv, row-major
   */
  addCouplings(q: Float64Array, rates: Float64Array, timeStep: number, byPosition: Float64Array): void {
    const { nv } = this.model;
    this.paths?.place(q);
    for (const actuator of this.compiled) {
      const { dofs, coefficients, branches, bias, isBounded } = actuator;
      const isRow = isShared(actuator) && !isBounded;
      if (isRow)
        for (let i = 0; i < dofs.length; i++)
          for (let j = 0; j < dofs.length; j++)
            byPosition[dofs[i] * nv + dofs[j]] += timeStep * coefficients[i] * coefficients[j] * bias[1];
      if (branches.length === 0) continue;
      const curvature = this.paths!.curvatureOf(branches);
      const impulse = impulseOf(actuator, rates, timeStep);
      const damper = isRow ? damperOf(actuator, timeStep) : 0;
      for (let k = 0; k < nv; k++) {
        let turn = 0;
        for (let j = 0; j < nv; j++) {
          byPosition[j * nv + k] += impulse * curvature[j * nv + k];
          turn += curvature[k * nv + j] * rates[j];
        }
        dofs.forEach((dof, i) => (byPosition[dof * nv + k] -= damper * coefficients[i] * turn));
      }
    }
  }

  /** Derivative by an input, from derivatives by the forces on all coordinates. @param byForce at `at`, nv numbers */
  alongInput(index: number, byForce: Float64Array, at: number): number {
    const { dofs, coefficients, gain, isBounded, control } = this.compiled[index];
    const input = this.input[index];
    if (isBounded || input < control[0] || input > control[1]) return 0;
    return dofs.reduce((sum, dof, j) => sum + gain * coefficients[j] * byForce[at + dof], 0);
  }

  /**
   * Inputs with which actuators at rest give these forces on the coordinates. One of several joints gives the mean along its own
   * direction; one without gain stays at 0.
   *
   * @param forces nv numbers [N m or N]
   * @param out one number for each actuator
   */
  inputsFor(q: Float64Array, forces: Float64Array, out: Float64Array): void {
    this.paths?.place(q);
    this.compiled.forEach((actuator, i) => {
      const { dofs, coefficients, gain, bias, control } = actuator;
      const length = this.measure(actuator, q);
      let [along, square] = [0, 0];
      dofs.forEach((dof, j) => {
        along += coefficients[j] * forces[dof];
        square += coefficients[j] ** 2;
      });
      const force = square > 0 ? along / square : 0;
      const input = gain === 0 ? 0 : (force - bias[0] - bias[1] * length) / gain;
      out[i] = Math.min(Math.max(input, control[0]), control[1]);
    });
  }
}

function compile(model: ArticulatedModel, actuator: ActuatorDescription) {
  const object = `mechanism "${model.name}": actuator "${actuator.name}"`;
  checkNames(object, actuator, actuatorNames);
  const { joints, path = [], gain, bias, controlRange, forceRange } = actuator;
  const numbers = [gain, ...bias, ...joints.map(({ coefficient }) => coefficient)];
  if (bias.length !== 3 || !numbers.every(Number.isFinite))
    throw nonFinite(object, numbers, "must have a gain, three biases and finite coefficients");
  if (bias[1] > 0 || bias[2] > 0)
    throw unsupported(`${object}.bias`, bias, "must not push away from its position or speed");
  for (const range of [controlRange, forceRange])
    if (range !== undefined && !(range.length === 2 && range[0] < range[1]))
      throw invalid(object, range, "must have ranges that begin below their end");
  for (const joint of joints) {
    checkNames(`${object}.joints`, joint, jointNames);
    const link = model.jointNames.indexOf(joint.joint);
    if (link >= 0 && model.linkDofCount[link] !== 1)
      throw invalid(`${object}.joints`, joint.joint, "must be joints of one coordinate");
  }
  const branches = path.map((branch) => compileBranch(model, branch, `${object}.path`));
  const own = joints.map(({ joint }) => model.jointDof(joint));
  const moving = movingDofs(model, branches).filter((dof) => !own.includes(dof));
  const ratios = [...joints.map(({ coefficient }) => coefficient), ...moving.map(() => 0)];
  return {
    dofs: [...own, ...moving],
    /** ∂ℓ/∂q of joints, and in the last position */
    ratios,
    coefficients: [...ratios],
    branches,
    gain,
    bias: [...bias],
    control: controlRange ?? [-Infinity, Infinity],
    force: forceRange ?? [-Infinity, Infinity],
    /** Input within its range, and ℓ and ℓ̇ of the last step. */
    u: 0,
    length: 0,
    speed: 0,
    /** Whether the force of the last step is at a bound, and the bound. */
    isBounded: false,
    bounded: 0,
    /** s, of one that several joints share */
    scale: 1,
  };
}

/** Whether several joints share a servo, or one pulls a tendon whose coefficients change. */
export function isShared({ dofs, bias, branches }: CompiledActuator): boolean {
  return (dofs.length > 1 || branches.length > 0) && (bias[1] !== 0 || bias[2] !== 0);
}

/** κ [N·s per m/s, or in rad]: the impulse that a servo loses for each unit of the speed after a step */
export function damperOf({ bias }: CompiledActuator, timeStep: number): number {
  return -timeStep * (bias[2] + timeStep * bias[1]);
}

/** Impulse of a motor, or of a servo that is a row, in the last step. */
function impulseOf(actuator: CompiledActuator, rates: Float64Array, timeStep: number): number {
  const { dofs, coefficients, gain, bias, u, length, speed, force } = actuator;
  const after = isShared(actuator) ? dofs.reduce((sum, dof, j) => sum + coefficients[j] * rates[dof], 0) : speed;
  const wanted = timeStep * (gain * u + bias[0] + bias[1] * length) - damperOf(actuator, timeStep) * after;
  return Math.min(Math.max(wanted, timeStep * force[0]), timeStep * force[1]);
}

/** Puts an actuator at the bound that a force is beyond, or at none. */
function bindTo(actuator: CompiledActuator, total: number): void {
  const [least, most] = actuator.force;
  actuator.isBounded = total <= least || total >= most;
  actuator.bounded = Math.min(Math.max(total, least), most);
}
