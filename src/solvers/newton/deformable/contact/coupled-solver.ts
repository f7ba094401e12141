/**
 * Newton's iteration (Algorithm 1) on an island of deformable and rigid bodies and links of mechanisms: one system for elements, contacts,
 * friction and joints.
 *
 * Each iteration linearizes (53) at the current iterate. Rows of elements have an invertible N, so they are eliminated
 * by their own block as in (64), A = M̃ + h² Jᵀ N J with the geometric stiffness. Contacts and joints, which are hard,
 * are eliminated by the mass block as in (59), with A⁻¹ instead of H⁻¹. The complementarity problem of
 * contact-problem.ts remains. Every iteration solves it completely, not by one step of its active set: factors of A
 * cost far more than that, and the iteration is then that of Josephy and Newton, which converges quadratically in the
 * end.
 */

import { advance } from "../../motion/kinematic-motion";
import { TWIST_SIZE } from "../../motion/bodies";
import type { IslandSystem } from "../../island/island-system";
import type { NewtonReport, RowEvaluator } from "../../island/newton-solver";
import type { Linkage } from "../../linkage/linkage";
import { LinkageRows } from "../../linkage/linkage-rows";
import { type NewtonOptions, restitutionThreshold } from "../../options";
import { Anchors, RIGID_GIVE } from "./anchors";
import { type ContactProblem, IDLE } from "../problem/contact-problem";
import { CoupledRows } from "./coupled-rows";
import { DenseProblem } from "../problem/dense-problem";
import type { FemBody } from "../fem-body";
import { CONTACT_VERTICES, threeOf } from "../../../../collision/soft/contact-table";
import type { SoftContacts, SoftTie } from "./soft-contacts";
import { isPlanned, noteTie, tieError } from "./soft-tie";
import { SparseProblem } from "../problem/sparse-problem";

/** Iterations of the contact problem in one Newton iteration. */
const INNER = 30;
/** Part of an overlap that a step removes, and the largest speed of the removal [m/s], times the grain of bodies. */
const RECOVERY = 0.25;
export const RECOVERY_SPEED = 0.5;
/**
 * Compliance of contacts of deformable bodies, as a part of the surface's own compliance, the diagonal of W. Faces and
 * particles of a soft surface push a rigid one in more directions than it can move: without this compliance their
 * impulses are not unique, and the search for the active ones fails. Friction yields only in proportion to the change
 * of its impulse over the step, so that held bodies do not creep.
 */
const NORMAL_GIVE = 1e-3;
const FRICTION_GIVE = 1e-2;
/** Speed at which contacts of rigid bodies in large islands may yield at the end [m/s], times the grain of bodies. */
const YIELD_SPEED = 1e-4;

/**
 * Rows of joints from which an island with links of mechanisms is solved as a large one. A chain of light bodies in a moving hand took
 * dense factors eight times as long, or was left unsolved: each contact then changes the velocity of all bodies of the chain.
 */
const JOINTED = 24;

/** Effort for the contact problem of large islands. */
const LARGE = { lookBack: 4, rescues: 8, sweeps: 8 } as const;

/** Bodies and contacts that are solved together. */
export interface CoupledGroup {
  /** numbers of the deformable bodies */
  readonly softs: readonly number[];
  /** places in the list of contacts */
  readonly contacts: readonly number[];
  /** rigid part: its contacts, joints and bodies; undefined if the deformable bodies touch no moving one */
  readonly system: IslandSystem | undefined;
  /** mechanisms whose links are part of the group */
  readonly linkages: readonly Linkage[];
}

export class CoupledSolver {
  readonly rows = new CoupledRows(this.system.bodies);
  private readonly links = new LinkageRows();
  private readonly dense = new DenseProblem();
  private readonly sparse = new SparseProblem();
  private readonly anchors = new Anchors();
  /** the problem of the current island, one of the two */
  private problem: ContactProblem = this.dense;
  private isLarge = false;
  /** L⁻¹ Jᵀ of rows of deformable bodies, and the start of each */
  private columns = new Float64Array(0);
  /** length of the step [s] */
  private h = 0;
  private columnAt = new Int32Array(0);
  private columnStart = new Int32Array(0);

