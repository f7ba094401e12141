/**
 * Non-smooth Newton (Algorithm 1) on one island: the equations (46)-(50) at the end of the step, in the compliance form
 * (59), whose linear problem goes to any of the methods in `linear/`.
 *
 * One difference from the paper: joint forces act along J at the start of the step instead of its end (46), while C(q⁺)
 * = 0 still holds at its end. That is SHAKE, which is symplectic: pendulums and tops keep their energy. If a load would
 * make it unstable, geometric stiffness is added (geometric-stiffness.ts). J is constant in the step, and so is the
 * matrix, except for the active set.
 */

import { SETTLING, TWIST_SIZE } from "../motion/bodies";
import { complementarityError } from "../contact/complementarity-error";
import { advance } from "../motion/kinematic-motion";
import { EVEN_MASSES, type IslandSystem } from "./island-system";
import { boundRelaxed, hasGained } from "../motion/energy-bound";
import { Linearisation, project } from "../contact/linearise";
import { ConeSolver } from "./cone-solver";
import { DirectSolver } from "../linear/direct";
import { ConjugateResidualSolver } from "../linear/conjugate-residuals";
import type { LinearSolver } from "../linear/linear-solver";
import { rowSpeed } from "../contact/rows";
import { SparseSolver } from "../linear/sparse";
import { Sweeps } from "./sweeps";
import { type LinearMethod, type NewtonOptions, recoverySpeed } from "../options";

/** The service of joints for the solver: it writes C of the rows of an island for the poses in the state. */
export interface RowEvaluator {
  values(system: IslandSystem): void;
}

/** Convergence of the iterations of an island. */
export interface NewtonReport {
  /** ‖residual‖₂ [m/s] at the start and after every Newton iteration */
  residuals: number[];
  /** `complementarityError` at the same moments; it does not depend on NCP function and preconditioner */
  errors: number[];
  /** largest accepted Δp of each Newton iteration, times its mobility [m/s] */
  steps: number[];
  /** residuals of the linear problem of each Newton iteration */
  linear: number[][];
  /** number of unknowns of the island */
  size: number;
  /** number of sparse factors of an island with deformable bodies or mechanisms, and their 6 × 6 products */
  factors: number;
  products: number;
}

// All speeds below are times the pace of the island, or of a body, see scale.ts.

/** Factor of Newton iterations with dense factors in place of an iterative method: cheap on small islands. */
const DIRECT_FACTOR = 4;
/** The same with sparse factors. */
const SPARSE_FACTOR = 2;
/** Tolerance of large islands at rest [m/s]: they drift by a micrometer in ten seconds, mostly without Newton steps. */
const SPARSE_TOLERANCE = 1e-7;
/** Residual that ends the sweeps of a small island whose Newton iteration cycles [m/s]: at rest, and in motion. */
const GUARDED_TOLERANCE = 1e-7;
const MOVING_TOLERANCE = 1e-4;
/** Largest number of safeguard calls in a step for an island in motion. */
const MOST_GUARDS = 5;
/**
 * The same for large islands with joints and contacts: limits and contacts of figures in a heap depend on each other,
 * and each sweep is expensive.
 */
const FEW_GUARDS = 2;
/** Speed [m/s], [rad/s] of a body in motion. */
const MOVING = 0.05;
/** Largest residual [m/s] of an island at rest that counts as solved. */
const SOLVED = 1e-4;
/** An iteration that leaves more than this fraction of the residual counts as failed: the active set may cycle. */
const PROGRESS = 0.9;
/** Sweeps of the safeguard, doubled with each of its calls in a step. */
const FEWEST_SWEEPS = 8;
const MOST_SWEEPS = 128;
/** Sweeps of a step that is solved by sweeps alone. */
const RESCUE_SWEEPS = 32;
/** A large island with a residual above this [m/s] is left to sweeps. */
const LIVELY = 0.2;
/** Allowed number of steps that do not help, before an island at rest is left to small steps after all. */
const MOST_FAILURES = 1;
/** Part of the tolerance for an island at rest whose impulses changed in the step before. */
const SETTLED = 0.01;
/** Unknowns of an island up to which dense factors are as cheap as sparse ones. */
const FEW_UNKNOWNS = 24;
/** Unknowns of an island that a `ConeSolver` solves in less time than sweeps take that do not end. */
const MOST_CONES = 72;
/** Mass ratio from which errors of a light body that is squeezed throw a heavy one. */
const SQUEEZED = 10;
/** Mass ratio above which ε is reduced. */
const EVEN = 1e4;
/** ε is raised up to this if steps fail. */
const MOST_EPSILON = 0.01;
/** Sweeps that remove the push from velocities. */
const RELAXING_SWEEPS = 6;
/** Part of an overlap that a step of sweeps removes. */
const SLOW_RECOVERY = 0.25;

