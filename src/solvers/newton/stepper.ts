/** A time step of rigid bodies: free motion, contacts and joints gathered by island, impacts, Newton, poses. */

import type { ContactBuffer } from "../../collision/narrow/contact-buffer";
import { type BodyTable, Motion, POSE_SIZE, SETTLING, TWIST_SIZE } from "./motion/bodies";
import { addSoftWrenches, contactWrenches } from "./contact/contact-wrench";
import { ContactRows } from "./contact/contacts";
import { DeformableCoupling } from "./deformable/contact/coupling";
import type { RigidDynamics, Stepper } from "./dynamics";
import { boundContactEnergy, boundContactMotion } from "./motion/energy-bound";
import { ballisticShift, keepVelocity, limitTravel, predict } from "./motion/free-motion";
import { Gathering } from "./contact/gathering";
import { ImpactSolver } from "./contact/impact";
import { ImpulseCache } from "./contact/impulse-cache";
import { IslandSystem } from "./island/island-system";
import { Islands } from "./island/islands";
import { goBack, JointedSteps } from "./jointed-steps";
import type { Joint } from "./joints/joint";
import { advance, advanceKinematic } from "./motion/kinematic-motion";
import { type NewtonReport, NewtonSolver, type RowEvaluator } from "./island/newton-solver";
import { type NewtonOptions, restitutionThreshold } from "./options";
import type { PairList } from "./contact/pairs";
import { JointRows } from "./contact/rows";
import { SmallSteps } from "./small-steps";

export class RigidStepper implements Stepper {
  readonly contacts = new ContactRows();
  readonly rows = new JointRows();
  readonly islands = new Islands();
  readonly cache = new ImpulseCache();
  readonly deformables: DeformableCoupling;
  isDoubtful = false;
  private readonly bodies: BodyTable = this.dynamics.bodies;
  private readonly options: NewtonOptions = this.dynamics.options;
  private readonly broken: number[] = this.dynamics.broken;
  private readonly system: IslandSystem;
  private readonly newton = new NewtonSolver(this.dynamics.options);
  private readonly smallSteps = new SmallSteps(this.dynamics.options);
  private readonly jointed: JointedSteps;
  private readonly impacts = new ImpactSolver();
  private readonly gathering: Gathering;
  private readonly evaluator: RowEvaluator;
  /** see `findSlots` */
  private slots = new Int32Array(0);
  private slotCount = 0;
  private isListed = new Uint8Array(0);
  private readonly active: Joint[] = [];
  /** contact wrenches of all bodies in the last step, summed up on request */
  private wrenches = new Float64Array(0);
  private areWrenchesKnown = false;

  constructor(private readonly dynamics: RigidDynamics) {
    const { bodies, options } = dynamics;
    const { contacts, rows, islands, cache } = this;
    this.system = new IslandSystem(bodies, contacts, rows);
    const gathering = (this.gathering = new Gathering(bodies, contacts, rows, islands, cache));
    this.deformables = new DeformableCoupling(this.system, options);
    this.evaluator = {
      values(system) {
        for (let k = 0; k < system.jointCount; k++) gathering.joints[system.firstJoint + k].writeValues(bodies, rows);
      },
    };
    const finish = (part: number): void => this.finishIsland(part, false);
    this.jointed = new JointedSteps(this.system, gathering, this.newton, this.evaluator, finish);
  }

  contactWrench(slot: number, out: Float64Array): void {
    this.addWrenches();
    // A body added after the step has no place there.
    const at = 6 * slot;
    if (at < this.wrenches.length) out.set(this.wrenches.subarray(at, at + 6));
    else out.fill(0);
  }

  private addWrenches(): void {
    if (this.areWrenchesKnown) return;
    const { contacts, bodies, impacts, deformables } = this;
    if (this.wrenches.length < 6 * bodies.count) this.wrenches = new Float64Array(6 * bodies.capacity);
    contactWrenches(contacts, impacts.impulses, this.wrenches);
    if (!deformables.isElsewhere) addSoftWrenches(deformables.contacts, bodies, this.wrenches);
    this.areWrenchesKnown = true;
  }

  renumber(slotOf: Int32Array): void {
    this.addWrenches();
    const old = this.wrenches;
    this.wrenches = new Float64Array(6 * this.bodies.capacity);
    slotOf.forEach((slot, k) => {
      if (slot >= 0) this.wrenches.set(old.subarray(6 * k, 6 * k + 6), 6 * slot);
    });
    this.cache.renumber(slotOf);
    this.contacts.renumber(slotOf);
  }

