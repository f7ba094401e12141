/**
 * One time step, semi-implicit Euler with contact (paper 4, (1)-(6)):
 *
 *   q̇_f = q̇ + Δt M⁻¹ (τ - c + Σ J_linkᵀ w) + Δq̇  velocities without contact; w forces on links from outside
 *   A = J M⁻¹ Jᵀ,  b = J q̇_f + e J q̇ - β δ / Δt   e restitution, of rows that approach; β penetration correction, δ depth
 *   f = LCP(A, b)                                 friction rows within ± µ f_n
 *   q̇' = q̇_f + M⁻¹ Jᵀ f,   q' = q + Δt q̇'
 *
 * Couplings of joints and loops are rows without bounds on f, dry friction of a joint is one within ± Δt times its force.
 * M includes Δt D of the dampers, whose forces are those at the end of the step, so that any damping is stable.
 * Rotation vectors are stepped on the group (`RotationJoint`), with Δq̇ for terms that are not linear in Δt.
 */
import { ContactDetector } from "../contact/detect";
import { addWrenches } from "../dynamics/jacobian";
import { GravityCompensation } from "../dynamics/gravity-compensation";
import { ForwardDynamics } from "../dynamics/forward-dynamics";
import { biasForces } from "../dynamics/inverse-dynamics";
import { updateKinematics, updateVelocities } from "../dynamics/kinematics";
import { factorMassMatrix, massMatrix, solveMass } from "../dynamics/mass-matrix";
import { solveMassColumns } from "../dynamics/mass-solve";
import { addPassiveForces } from "../dynamics/passive-forces";
import { RotationChanges } from "../joints/rotation-changes";
import type { Actuators } from "../actuators/actuators";
import { addServoRows, fillServoRow, readServoRows, scaleServoRows } from "../actuators/servo-rows";
import { BoxedLcp } from "../lcp/problem";
import { LcpSolver } from "../lcp/solve";
import type { ArticulatedModel } from "../model";
import { addProduct } from "../../math/dense-products";
import { ArticulatedScratch } from "../scratch";
import { closureError } from "./closure-rows";
import { ConstraintRows, RowPart } from "./constraint-rows";
import { RoundFriction } from "./round-friction";
import { projectErrors } from "./feasible-errors";
import { correctionRate, polynomialAt } from "./joint-rows";
import { checkOptions, type CheckedOptions, type SimulationOptions } from "./options";
import { rotationJoints, type RotationJoint } from "./rotation-step";

/** From this number of products for each degree of freedom on, the factor of M takes longer than articulated bodies. */
const DEEP = 60;

/** The step of a mechanism, with all intermediate results, from which the derivatives start. */
export class ContactStep {
  readonly options: CheckedOptions = checkOptions(this.given);
  readonly scratch = new ArticulatedScratch(this.model);
  readonly detector = new ContactDetector(
    this.model,
    this.options.ground,
    this.options.selfCollision,
    this.options.friction,
    this.options.restitution,
  );
  readonly rows = new ConstraintRows(this.model.nv);
  readonly lcp = new BoxedLcp();
  readonly solver = new LcpSolver(this.options.softening);
  /** Makes a cone of the pyramids of friction, if asked for. */
  readonly round =
    this.options.frictionCone === "round" ? new RoundFriction(this.rows, this.lcp, this.detector.contacts) : undefined;
  /** Whether joint limits are enforced. */
  limits: boolean = this.options.limits !== false;
  /** Part by which contacts give way to impulses in derivatives of the step, but not in the step. */
  softness = 0;
  /** Whether joints stop at the limit itself. */
  private readonly isAhead: boolean = this.options.limits === "ahead";
  /** q̇' as solved for: velocities at the coordinates before the step. */
  readonly rawQd = new Float64Array(this.model.nv);
  /** Δq̇ */
  readonly shift = new Float64Array(this.model.nv);
  /** External forces on the links [N·m, N], 6 a link, in world axes about the world's origin; set by the user. */
  readonly wrenches = new Float64Array(6 * this.model.linkCount);
  /** Whether any external force was non-zero in the last step. */
  hasWrenches = false;
  /** Servos and motors, none by default. */
  actuators: Actuators | undefined;
  /** Carries weights of links, if any is to be carried. */
  readonly compensation = this.model.gravityCompensation.some((part) => part !== 0)
    ? new GravityCompensation(this.model)
    : undefined;
  private readonly wrenchSums = new Float64Array(6 * this.model.linkCount);
  private readonly wrenchForces = new Float64Array(this.model.nv);
  /** Forces on the coordinates: those of the user, and with those of actuators. */
  private readonly tau = new Float64Array(this.model.nv);
  private readonly control = new Float64Array(this.model.nv);
  private readonly dynamics = new ForwardDynamics(this.model);
  private readonly forces = new Float64Array(this.model.nv);
  /** Whether the mechanism is so deep that articulated bodies are faster than the factor of M. */
  private readonly deep: boolean = factorCost(this.model) > DEEP * this.model.nv;
  /** Whether `scratch` holds M and its factor for the last step. */
  private factored = false;
  /** q̇_f */
  readonly freeVelocity = new Float64Array(this.model.nv);
  /** M⁻¹ Jᵀ, nv × rows, row-major. */
  response = new Float64Array(0);
  /** Rotation vectors that the step changed. */
  readonly changes = new RotationChanges(this.model);