export class NewtonSolver {
  private readonly methods: Record<LinearMethod, LinearSolver> = {
    pcr: new ConjugateResidualSolver(),
    direct: new DirectSolver(),
    sparse: new SparseSolver(),
  };
  private readonly sweeps = new Sweeps();
  private readonly cones = new ConeSolver();
  private readonly linearisation = new Linearisation();
  private p = new Float64Array(0);
  private step = new Float64Array(0);
  private product = new Float64Array(0);
  private kept = new Float64Array(0);
  private best = new Float64Array(0);
  /** velocities of the motion, before the push is taken out of them */
  private moved = new Float64Array(0);

  constructor(readonly options: NewtonOptions) {}

  /**
   * Solves the selected island: from the impulses in contacts and rows, and ũ in the scratch, to impulses and velocities.
   *
   * @param h time step [s]
   * @param joints evaluates the rows; poses in the state are changed
   * @param canFail whether to leave impulses unchanged if sparse factors do not lead to a solution
   * @param report receives residuals, if given
   * @returns false if impulses were left unchanged
   */
  solve(system: IslandSystem, h: number, joints: RowEvaluator, canFail: boolean, report?: NewtonReport): boolean {
    const { options } = this;
    this.reserve(system.size);
    this.load(system);
    const { linearMethod } = options;
    const isSmall = linearMethod === "direct" || system.isSmall(options.directLimit);
    // A large island without small steps is at rest, unless the user has chosen an iterative method.
    const isSparse = !isSmall && (linearMethod === "sparse" || (options.smallSteps > 0 && options.safeguard));
    const isDirect = isSmall || isSparse;
    this.setBias(system, h, isDirect);
    const isDense = isSmall && (linearMethod === "direct" || !isAmongBodies(system));
    const chosen = isDense ? "direct" : isDirect ? "sparse" : linearMethod;
    const method = typeof chosen === "string" ? this.methods[chosen] : chosen;
    const factor = isSmall ? DIRECT_FACTOR : isSparse ? SPARSE_FACTOR : 1;
    const mayGiveUp = isSparse && canFail;
    this.iterate(system, h, joints, method, options.newtonIterations * factor, isDirect, mayGiveUp, report);
    if (mayGiveUp && !(this.linearisation.worst <= SOLVED * system.pace)) return false;
    if (project(system, this.p)) system.setVelocity(this.p);
    this.store(system);
    return true;
  }

  /**
   * Solves the selected island by sweeps alone, starting from zero impulses, for a step that Newton's iteration cannot
   * solve. Joints hold their current state, J u = 0, and keep their errors for later, so sweeps create no energy.
   *
   * @param h time step [s]
   */
  sweep(system: IslandSystem, h: number): void {
    const { rows, firstRow, rowCount } = system;
    this.setBias(system, h, false);
    this.p.fill(0, 0, system.size);
    system.setVelocity(this.p);
    for (let r = firstRow; r < firstRow + rowCount; r++) {
      let open = rows.value[r];
      if (rows.isRigid(r)) open = rows.isBilateral(r) || open < 0 ? 0 : open;
      rows.value[r] = open + h * rowSpeed(rows, r, system.bodies.scratch.velocity);
    }
    this.sweeps.run(system, this.p, h, RESCUE_SWEEPS);
    this.store(system);
  }

  /** As `Sweeps.drawTogether`. */
  drawTogether(system: IslandSystem, part: number, compliance: number): boolean {
    return this.sweeps.drawTogether(system, part, compliance);
  }