  constructor(
    private readonly system: IslandSystem,
    private readonly softBodies: readonly FemBody[],
    private readonly contacts: SoftContacts,
    private readonly options: NewtonOptions,
  ) {}

  /**
   * Solves from predicted velocities to those of the end of the step; impulses are written to contacts and rows.
   *
   * @returns impulses on each of the linkages
   */
  solve(group: CoupledGroup, h: number, joints: RowEvaluator, report?: NewtonReport): readonly Float64Array[] {
    const { options } = this;
    this.h = h;
    this.collect(group);
    const { problem } = this;
    this.loadImpulses(group);
    if (report) report.size = problem.size + group.softs.reduce((sum, s) => sum + 3 * this.softBodies[s].count, 0);
    let last = 0;
    const grain = this.grainOf(group);
    const enough = grain * options.iterativeTolerance;
    const effort = this.isLarge ? { ...LARGE, enough } : undefined;
    for (let k = 0; k < options.newtonIterations; k++) {
      for (const s of group.softs) {
        const soft = this.softBodies[s];
        soft.balance(h);
        if (k > 0 && options.geometricStiffness === "diagonal") soft.updateShift();
      }
      report?.residuals.push(this.residual(group));
      for (const s of group.softs) {
        this.softBodies[s].factor(h, options.geometricStiffness);
        this.softBodies[s].linearise();
      }
      this.anchors.clear();
      if (problem.size > 0) {
        this.assemble();
        this.writeBias(group, h, k === 0);
        this.sparse.factors = this.sparse.products = 0;
        problem.solve(INNER, grain * options.tolerance, options.regularization, effort);
        if (report) {
          report.factors += this.sparse.factors;
          report.products += this.sparse.products;
        }
      }
      const change = this.update(group, h, joints);
      if (this.anchors.yielded(problem) > YIELD_SPEED * grain) {
        last = change;
        continue;
      }
      // Without elements and joints the problem is linear.
      if (group.softs.length === 0 && problem.rowCount === this.links.count) break;
      // The next change will be smaller than this one reduced by the same factor again, unless the last one was not taken.
      if (change <= enough || change * change <= enough * last) break;
      last = group.softs.some((s) => this.softBodies[s].isShortened) ? 0 : change;
    }
    if (report) {
      for (const s of group.softs) this.softBodies[s].balance(h);
      report.residuals.push(this.residual(group));
    }
    this.keep(group);
    // Linkages find their friction themselves.
    return this.links.impulses(problem.p, problem.size - this.links.frictions.length);
  }

  /** Unit of the thresholds of a group, see scale.ts. */
  private grainOf({ softs, system }: CoupledGroup): number {
    return softs.length > 0 ? this.softBodies[softs[0]].grain : system!.grain;
  }

  /** Collects rows in order: contacts of rigid bodies, contacts of deformable ones, joints, coordinates of linkages. */
  private collect({ contacts, softs, system, linkages }: CoupledGroup): void {
    const { rows, options } = this;
    rows.clear();
    if (system)
      for (let c = system.firstContact; c < system.firstContact + system.contactCount; c++)
        rows.addContact(system.contacts, c);
    for (const c of contacts) rows.addSoft(this.contacts, c);
    const contactCount = rows.count / 3;
    if (system) for (let r = system.firstRow; r < system.firstRow + system.rowCount; r++) rows.addJoint(system.rows, r);
    this.links.addCoordinates(rows, linkages);
    this.links.write(rows);
    const isJointed = linkages.length > 0 && (system?.rowCount ?? 0) >= JOINTED;
    this.isLarge = isJointed || rows.count > options.directLimit;
    const isDense = options.linearMethod === "direct" || !this.isLarge;
    this.problem = isDense ? this.dense : this.sparse;
    this.problem.resize(contactCount, rows.count - 3 * contactCount);
    contacts.forEach((c, k) => {
      if (this.contacts.ties[c]) this.problem.bilateral[contactCount - contacts.length + k] = 1;
    });
    for (const s of softs) this.softBodies[s].copy = undefined;
    if (isDense) return;
    const island = { system, rows, contacts: this.contacts, links: this.links, bodies: this.system.bodies };
    const bodies = softs.map((s) => this.softBodies[s]);
    this.sparse.setRows({ ...island, softs: bodies, softOf: (body) => softs.indexOf(body) });
  }