  /**
   * @param rotations rotation vectors that are stepped on the group, default all
   * @throws PliantError for bad options or shapes
   */
  constructor(
    readonly model: ArticulatedModel,
    private readonly given: SimulationOptions,
    readonly rotations: readonly RotationJoint[] = rotationJoints(model),
  ) {
    this.scratch.gravity.set(this.options.gravity);
  }

  /**
   * Begins a step: computes the state before it, and finds its constraints.
   *
   * @param q coordinates, nv numbers; unchanged
   * @param qd velocities, nv numbers; unchanged
   * @param tau forces of the actuators, nv numbers; unchanged
   */
  start(q: Float64Array, qd: Float64Array, tau: Float64Array): void {
    this.place(q, qd, tau);
    this.findConstraints();
  }

  /**
   * Completes the step that `start` began.
   *
   * @param outQ coordinates after; may be `q`
   * @param outQd velocities after; may be `qd`
   */
  finish(outQ: Float64Array, outQd: Float64Array): void {
    const { scratch, rawQd, shift, rotations } = this;
    const { nv } = this.model;
    const dt = this.options.timeStep;
    shift.fill(0);
    for (const joint of rotations) joint.start(scratch.q, scratch.qd, dt, shift);
    this.solve();
    while (this.actuators?.review(rawQd, dt) === true) {
      this.control.set(this.tau);
      this.actuators.apply(dt, this.control);
      this.factored = false;
      this.solve();
    }
    for (let k = 0; k < nv; k++) {
      outQ[k] = scratch.q[k] + dt * rawQd[k];
      outQd[k] = rawQd[k];
    }
    for (const joint of rotations) joint.finish(scratch.q, rawQd, dt, outQ, outQd);
    this.changes.make(outQ, outQd);
  }

  /** Computes q̇' with the present forces of actuators. */
  private solve(): void {
    const { scratch, rawQd, freeVelocity, shift } = this;
    this.accelerate(freeVelocity);
    for (let k = 0; k < rawQd.length; k++)
      freeVelocity[k] = scratch.qd[k] + this.options.timeStep * freeVelocity[k] + shift[k];
    rawQd.set(freeVelocity);
    if (this.rows.count > 0) this.solveContacts();
  }

  /**
   * Computes q̈ of free motion. Derivatives are then those of q̇' = q̇ + Δt q̈ for a step made without rotations.
   *
   * @param out q̈, nv numbers
   * @param isStill whether `q`, `tau` and the external forces are those of the last call
   */
  accelerateAt(q: Float64Array, qd: Float64Array, tau: Float64Array, out: Float64Array, isStill: boolean): void {
    const { scratch, rawQd } = this;
    if (isStill) updateVelocities(scratch, qd);
    else this.place(q, qd, tau);
    this.rows.clear();
    this.accelerate(out);
    for (let k = 0; k < rawQd.length; k++) rawQd[k] = scratch.qd[k] + this.options.timeStep * out[k];
  }

  private place(q: Float64Array, qd: Float64Array, tau: Float64Array): void {
    this.tau.set(tau);
    this.control.set(tau);
    this.actuators?.prepare(q, qd, this.options.timeStep, this.control);
    updateKinematics(this.scratch, q, qd);
    this.factored = false;
    this.sumWrenches();
  }