  /**
   * Computes velocities as if bodies did not overlap: negative gaps count as zero. Call this after poses are updated;
   * impulses become those of a step without push. Sweeps take the push off a heavy body by no more than what a light one under it bears.
   */
  relax(system: IslandSystem, h: number, joints: RowEvaluator): void {
    const { contacts, firstContact, contactCount } = system;
    this.load(system, true);
    const { velocity } = system.bodies.scratch;
    if (this.moved.length < velocity.length) this.moved = new Float64Array(velocity.length);
    const { firstBody, bodyCount, bodyList } = system;
    for (let k = firstBody; k < firstBody + bodyCount; k++)
      for (let i = TWIST_SIZE * bodyList[k]; i < TWIST_SIZE * (bodyList[k] + 1); i++) this.moved[i] = velocity[i];
    for (let c = firstContact; c < firstContact + contactCount; c++) {
      contacts.moveArms(system.bodies, c);
      if (contacts.bias[c] < 0) contacts.bias[c] = 0;
    }
    const { newtonIterations, directLimit } = this.options;
    const { moved } = this;
    const isSmall = system.rowCount === 0 && system.size <= directLimit;
    const isUneven = isSmall && system.massRatio > EVEN_MASSES;
    if (!isUneven) this.sweeps.run(system, this.p, h, RELAXING_SWEEPS);
    if (isUneven || (isSmall && hasGained(system, moved))) {
      const most = newtonIterations * DIRECT_FACTOR;
      this.iterate(system, h, joints, this.methods.direct, most, true, false, undefined);
      if (project(system, this.p)) system.setVelocity(this.p);
    }
    if (system.rowCount === 0) boundRelaxed(system, moved);
    this.store(system);
  }

  /** Sets biases of contacts, gap / h: overlaps go at the recovery speed at most, slowly if sweeps remove them. */
  private setBias(system: IslandSystem, h: number, isDirect: boolean): void {
    const { contacts, firstContact, contactCount } = system;
    const share = isDirect || !this.options.safeguard ? 1 : SLOW_RECOVERY;
    const most = recoverySpeed(this.options, system.pace);
    for (let c = firstContact; c < firstContact + contactCount; c++) {
      const gap = contacts.gap[c];
      contacts.bias[c] = gap >= 0 ? gap / h : Math.max((share * gap) / h, -most);
    }
  }