  step(h: number, gravity: ArrayLike<number>, buffer: ContactBuffer, pairs: PairList, joints: readonly Joint[]): void {
    const { bodies, islands, deformables } = this;
    const { reports } = this.dynamics;
    this.areWrenchesKnown = false;
    this.isDoubtful = false;
    if (reports) reports.length = 0;
    const active = this.findSlots(pairs, joints);
    const { slots, slotCount } = this;
    const { stiffness } = bodies.scratch;
    for (let k = 0; k < slotCount; k++) for (let i = 6 * slots[k]; i < 6 * slots[k] + 6; i++) stiffness[i] = 0;
    for (const joint of active) joint.addStiffness(bodies, h);
    for (let k = 0; k < slotCount; k++) predict(bodies, slots[k], gravity, h);
    deformables.begin(gravity, h);
    this.findIslands(pairs, active);
    this.gathering.gather(buffer, pairs, active, h, this.options.warmStart, this.plan);
    this.impacts.begin(this.contacts.count);
    for (let island = 0; island < islands.count; island++) this.solveIsland(island, h, gravity);
    deformables.solveFree(h, this.evaluator, reports);
    deformables.finishLinkages();
    this.gathering.remember(buffer, pairs, this.impacts.impulses);
    for (let k = 0; k < slotCount; k++)
      if (bodies.model.motion[slots[k]] === Motion.kinematic) advanceKinematic(bodies, slots[k], h);
  }

  /**
   * Lists the bodies of a step in ascending order: those that are awake, and those at rest that they touch or are joined to.
   *
   * @returns joints of which a body is awake
   */
  private findSlots(pairs: PairList, joints: readonly Joint[]): readonly Joint[] {
    const { bodies } = this;
    const { awake, awakeCount, count } = bodies;
    if (this.slots.length < count) {
      this.slots = new Int32Array(bodies.capacity);
      this.isListed = new Uint8Array(bodies.capacity);
    }
    const { slots, isListed, active } = this;
    this.slotCount = 0;
    for (let k = 0; k < awakeCount; k++) this.list(awake[k]);
    let joined = 0;
    for (const joint of joints)
      if (isListed[joint.slotA] === 1 || isListed[joint.slotB] === 1) active[joined++] = joint;
    active.length = joined;
    for (let k = 0; k < pairs.count; k++) {
      this.list(pairs.bodyA[k]);
      this.list(pairs.bodyB[k]);
    }
    for (const { slotA, slotB } of active) {
      this.list(slotA);
      this.list(slotB);
    }
    const found = this.slotCount;
    if (found > awakeCount + FEW) slots.subarray(0, found).sort();
    else
      for (let k = awakeCount; k < found; k++) {
        const slot = slots[k];
        let i = k;
        for (; i > 0 && slots[i - 1] > slot; i--) slots[i] = slots[i - 1];
        slots[i] = slot;
      }
    for (let k = 0; k < found; k++) isListed[slots[k]] = 0;
    return active;
  }

  private list(slot: number): void {
    if (this.isListed[slot] === 1) return;
    this.isListed[slot] = 1;
    this.slots[this.slotCount++] = slot;
  }

  private findIslands(pairs: PairList, joints: readonly Joint[]): void {
    const { islands, bodies } = this;
    islands.reset(bodies, this.slots, this.slotCount);
    for (let k = 0; k < pairs.count; k++)
      if (pairs.end[k] > pairs.first[k] && pairs.isSensor[k] === 0) islands.link(pairs.bodyA[k], pairs.bodyB[k]);
    for (const joint of joints) islands.link(joint.slotA, joint.slotB);
    this.deformables.link(islands);
    islands.close();
    this.deformables.assign(islands, pairs);
  }

  private solveIsland(island: number, h: number, gravity: ArrayLike<number>): void {
    const { system, options } = this;
    const { steps, isSwept } = this.gathering;
    this.select(island);
    if (system.size === 0 && !this.deformables.claims(island)) {
      this.finishIsland(h, false);
      return;
    }
    const count = steps[island];
    const isElastic = !this.deformables.hasLinks(island) && this.impacts.isElastic(system);
    // Small steps do not need `prepare`.
    if (isSwept[island] === 0) system.prepare();
    else if (isElastic) system.respondContacts();
    if (isElastic) this.impacts.solve(system, h, restitutionThreshold(options, system.pace));
    if (isSwept[island] === 1) this.takeSmallSteps(island, count, h);
    else if (system.rowCount > 0 && !this.deformables.claims(island)) this.jointed.solve(island, h, gravity);
    else this.takeStep(island, h);
  }

  closeJoints(moved: ReadonlySet<number>): void {
    const { jointStart } = this.gathering;
    const { count, start, bodyList } = this.islands;
    for (let island = 0; island < count; island++) {
      if (jointStart[island + 1] === jointStart[island]) continue;
      if (!bodyList.subarray(start[island], start[island + 1]).some((slot) => moved.has(slot))) continue;
      this.select(island);
      this.jointed.close(island, 1, 1, true, PUSHED_MOTIONS);
    }
  }