  /** out = M⁻¹ (τ - c), by articulated bodies, or by the factor of M if that is cheap or contacts need it anyway. */
  private accelerate(out: Float64Array): void {
    const { model, scratch, dynamics, forces } = this;
    if (this.rows.count === 0 && this.deep) {
      forces.fill(0);
      addPassiveForces(model, scratch.q, scratch.qd, forces);
      this.addActuation(forces, 1);
      dynamics.compute(scratch, forces, undefined, out, this.options.timeStep);
      return;
    }
    this.factorMass();
    biasForces(scratch, out);
    for (let k = 0; k < out.length; k++) out[k] = -out[k];
    addPassiveForces(model, scratch.q, scratch.qd, out);
    this.addActuation(out, 1);
    solveMass(scratch, out);
  }

  /** Computes M of the last step and its factor, unless that is done already. */
  factorMass(): void {
    if (this.factored) return;
    massMatrix(this.scratch, this.options.timeStep);
    factorMassMatrix(this.scratch);
    this.factored = true;
  }

  private sumWrenches(): void {
    const { wrenches, wrenchSums, wrenchForces } = this;
    this.hasWrenches = false;
    for (let i = 0; i < wrenches.length; i++) {
      wrenchSums[i] = wrenches[i];
      this.hasWrenches ||= wrenches[i] !== 0;
    }
    wrenchForces.fill(0);
    if (this.hasWrenches) addWrenches(this.scratch, wrenchSums, wrenchForces);
    this.compensation?.add(this.scratch.q, this.scratch.gravity, wrenchForces);
  }

  /** out += scale · (τ + Σ J_linkᵀ w) of the last step. */
  addActuation(out: Float64Array, scale: number): void {
    for (let k = 0; k < out.length; k++) out[k] += scale * (this.control[k] + this.wrenchForces[k]);
  }

  private findConstraints(): void {
    const { scratch, detector, rows } = this;
    detector.detect(scratch);
    rows.clear();
    rows.addJoints(scratch);
    if (this.actuators) addServoRows(this.actuators.compiled, rows);
    rows.addContacts(scratch, detector.contacts);
    if (this.limits) rows.addLimits(scratch, this.isAhead ? 2 * this.options.timeStep : 0);
  }

  private solveContacts(): void {
    const { model, scratch, rows, lcp, rawQd } = this;
    const { nv } = model;
    const m = rows.count;
    const servos = this.actuators?.compiled ?? [];
    scaleServoRows(servos, rows, scratch.mass, this.options.timeStep);
    if (this.response.length < m * nv) this.response = new Float64Array(2 * m * nv);
    const { response } = this;
    const { jacobian } = rows;
    for (let r = 0; r < m; r++) for (let k = 0; k < nv; k++) response[k * m + r] = jacobian[r * nv + k];
    solveMassColumns(scratch, response, m);
    lcp.resize(m);
    const { a } = lcp;
    a.fill(0, 0, m * m);
    addProduct(jacobian, response, a, m, nv, m, 1);
    this.fillBounds();
    if (model.couplings.length + model.closures.length > 0) this.correctJoints();
    rows.guess(lcp);
    this.round?.start(response);
    do this.solver.solve(lcp, true);
    while (this.round?.improve(response) === true);
    rows.keep(lcp);
    readServoRows(servos, rows, lcp);
    for (let k = 0; k < nv; k++) {
      let sum = rawQd[k];
      for (let r = 0, y = k * m; r < m; r++) sum += response[y + r] * lcp.f[r];
      rawQd[k] = sum;
    }
  }

  /** Fills b and the bounds. */
  private fillBounds(): void {
    const { rows, lcp, detector, freeVelocity, scratch, options } = this;
    const { contacts } = detector;
    for (let r = 0; r < rows.count; r++) {
      const free = this.along(r, freeVelocity);
      const c = rows.contact[r];
      if (rows.normalRow[r] !== r) {
        const mu = contacts.friction[c];
        lcp.b[r] = free;
        lcp.findex[r] = rows.normalRow[r];
        lcp.lo[r] = -mu;
        lcp.hi[r] = mu;
        continue;
      }
      lcp.findex[r] = -1;
      if (!rows.isOneSided(r)) {
        this.fillJointBounds(r, free);
        continue;
      }
      lcp.lo[r] = 0;
      lcp.hi[r] = Infinity;
      const before = this.along(r, scratch.qd);
      const e = c >= 0 && before < -options.bounceThreshold ? contacts.restitution[c] : 0;
      rows.restitution[r] = e;
      lcp.b[r] = free + e * before - this.correctionSpeed(r);
    }
  }