  private iterate(
    system: IslandSystem,
    h: number,
    joints: RowEvaluator,
    method: LinearSolver,
    iterations: number,
    isDirect: boolean,
    mayGiveUp: boolean,
    report: NewtonReport | undefined,
  ): void {
    const { options, linearisation, p, step } = this;
    const { size, pace } = system;
    const { safeguard } = options;
    const isLarge = !system.isSmall(options.directLimit);
    const isChosen = isLarge && method === this.methods.sparse && options.linearMethod !== "sparse";
    const least = isChosen ? SPARSE_TOLERANCE : isDirect ? 0 : options.iterativeTolerance;
    const tolerance = pace * Math.max(options.tolerance, least);
    const fullStep = isDirect ? 1 : options.damping;
    // Compliance ε lets a stack yield in proportion to its load; ε is reduced if the load is much heavier than the
    // bodies below.
    linearisation.epsilon = options.regularization * Math.min(1, EVEN / system.massRatio);
    let sweeps = isDirect ? FEWEST_SWEEPS : options.sweeps;
    this.start(system, h);
    if (linearisation.worst <= tolerance && system.rowCount > 0) this.evaluate(system, h, joints, undefined);
    if (report) this.note(system, h, report);
    if (!isDirect && safeguard && linearisation.worst > LIVELY * pace) {
      // Much has changed since the last step. Inexact Newton steps would find the changes one by one; sweeps resolve
      // most of them.
      this.place(system, h, joints);
      this.sweeps.run(system, p, h, sweeps);
      if (report) this.evaluate(system, h, joints, report);
      return;
    }
    const isMoving = this.isMoving(system);
    const isDear = isLarge && system.rowCount > 0 && system.contactCount > 0;
    const enough = pace * (isMoving || isDear ? MOVING_TOLERANCE : GUARDED_TOLERANCE);
    // The impulses of a step that changed a motion would change it again. An error that is left then stays, and grows.
    const isStack = safeguard && !isLarge && isDirect && system.rowCount === 0;
    first[0] = tolerance;
    if (isStack) settle(system, linearisation, isMoving);
    let guards = 0;
    let lowest = Infinity;
    let failures = 0;
    for (let k = 0; k < iterations && linearisation.worst > (k === 0 ? first[0] : tolerance); k++) {
      const { merit } = linearisation;
      const isSolved = linearisation.worst <= tolerance;
      this.direction(system, method, report);
      for (let i = 0; i < size; i++) this.kept[i] = p[i];
      for (let i = 0; i < size; i++) p[i] += fullStep * step[i];
      this.place(system, h, joints);
      linearisation.evaluate(system, p, h, options);
      if (report) {
        this.note(system, h, report);
        report.steps.push(this.stepSize(system));
      }
      if (!safeguard || linearisation.merit < PROGRESS * merit) continue;
      if (isSolved) {
        for (let i = 0; i < size; i++) p[i] = this.kept[i];
        this.evaluate(system, h, joints, undefined);
        return;
      }
      if (mayGiveUp && ++failures > MOST_FAILURES) return;
      // Slightly contradictory rows, like those of four driven wheels, lead to huge impulses: take shorter steps next
      // time.
      linearisation.epsilon = Math.min(MOST_EPSILON, 100 * linearisation.epsilon);
      if (linearisation.merit >= merit) for (let i = 0; i < size; i++) p[i] = this.kept[i];
      this.place(system, h, joints);
      this.sweeps.run(system, p, h, sweeps);
      if (!isDirect && !report) return;
      this.evaluate(system, h, joints, report);
      if (!isDirect || linearisation.worst <= enough) return;
      // A residual that neither Newton nor sweeps lower, nor more sweeps would, comes from redundant joints or contacts.
      const stalled = 1 - ((1 - PROGRESS) * sweeps) / MOST_SWEEPS;
      if (linearisation.worst <= SOLVED * pace && linearisation.merit > stalled * lowest) break;
      sweeps = Math.min(MOST_SWEEPS, 2 * sweeps);
      if (linearisation.merit < lowest) {
        lowest = linearisation.merit;
        for (let i = 0; i < size; i++) this.best[i] = p[i];
      }
      if (++guards === (isDear ? FEW_GUARDS : isMoving ? MOST_GUARDS : Infinity)) break;
    }
    if (lowest < Infinity && linearisation.merit > lowest) {
      // Sweeps may have moved past the best iterate.
      for (let i = 0; i < size; i++) p[i] = this.best[i];
      this.evaluate(system, h, joints, undefined);
    }
    if (!isStack || size > MOST_CONES || system.massRatio < SQUEEZED || linearisation.worst <= SOLVED * pace) return;
    const { merit } = linearisation;
    for (let i = 0; i < size; i++) this.best[i] = p[i];
    this.cones.solve(system, p);
    this.evaluate(system, h, joints, undefined);
    if (linearisation.merit < merit) {
      if (report) this.note(system, h, report);
      return;
    }
    for (let i = 0; i < size; i++) p[i] = this.best[i];
    this.evaluate(system, h, joints, undefined);
  }

  /** Whether a body of an island moves: errors of a step then disappear in the next. */
  private isMoving({ firstBody, bodyCount, bodyList, bodies }: IslandSystem): boolean {
    const { velocity } = bodies.state;
    const { grain, pace } = bodies.model;
    for (let k = firstBody; k < firstBody + bodyCount; k++) {
      const slot = bodyList[k];
      for (let i = 0; i < TWIST_SIZE; i++) {
        const limit = MOVING * (i < 3 ? pace[slot] : pace[slot] / grain[slot]);
        if (Math.abs(velocity[TWIST_SIZE * slot + i]) > limit) return true;
      }
    }
    return false;
  }

  /**
   * Evaluates the first residual. Joints are linearized at the start of the step, C(q⁻) + h J u, which is equivalent to
   * the start from zero velocity (67). Evaluated at the end of the free motion, a rotation held by a joint might end
   * whole turns away.
   */
  private start(system: IslandSystem, h: number): void {
    const { rows, firstRow, rowCount } = system;
    system.setVelocity(this.p);
    for (let r = firstRow; r < firstRow + rowCount; r++)
      rows.value[r] += h * rowSpeed(rows, r, system.bodies.scratch.velocity);
    this.linearisation.evaluate(system, this.p, h, this.options);
  }

  private evaluate(system: IslandSystem, h: number, joints: RowEvaluator, report: NewtonReport | undefined): void {
    this.place(system, h, joints);
    this.linearisation.evaluate(system, this.p, h, this.options);
    if (report) this.note(system, h, report);
  }