  private select(island: number): void {
    const { system, islands } = this;
    const { contactStart, jointStart, joints } = this.gathering;
    const firstJoint = jointStart[island];
    const jointCount = jointStart[island + 1] - firstJoint;
    const firstRow = jointCount > 0 ? joints[firstJoint].firstRow : 0;
    let rowCount = 0;
    for (let k = 0; k < jointCount; k++) rowCount += joints[firstJoint + k].rowCount;
    system.bodyList = islands.bodyList;
    system.firstBody = islands.start[island];
    system.bodyCount = islands.start[island + 1] - system.firstBody;
    system.firstJoint = firstJoint;
    system.jointCount = jointCount;
    system.select(contactStart[island], contactStart[island + 1] - contactStart[island], firstRow, rowCount);
  }

  /** Steps the selected island by Newton's method. */
  private takeStep(island: number, h: number): void {
    const { system, options } = this;
    const isCoupled = this.deformables.claims(island);
    let report: NewtonReport | undefined;
    const { reports } = this.dynamics;
    if (reports)
      reports.push(
        (report = { residuals: [], errors: [], steps: [], linear: [], size: system.size, factors: 0, products: 0 }),
      );
    if (isCoupled) this.deformables.solveIsland(island, h, this.evaluator, report);
    else if (!this.newton.solve(system, h, this.evaluator, system.rowCount === 0 && options.smallSteps > 0, report)) {
      this.takeSmallSteps(island, options.smallSteps, h);
      for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++)
        this.bodies.state.retry[system.bodyList[k]] = RETRY;
      return;
    }
    this.gathering.keepJoints(island, 1);
    this.finishIsland(h, isCoupled);
    if (isCoupled && system.rowCount > 0) this.jointed.close(island, h, h, true);
  }

  /** Sets the number of steps of an island, and whether they are small steps by sweeps. */
  private readonly plan = (island: number, h: number): void => {
    const { options, gathering, system } = this;
    const { jointStart, steps, isSwept } = gathering;
    steps[island] = 1;
    isSwept[island] = 0;
    if (!options.safeguard || isDirect(options) || this.deformables.claims(island)) return;
    if (jointStart[island + 1] > jointStart[island]) {
      steps[island] = this.jointed.count(island, h);
      return;
    }
    this.select(island);
    const { massRatio, bodyCount: count } = system;
    if (system.isSmall(options.directLimit)) return;
    const isSparse =
      (count <= options.sparseLimit && this.isCalm(island)) ||
      (count <= UNEVEN_LIMIT * options.sparseLimit && massRatio > UNEVEN);
    if ((isSparse && !this.isWaiting(island)) || options.smallSteps === 0) return;
    steps[island] = options.smallSteps;
    isSwept[island] = 1;
  };

  /** Whether sparse factors recently failed on an island with a body of this one; counts the waiting steps down. */
  private isWaiting(island: number): boolean {
    const { start, bodyList } = this.islands;
    const { retry } = this.bodies.state;
    let isWaiting = false;
    for (let k = start[island]; k < start[island + 1]; k++) {
      if ((retry[bodyList[k]] & ~SETTLING) === 0) continue;
      retry[bodyList[k]]--;
      isWaiting = true;
    }
    return isWaiting;
  }

  /** Whether no body of an island moves much, so that Newton's method finds forces that hold it. */
  private isCalm(island: number): boolean {
    const { start, bodyList } = this.islands;
    const { velocity: v } = this.bodies.state;
    const { grain, pace } = this.bodies.model;
    for (let k = start[island]; k < start[island + 1]; k++) {
      const slot = bodyList[k];
      const at = TWIST_SIZE * slot;
      const calm = CALM * pace[slot];
      const calmSpin = (CALM_SPIN * pace[slot]) / grain[slot];
      if (v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2] > calm * calm) return false;
      if (v[at + 3] * v[at + 3] + v[at + 4] * v[at + 4] + v[at + 5] * v[at + 5] > calmSpin * calmSpin) return false;
    }
    return true;
  }

  private takeSmallSteps(island: number, count: number, h: number): void {
    this.smallSteps.solve(this.system, h, count, this.evaluator);
    this.gathering.keepJoints(island, count);
    this.keepIsland(h);
  }

  /** Call after small steps: takes over velocities, unless a body broke. */
  private keepIsland(h: number): void {
    const { system, bodies } = this;
    const before = this.broken.length;
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const slot = system.bodyList[k];
      if (this.isFinite(slot)) {
        limitTravel(bodies, slot, h);
        keepVelocity(bodies, slot);
      } else this.stop(slot);
    }
    if (this.broken.length > before) this.forgetIsland();
    else if (system.rowCount === 0) boundContactEnergy(system);
  }

  /**
   * Clears impulses of an island in which a body broke, because the next step cannot start from them. Restores
   * velocities of immovable bodies, which other islands meet as well, since NaN · 0 destroyed them.
   */
  private forgetIsland(): void {
    const { system, contacts, rows, bodies } = this;
    const { state, scratch, model } = bodies;
    for (let i = 0; i < TWIST_SIZE * bodies.count; i++)
      if (model.motion[Math.floor(i / TWIST_SIZE)] !== Motion.dynamic) scratch.velocity[i] = state.velocity[i];
    contacts.impulse.fill(0, 3 * system.firstContact, 3 * (system.firstContact + system.contactCount));
    rows.impulse.fill(0, system.firstRow, system.firstRow + system.rowCount);
    for (let k = 0; k < system.jointCount; k++) this.gathering.joints[system.firstJoint + k].keepImpulses(rows);
  }

  /** Updates poses, then velocities. The removal of overlaps counts only for poses: it would throw bodies apart. */
  private finishIsland(h: number, isCoupled: boolean): void {
    const { system, bodies } = this;
    const { state } = bodies;
    const isFree = !isCoupled && !this.isPushed();
    const before = this.broken.length;
    if (system.rowCount === 0 && !isCoupled && boundContactMotion(system)) this.isDoubtful = true;
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const slot = system.bodyList[k];
      // Rounding would move it.
      if (state.asleep[slot] === 1) continue;
      if (!this.isFinite(slot)) {
        this.stop(slot);
        continue;
      }
      if (isFree) ballisticShift(bodies, slot, h, shift);
      advance(bodies, slot, h);
      if (isFree) for (let i = 0; i < 3; i++) state.pose[POSE_SIZE * slot + i] += shift[i];
      limitTravel(bodies, slot, h);
    }
    if (!isCoupled && this.isOverlapping()) this.newton.relax(system, h, this.evaluator);
    for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++) {
      const slot = system.bodyList[k];
      if (this.broken.includes(slot)) continue;
      if (!this.isFinite(slot)) this.stop(slot);
      else if (keepVelocity(bodies, slot)) this.isDoubtful = true;
    }
    if (this.broken.length > before) this.forgetIsland();
    else if (system.rowCount === 0 && !isCoupled) boundContactEnergy(system);
  }

  private isOverlapping(): boolean {
    const { system, contacts } = this;
    for (let c = system.firstContact; c < system.firstContact + system.contactCount; c++)
      if (contacts.gap[c] < -OVERLAP * system.grain && contacts.impulse[3 * c] > 0) return true;
    return false;
  }

  /** Whether anything acts on the island, so that its body does not fly along a parabola. */
  private isPushed(): boolean {
    const { system, contacts } = this;
    if (system.rowCount > 0 || system.bodyCount > 1) return true;
    for (let c = system.firstContact; c < system.firstContact + system.contactCount; c++)
      if (contacts.impulse[3 * c] > 0) return true;
    return false;
  }

  private isFinite(slot: number): boolean {
    const { velocity } = this.bodies.scratch;
    const { pose } = this.bodies.state;
    let sum = 0;
    for (let i = 0; i < TWIST_SIZE; i++) sum += velocity[TWIST_SIZE * slot + i];
    for (let i = 0; i < POSE_SIZE; i++) sum += pose[POSE_SIZE * slot + i];
    return Number.isFinite(sum);
  }

  /** Stops a body with a non-finite velocity at its pose at the start of the step. */
  private stop(slot: number): void {
    const { state } = this.bodies;
    goBack(this.bodies, slot);
    for (let i = 0; i < TWIST_SIZE; i++) state.velocity[TWIST_SIZE * slot + i] = 0;
    this.broken.push(slot);
  }
}

function isDirect({ linearMethod }: NewtonOptions): boolean {
  return linearMethod === "direct" || linearMethod === "sparse";
}

/** Mass ratio that sweeps cannot handle, and the factor of `sparseLimit` in that case. */
const UNEVEN = 300;
const UNEVEN_LIMIT = 4;
/** Speeds [m/s], [rad/s] below which a large island is at rest, times the pace of a body, or pace over grain. */
const CALM = 0.05;
const CALM_SPIN = 0.2;
/** Number of steps in which an island uses small steps after sparse factors failed, which cost many times as much. */
const RETRY = 30;
/** So many bodies at rest are put in their order one by one, which needs no memory. */
const FEW = 8;
/** Most motions that close the joints of an island after pushes, which may have moved its bodies by more than their size. */
const PUSHED_MOTIONS = 48;
const shift = new Float64Array(3);
/** Overlaps up to this [m], times the island's grain, are rounding: their removal may count as velocity. */
const OVERLAP = 1e-6;