  private fillJointBounds(r: number, free: number): void {
    const { rows, lcp, model, options } = this;
    if (rows.part[r] === RowPart.Servo) {
      fillServoRow(this.actuators!.compiled[rows.dof[r]], rows, lcp, r, free, options.timeStep);
      return;
    }
    const bound =
      rows.part[r] === RowPart.JointFriction ? options.timeStep * model.frictionLoss[rows.dof[r]] : Infinity;
    lcp.lo[r] = -bound;
    lcp.hi[r] = bound;
    lcp.b[r] = free;
  }

  /** Adds the correction of couplings and loops to b. */
  private correctJoints(): void {
    const { rows, lcp, options } = this;
    const list: number[] = [];
    for (let r = 0; r < rows.count; r++)
      if (rows.part[r] === RowPart.Coupling || rows.part[r] === RowPart.Closure) list.push(r);
    const errors = Float64Array.from(list, (r) => this.errorOf(r));
    const a = Float64Array.from({ length: list.length ** 2 }, (_, at) => {
      const [i, j] = [Math.floor(at / list.length), at % list.length];
      return lcp.a[list[i] * rows.count + list[j]];
    });
    projectErrors(a, errors);
    list.forEach((r, i) => (lcp.b[r] += correctionRate(options.timeStep) * errors[i]));
  }

  /** Error of a coupling or a loop [m or rad]. */
  private errorOf(r: number): number {
    const { rows, model, scratch } = this;
    const of = rows.dof[r];
    if (rows.part[r] === RowPart.Closure) return closureError(scratch, model.closures[Math.floor(of / 6)], of % 6);
    const coupling = model.couplings[of];
    return scratch.q[coupling.dof] - polynomialAt(coupling, scratch.q)[0];
  }

  /** Speed at which a step removes depth; below zero, that at which a limit ahead is reached at the end of the step. */
  private correctionSpeed(r: number): number {
    const depth = this.depthOf(r);
    return Math.min(this.correctionRate(r) * depth, this.options.correctionSpeed);
  }

  /** Change of that speed with the depth [1/s]. */
  correctionOf(r: number): number {
    const rate = this.correctionRate(r);
    return rate * this.depthOf(r) > this.options.correctionSpeed ? 0 : rate;
  }

  /** Part of the depth that a step removes, over Δt; all of the way that is left to a limit ahead [1/s]. */
  private correctionRate(r: number): number {
    const { timeStep, penetrationCorrection } = this.options;
    if (this.depthOf(r) > 0) return penetrationCorrection / timeStep;
    return this.isAhead && this.rows.contact[r] < 0 ? 1 / timeStep : 0;
  }

  /** Violation of a contact or a limit [m or rad]; negative for the way to a limit ahead. */
  depthOf(r: number): number {
    const { rows, scratch, model, detector } = this;
    if (!rows.isOneSided(r)) return 0;
    const k = rows.dof[r];
    if (k < 0) return detector.contacts.depth[rows.contact[r]];
    return rows.part[r] === RowPart.LowerLimit ? model.lower[k] - scratch.q[k] : scratch.q[k] - model.upper[k];
  }

  /** (J x)_r */
  along(r: number, x: Float64Array): number {
    const { jacobian } = this.rows;
    const { nv } = this.model;
    let sum = 0;
    for (let k = 0, at = r * nv; k < nv; k++) sum += jacobian[at + k] * x[k];
    return sum;
  }
}

/** Approximate number of products for the factor of M: the sum of the squared depths of all degrees of freedom. */
function factorCost({ nv, supportStart }: ArticulatedModel): number {
  let cost = 0;
  for (let k = 0; k < nv; k++) cost += (supportStart[k + 1] - supportStart[k]) ** 2;
  return cost;
}