  private loadImpulses({ system, contacts }: CoupledGroup): void {
    const { problem } = this;
    let i = 0;
    if (system)
      for (; i < 3 * system.contactCount; i++) problem.p[i] = system.contacts.impulse[3 * system.firstContact + i];
    for (const c of contacts) for (let d = 0; d < 3; d++) problem.p[i++] = this.contacts.impulse[3 * c + d];
    if (!system) return;
    const joints = 3 * problem.contactCount;
    for (let k = 0; k < system.rowCount; k++) problem.p[joints + k] = system.rows.impulse[system.firstRow + k];
    problem.p.fill(0, joints + system.rowCount, problem.size);
  }

  /** Assembles W: the part of rigid bodies by their mass, and that of deformable ones by the factors of A. */
  private assemble(): void {
    const { rows, dense, links } = this;
    if (this.problem === this.sparse) {
      this.sparse.update((i, mobility) => {
        const tie = this.tieOf(i);
        return tie ? tie.compliance / (this.h * this.h) : this.giveOf(i) * mobility;
      });
      return;
    }
    const { size, matrix } = dense;
    this.writeColumns();
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) {
        const value = rows.couple(i, j) + this.coupleSoft(i, j) + links.couple(i, j);
        matrix[i * size + j] = value;
        matrix[j * size + i] = value;
      }
    for (let i = 0; i < size; i++) {
      const tie = this.tieOf(i);
      if (tie) matrix[i * size + i] += tie.compliance / (this.h * this.h);
      else matrix[i * size + i] *= 1 + this.giveOf(i);
    }
    if (links.list.length > 0) this.blockIdle();
  }

  /** Gives a mobility to directions along which no mechanism moves: zero impulses there, and a regular matrix. */
  private blockIdle(): void {
    const { matrix, size, contactCount } = this.dense;
    for (let i = 0; i < 3 * contactCount; i += 3) {
      const most = Math.max(matrix[i * (size + 1)], matrix[(i + 1) * (size + 1)], matrix[(i + 2) * (size + 1)]);
      for (let k = i; k < i + 3; k++) if (matrix[k * (size + 1)] < IDLE * most) matrix[k * (size + 1)] = most;
    }
  }

  /** Compliance of a row itself, as a part of its mobility. */
  private giveOf(i: number): number {
    const soft = this.rows.soft[i];
    if (soft < 0) return this.isLarge && i < 3 * this.problem.contactCount ? RIGID_GIVE : 0;
    return soft % 3 === 0 ? NORMAL_GIVE : FRICTION_GIVE;
  }

  /** The attachment of a row. */
  private tieOf(i: number): SoftTie | undefined {
    const soft = this.rows.soft[i];
    return soft < 0 ? undefined : this.contacts.ties[Math.floor(soft / 3)];
  }

  private writeColumns(): void {
    const { rows, contacts, softBodies } = this;
    if (this.columnAt.length < rows.count) {
      this.columnAt = new Int32Array(2 * rows.count);
      this.columnStart = new Int32Array(2 * rows.count);
    }
    let length = 0;
    for (let r = 0; r < rows.count; r++) {
      this.columnAt[r] = length;
      if (rows.soft[r] >= 0) length += 3 * softBodies[contacts.bodyOf(Math.floor(rows.soft[r] / 3))].count;
    }
    if (this.columns.length < length) this.columns = new Float64Array(Math.ceil(1.5 * length));
    const { columns } = this;
    for (let r = 0; r < rows.count; r++) {
      if (rows.soft[r] < 0) continue;
      const c = Math.floor(rows.soft[r] / 3);
      const soft = softBodies[contacts.bodyOf(c)];
      const at = this.columnAt[r];
      columns.fill(0, at, at + 3 * soft.count);
      const direction = 9 * c + 3 * (rows.soft[r] % 3);
      const { place } = soft.matrix.pattern;
      let start = soft.count;
      for (let k = 0; k < 3; k++) {
        const node = contacts.vertex[CONTACT_VERTICES * c + k];
        const weight = contacts.weight[CONTACT_VERTICES * c + k];
        if (weight === 0 || soft.fixed[node] === 1) continue;
        start = Math.min(start, place[node]);
        for (let d = 0; d < 3; d++) columns[at + 3 * place[node] + d] += weight * contacts.frame[direction + d];
      }
      this.columnStart[r] = 3 * start;
      soft.matrix.forward(columns, at, 3 * start);
    }
  }

  private coupleSoft(i: number, j: number): number {
    const { rows, contacts, columns, columnAt, columnStart } = this;
    if (rows.soft[i] < 0 || rows.soft[j] < 0) return 0;
    const body = contacts.bodyOf(Math.floor(rows.soft[i] / 3));
    if (body !== contacts.bodyOf(Math.floor(rows.soft[j] / 3))) return 0;
    const size = 3 * this.softBodies[body].count;
    const [a, b] = [columnAt[i], columnAt[j]];
    let sum = 0;
    for (let k = Math.max(columnStart[i], columnStart[j]); k < size; k++) sum += columns[a + k] * columns[b + k];
    return sum;
  }

  /** Writes velocities of the rows at p = 0, with gaps and targets. */
  private writeBias(group: CoupledGroup, h: number, isFirst: boolean): void {
    const { rows, problem } = this;
    const { bias } = problem;
    const { freeVelocity, velocity } = this.system.bodies.scratch;
    for (let r = 0; r < rows.count; r++)
      bias[r] = rows.rigidSpeed(r, freeVelocity) + (rows.soft[r] >= 0 ? this.softSpeed(rows.soft[r], true) : 0);
    let c = 0;
    const { system } = group;
    const most = RECOVERY_SPEED * this.grainOf(group);
    if (system)
      for (; c < system.contactCount; c++) {
        const place = system.firstContact + c;
        const { gap, friction } = system.contacts;
        bias[3 * c] += this.rebound(group, place, bias[3 * c], h) ?? gapSpeed(gap[place], h, most);
        problem.friction[c] = friction[place];
        if (this.isLarge) for (let d = 0; d < 3; d++) this.anchors.hold(problem, 3 * c + d);
      }
    for (const place of group.contacts) {
      if (this.contacts.ties[place]) {
        this.writeTie(place, 3 * c++, h, isFirst);
        continue;
      }
      bias[3 * c] += gapSpeed(this.contacts.gap[place], h, most);
      const { frame } = this.contacts;
      const [x, y, z] = threeOf(this.contacts.speed, 3 * place);
      for (let d = 0, at = 9 * place; d < 3; d++, at += 3)
        bias[3 * c + d] -= x * frame[at] + y * frame[at + 1] + z * frame[at + 2];
      // The normal yields by the change from the last iterate only. By the impulse itself a body that is stopped in a step would end
      // in the obstacle by a part of its way, since all its contacts together have a smaller W than one of them.
      bias[3 * c] -= (NORMAL_GIVE / (1 + NORMAL_GIVE)) * problem.diagonal(3 * c) * problem.p[3 * c];
      for (let d = 1; d < 3; d++) {
        const i = 3 * c + d;
        const give = (FRICTION_GIVE / (1 + FRICTION_GIVE)) * problem.diagonal(i);
        bias[i] -= give * this.contacts.anchor[2 * place + d - 1];
      }
      problem.friction[c++] = this.contacts.friction[place];
    }
    if (!system) return;
    this.writeCoordinates(3 * problem.contactCount + system.rowCount, h, most);
    const { rows: joints } = system;
    for (let k = 0; k < system.rowCount; k++) {
      const r = system.firstRow + k;
      const i = 3 * problem.contactCount + k;
      const share = joints.share[r];
      // C(q⁺)/h about the iterate; in the first iteration, about the start of the step, with zero velocity
      const away = isFirst ? 0 : rows.rigidSpeed(i, velocity);
      bias[i] += share * (joints.value[r] / h - away) - joints.target[r];
      problem.compliance[k] = joints.compliance[r];
      problem.lower[k] = joints.lower[r];
      problem.upper[k] = joints.upper[r];
    }
  }

  /** Bias of an attachment, see soft-tie.ts. */
  private writeTie(place: number, first: number, h: number, isFirst: boolean): void {
    const { contacts, rows, problem } = this;
    const { bodies } = this.system;
    const atStart = isFirst || isPlanned(bodies, contacts.rigid[place]);
    tieError(bodies, this.softBodies[contacts.bodyOf(place)], contacts, place, h, atStart, error);
    for (let r = first, at = 9 * place; r < first + 3; r++, at += 3) {
      const g = contacts.frame;
      const speed = atStart ? 0 : rows.rigidSpeed(r, bodies.scratch.velocity) + this.softSpeed(rows.soft[r], false);
      problem.bias[r] += (error[0] * g[at] + error[1] * g[at + 1] + error[2] * g[at + 2]) / h - speed;
    }
  }

  /**
   * With linkages, which reflections do not cover, restitution is Newton's: e times the closing speed of a contact in
   * the step.
   *
   * @returns undefined if the contact does not bounce
   */
  private rebound({ linkages, system }: CoupledGroup, place: number, speed: number, h: number): number | undefined {
    const { restitution, gap } = system!.contacts;
    if (linkages.length === 0 || restitution[place] === 0 || gap[place] + h * speed > 0) return undefined;
    return speed < -restitutionThreshold(this.options, system!.pace) ? restitution[place] * speed : undefined;
  }

  /** Writes limits and dry friction of linkages, from row `first` on. */
  private writeCoordinates(first: number, h: number, most: number): void {
    const { problem, links } = this;
    links.bounds().forEach(({ rate, gap, give, lower, upper }, n) => {
      const k = first - 3 * problem.contactCount + n;
      problem.bias[first + n] = rate + gapSpeed(gap, h, most);
      problem.compliance[k] = give * problem.diagonal(first + n);
      problem.lower[k] = lower;
      problem.upper[k] = upper;
    });
  }

  /** Velocity of a contact's point along one of its directions: of û, or of the iterate. */
  private softSpeed(soft: number, linear: boolean): number {
    const { contacts } = this;
    const c = Math.floor(soft / 3);
    const body = this.softBodies[contacts.bodyOf(c)];
    const u = linear ? body.linear : body.velocity;
    const at = 9 * c + 3 * (soft % 3);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const p = 3 * contacts.vertex[CONTACT_VERTICES * c + k];
      const weight = contacts.weight[CONTACT_VERTICES * c + k];
      for (let d = 0; d < 3; d++) sum += weight * contacts.frame[at + d] * u[p + d];
    }
    return sum;
  }

  /** Computes u of all bodies from p; returns the largest change of a velocity [m/s]. */
  private update(group: CoupledGroup, h: number, joints: RowEvaluator): number {
    const { rows, problem, contacts } = this;
    const { p } = problem;
    for (const s of group.softs) this.softBodies[s].push.fill(0);
    for (let r = 0; r < rows.count; r++) {
      if (rows.soft[r] < 0 || p[r] === 0) continue;
      const c = Math.floor(rows.soft[r] / 3);
      const { push } = this.softBodies[contacts.bodyOf(c)];
      const at = 9 * c + 3 * (rows.soft[r] % 3);
      for (let k = 0; k < 3; k++) {
        const node = 3 * contacts.vertex[CONTACT_VERTICES * c + k];
        const weight = contacts.weight[CONTACT_VERTICES * c + k] * p[r];
        for (let d = 0; d < 3; d++) push[node + d] += weight * contacts.frame[at + d];
      }
    }
    let change = 0;
    for (const s of group.softs) change = Math.max(change, this.softBodies[s].advance(h, this.options.safeguard));
    const { system } = group;
    if (!system) return change;
    return Math.max(change, this.updateRigid(system, h, joints));
  }

  private updateRigid(system: IslandSystem, h: number, joints: RowEvaluator): number {
    const { rows, problem } = this;
    const { bodies } = system;
    const { velocity, freeVelocity, response } = bodies.scratch;
    let change = 0;
    const end = system.firstBody + system.bodyCount;
    for (let k = system.firstBody; k < end; k++) {
      const at = TWIST_SIZE * system.bodyList[k];
      for (let i = at; i < at + TWIST_SIZE; i++) {
        response[i] = velocity[i];
        velocity[i] = freeVelocity[i];
      }
    }
    // Rows also refer to immovable bodies, whose response is zero.
    for (let r = 0; r < rows.count; r++) rows.push(r, problem.p[r], velocity);
    this.updateLinks(velocity);
    for (let k = system.firstBody; k < end; k++) {
      const slot = system.bodyList[k];
      const at = TWIST_SIZE * slot;
      for (let i = at; i < at + 3; i++) change = Math.max(change, Math.abs(velocity[i] - response[i]));
      advance(bodies, slot, h);
    }
    if (system.rowCount > 0) joints.values(system);
    return change;
  }

  /** Updates twists of links by all impulses on their linkages. */
  private updateLinks(velocity: Float64Array): void {
    const { links, problem } = this;
    if (links.list.length === 0) return;
    links.impulses(problem.p, problem.size).forEach((rates, i) => {
      const linkage = links.list[i];
      linkage.respond(rates);
      linkage.slots.forEach((slot, k) => linkage.addTwist(k, rates, velocity, TWIST_SIZE * slot));
    });
  }

  /** ‖residual‖ [m/s]: momentum balance of deformable bodies, by mass, and that of the contact problem. */
  private residual(group: CoupledGroup): number {
    let sum = this.problem.size > 0 ? this.problem.merit * this.problem.merit : 0;
    let mass = 0;
    let squared = 0;
    for (const s of group.softs) {
      const soft = this.softBodies[s];
      const { masses } = soft.model;
      for (let p = 0, i = 0; p < soft.count; p++) {
        mass += masses[p];
        for (let k = 0; k < 3; k++, i++) {
          if (soft.fixed[p] === 1) continue;
          const g = soft.imbalance[i] - soft.push[i];
          squared += (g * g) / masses[p];
        }
      }
    }
    if (mass > 0) sum += squared / mass;
    return Math.sqrt(sum);
  }

  /** Writes impulses back to the sources of the rows. */
  private keep(group: CoupledGroup): void {
    const { p, contactCount } = this.problem;
    const { system } = group;
    let i = 0;
    if (system) for (; i < 3 * system.contactCount; i++) system.contacts.impulse[3 * system.firstContact + i] = p[i];
    for (const c of group.contacts) {
      for (let d = 0; d < 3; d++) this.contacts.impulse[3 * c + d] = p[i++];
      noteTie(this.contacts, c);
    }
    if (system)
      for (let k = 0; k < system.rowCount; k++) system.rows.impulse[system.firstRow + k] = p[3 * contactCount + k];
  }
}

const error = new Float64Array(3);

/** Bias of a gap: the speed at which it may close, or has to open, by at most `most` [m/s]. */
function gapSpeed(gap: number, h: number, most: number): number {
  return gap >= 0 ? gap / h : Math.max((RECOVERY * gap) / h, -most);
}