  private note(system: IslandSystem, h: number, report: NewtonReport): void {
    const { linearisation, p } = this;
    report.residuals.push(linearisation.merit);
    report.errors.push(complementarityError(system, linearisation.speed, p, h));
  }

  private stepSize(system: IslandSystem): number {
    let largest = 0;
    for (let i = 0; i < system.size; i++)
      largest = Math.max(largest, system.mobility(i) * Math.abs(this.p[i] - this.kept[i]));
    return largest;
  }

  /** Computes Δp: inactive impulses move by their known step, and active ones solve the linear problem with it. */
  private direction(system: IslandSystem, method: LinearSolver, report: NewtonReport | undefined): void {
    const { linearisation, step, product, options } = this;
    const { rightSide, forced } = linearisation;
    if (linearisation.isForced) {
      system.respond(forced);
      system.measure(system.bodies.scratch.response, product);
      for (let i = 0; i < system.size; i++) rightSide[i] -= system.active[i] * product[i];
    }
    let residuals: number[] | undefined;
    if (report) report.linear.push((residuals = []));
    const { linearIterations, linearTolerance } = options;
    const done = method.solve(system, rightSide, step, linearIterations, linearTolerance, residuals);
    if (done === 0 && system.size <= options.directLimit)
      this.methods.direct.solve(system, rightSide, step, linearIterations, linearTolerance);
    for (let i = 0; i < system.size; i++) if (system.active[i] === 0) step[i] = forced[i];
  }

  /** Computes u from p by (46), and C of joints at the resulting pose. */
  private place(system: IslandSystem, h: number, joints: RowEvaluator): void {
    system.setVelocity(this.p);
    if (system.rowCount === 0) return;
    const end = system.firstBody + system.bodyCount;
    for (let k = system.firstBody; k < end; k++) advance(system.bodies, system.bodyList[k], h);
    joints.values(system);
  }

  private load(system: IslandSystem, always = false): void {
    const { contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
    const { p } = this;
    if (!always && !this.options.warmStart) {
      p.fill(0, 0, system.size);
      return;
    }
    for (let i = 0; i < 3 * contactCount; i++) p[i] = contacts.impulse[3 * firstContact + i];
    for (let r = 0; r < rowCount; r++) p[3 * contactCount + r] = rows.impulse[firstRow + r];
  }

  private store(system: IslandSystem): void {
    const { contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
    const { p } = this;
    for (let i = 0; i < 3 * contactCount; i++) contacts.impulse[3 * firstContact + i] = p[i];
    for (let r = 0; r < rowCount; r++) rows.impulse[firstRow + r] = p[3 * contactCount + r];
  }

  private reserve(size: number): void {
    if (this.p.length >= size) return;
    this.p = new Float64Array(2 * size);
    this.step = new Float64Array(2 * size);
    this.product = new Float64Array(2 * size);
    this.kept = new Float64Array(2 * size);
    this.best = new Float64Array(2 * size);
  }
}

/**
 * Whether sparse factors in the unknowns of the bodies suit a small island: they cost far less in a tower of many contacts,
 * but are less accurate, and redundant joints and masses that differ much need all digits.
 */
function isAmongBodies({ size, rowCount, massRatio }: IslandSystem): boolean {
  return rowCount === 0 && size > FEW_UNKNOWNS && massRatio <= EVEN_MASSES;
}

/** Largest residual with which the impulses of an island need not change [m/s]. */
const first = new Float64Array(1);

/** Notes whether these impulses have to change in this step. `first` is the tolerance, and becomes a part of it if they did in the last step. */
function settle(system: IslandSystem, { worst }: Linearisation, isMoving: boolean): void {
  const { bodyList, firstBody, bodyCount, bodies } = system;
  const { retry } = bodies.state;
  let wasSettling = false;
  for (let k = firstBody; k < firstBody + bodyCount; k++)
    if (!isMoving && (retry[bodyList[k]] & SETTLING) !== 0) wasSettling = true;
  if (wasSettling) first[0] *= SETTLED;
  for (let k = firstBody; k < firstBody + bodyCount; k++)
    retry[bodyList[k]] = (retry[bodyList[k]] & ~SETTLING) | (worst > first[0] ? SETTLING : 0);
}
