import { ContactBuffer } from "../../collision/narrow/contact-buffer";
import type { RigidShape } from "../../collision/narrow/shapes/rigid-shape";
import type { ProxyIsland, RigidProxy } from "../../collision/obstacles/rigid-proxy";
import { invalid, PliantError } from "../../errors";
import type { GpuContext } from "../../gpu/device";
import { checkNames } from "../../option-names";
import type { Quat, Vec3 } from "../../math/types";
import { RigidDynamics } from "../../solvers/newton/dynamics";
import type { FemBody } from "../../solvers/newton/deformable/fem-body";
import type { Joint } from "../../solvers/newton/joints/joint";
import { type NewtonOptions, resolveNewtonOptions } from "../../solvers/newton/options";
import { PairList } from "../../solvers/newton/contact/pairs";
import { optionsOfQuality, type RigidQuality } from "../../solvers/newton/quality";
import {
  type ResolvedBodyOptions,
  resolveBodyOptions,
  type RigidBodyChanges,
  type RigidBodyOptions,
} from "./body-options";
import { BodySlots } from "./body-slots";
import { finiteVector, positive } from "./checks";
import type { ContactFinder } from "./contact/contact-finder";
import type { ThinBody } from "./soft/pinched";
import type { TrustedSteps } from "./contact/trusted-steps";
import type { GpuLane } from "./gpu-lane";
import type { SoftLane, SoftOutput } from "./soft/soft-lane";
import { aim, settleTargets } from "./kinematic-targets";
import { LedBodies } from "./contact/led-bodies";
import type { WorldLinkage } from "./linked-bodies";
import { makeBody } from "./mass";
import { RigidBody } from "./rigid-body";
import { type JointOptions, RigidJoint } from "./rigid-joint";
import { type RigidWorldOptions, rigidWorldOptionNames } from "./rigid-world-options";
import type { Swallowed } from "./soft/swallowed";
import { Sleep } from "./sleep";
import { type RigidParts, rigidParts } from "./parts/parts";
import type { SoftBodies } from "./soft/soft-bodies";
import type { rigidSupply } from "./contact/rigid-supply";
import { restoreState, type RigidSnapshot, takeSnapshot } from "./snapshot";

/**
 * Rigid bodies and joints. By default they are stepped on the CPU in f64, and poses are ready when `step` returns. The
 * same bodies with the same ids and calls give the same bits, in whatever order they were created. Alternatively they
 * are stepped on a GPU (gpu-lane.ts): then poses are those of the frame before until `settled` resolves.
 */
export class RigidCore {
  readonly dynamics: RigidDynamics;
  substeps: number;
  readonly joints: RigidJoint[] = [];
  /** @internal */
  readonly sleep: Sleep;
  private softBodies: SoftBodies | undefined;
  private gravityVector: Vec3;
  private qualityName: RigidQuality;
  /** @internal */
  readonly slots: BodySlots;
  /** @internal */
  readonly led: LedBodies;
  /** the energy that rigid bodies may give (`rigidSupply`), from the first local-global body on */
  supplyOf: typeof rigidSupply | undefined;
  /** @internal once there are bodies that move, solids, or bodies of implicit steps on the CPU */
  swallowed: Swallowed | undefined;
  /**
   * @internal mechanisms; rigid bodies and deformable ones of the Newton solver push their links within the same step
   */
  readonly linkages: WorldLinkage[] = [];
  private contactFinder: ContactFinder | undefined;
  private trustedSteps: TrustedSteps | undefined;
  private readonly contactDistance: number | undefined;
  private nextId = 0;
  private readonly heldJoints: Joint[] = [];
  private readonly jointSolvers = new WeakMap<RigidJoint, Joint>();
  private isJointsStale = false;
  /** places of the bodies that were put elsewhere since the last step */
  private readonly put = new Set<number>();
  private disposed = false;
  private gpu: GpuLane | undefined;
  private softContext: GpuContext | undefined;
  private readonly keptOnCpu = new Set<object>();
  private softSolver: SoftLane | undefined;
  private isSoftOnGpu = false;
  private readonly timestamps: boolean;
  /** @internal called after each part of a frame that the CPU takes, with its length [s], while contacts are those of the part */
  onPart: ((part: number) => void) | undefined;
  /** @internal called before a body is put elsewhere */
  onPlace: ((body: RigidBody) => void) | undefined;
  /** whether deformable bodies of other solvers meet rigid bodies in the next steps */
  isMixed = false;
  private isOnGpu = false;

  /** @throws PliantError for options out of range */
  constructor(
    options: RigidWorldOptions = {},
    private readonly parts: RigidParts = rigidParts,
  ) {
    checkNames("RigidWorld", options, rigidWorldOptionNames);
    this.gravityVector = [...finiteVector("RigidWorld.gravity", options.gravity ?? [0, -9.81, 0])];
    this.substeps = options.substeps ?? 1;
    if (!Number.isInteger(this.substeps) || this.substeps < 1)
      throw invalid("RigidWorld.substeps", this.substeps, "must be a whole number above 0");
    const { contactDistance } = options;
    if (contactDistance !== undefined) positive("RigidWorld.contactDistance", contactDistance);
    this.contactDistance = contactDistance;
    this.qualityName = options.quality ?? "balanced";
    const quality = optionsOfQuality("RigidWorld.quality", this.qualityName);
    this.dynamics = new RigidDynamics(resolveNewtonOptions({ ...quality, ...options.solver }));
    this.sleep = new Sleep(this.dynamics, options.sleeping ?? true);
    this.slots = new BodySlots(this.dynamics);
    this.led = new LedBodies(this.slots, this.dynamics);
    this.timestamps = options.timestamps ?? false;
    this.moveTo(options.context, options.softContext);
  }

  /** Whether the solver is loaded, or nothing in the world needs it. Otherwise a step has to wait. */
  get isReady(): boolean {
    if (this.parts.solver.loaded) return true;
    if (this.joints.length > 0 || this.linkages.length > 0) return false;
    return this.bodies.every(({ motion }) => motion !== "dynamic");
  }

  /** Makes the objects that find and solve contacts, once their code is loaded. */
  private equip(): ContactFinder | undefined {
    const { loaded } = this.parts.solver;
    if (!loaded || this.contactFinder) return this.contactFinder;
    const { dynamics, slots, sleep } = this;
    for (const { options, record } of slots.bodies) record.compiled ??= this.make(options).compiled;
    this.measureBodies();
    loaded.watchSwallowed(this);
    dynamics.stepper = new loaded.RigidStepper(dynamics);
    this.contactFinder = new loaded.ContactFinder(slots, dynamics, sleep, this.contactDistance);
    this.contactFinder.isStale = true;
    this.trustedSteps = new loaded.TrustedSteps(slots, dynamics, this.contactFinder);
    return this.contactFinder;
  }

  private make(options: ResolvedBodyOptions, known?: RigidShape): ReturnType<typeof makeBody> {
    return makeBody(options, this.parts.solver.loaded?.compileRigidShape, known);
  }

  /** @internal only after the solver is loaded */
  get finder(): ContactFinder {
    return this.equip()!;
  }

  /** Notes that bodies, filters or joints differ from those in the finder. */
  private changed(): void {
    const finder = this.equip();
    if (finder) finder.isStale = true;
  }

  /** Wakes a body and all bodies near it. */
  private wakeAround(slot: number): void {
    const finder = this.equip();
    if (finder) finder.wakeAround(slot);
    else this.wake(slot);
  }

  /** Loads the solver. */
  async load(): Promise<void> {
    await this.parts.solver.load();
  }

  /** Deformable bodies of the same system, once the solver is loaded; `World.addBody` makes them. */
  get soft(): SoftBodies {
    this.equip();
    this.softBodies ??= new this.parts.solver.loaded!.SoftBodies(this.dynamics, this.slots, this.sleep, this.led);
    return this.softBodies;
  }

  /** @internal see `answeringIslands`; none beside mechanisms, and beside bodies of the Newton solver only where these are attached */
  answeringIslands(
    movers: readonly number[],
    proxyOf: (slot: number) => RigidProxy,
    part: number,
    dt: number,
  ): readonly ProxyIsland[] {
    if (movers.length === 0 || this.linkages.length > 0) return [];
    const { dynamics, softCount } = this;
    const tied = softCount > 0 ? (this.soft.tiedRows?.(this.soft, dynamics.bodies, dt) ?? []) : undefined;
    if (tied?.length === 0) return [];
    return this.parts.solver.loaded?.answeringIslands(dynamics, movers, proxyOf, part, dt, tied) ?? [];
  }

  /** @internal after deformable bodies put rigid ones elsewhere: those that are joined went one by one */
  closeJoints(): void {
    if (this.put.size === 0 || this.isOnGpu || this.heldJoints.length === 0 || this.isJointsStale) return;
    this.dynamics.stepper!.closeJoints(this.put);
    this.slots.updatePoses();
  }

  /** @internal see `jointedIslands`; none beside deformable bodies of the Newton solver, which push in the same step */
  jointedIslands(proxyOf: (slot: number) => RigidProxy | undefined): readonly ProxyIsland[] {
    if (this.heldJoints.length === 0 || this.softCount > 0) return [];
    return this.parts.solver.loaded?.jointedIslands(this.dynamics, proxyOf) ?? [];
  }

  /** @internal see free-way.ts */
  shortenWay(body: RigidBody, way: Float64Array): boolean {
    return this.equip() !== undefined && this.parts.solver.loaded!.shortenWay(this, body, way);
  }

  private get softCount(): number {
    return this.softBodies?.count ?? 0;
  }

  private get softGpu(): SoftLane | undefined {
    const { softContext } = this;
    if (softContext && this.softCount > 0)
      this.softSolver ??= new this.parts.gpu.loaded!.SoftLane(softContext, this.dynamics, this.soft);
    return this.softSolver;
  }

  /**
   * The processor that solves rigid bodies: the CPU in f64, or a GPU in f32. It is the CPU while there are deformable
   * bodies of other solvers than Newton's, mechanisms or leaders of bodies: these need poses and impulses of the same
   * frame.
   */
  get lane(): "cpu" | "webgpu" {
    const isFit = this.softCount === 0 || this.softLane === "webgpu";
    return this.gpu && isFit && !this.isMixed && !this.isHeard ? "webgpu" : "cpu";
  }

  /**
   * The processor that solves deformable bodies of the Newton solver: a GPU in f32 in worlds that have one, otherwise
   * the CPU in f64. Dynamic rigid bodies may be part of their system, so with such bodies it is the GPU only if that
   * solves them, too. With mechanisms or leaders of bodies it is the CPU.
   */
  get softLane(): "cpu" | "webgpu" {
    const isFit =
      this.softGpu &&
      this.softCount > 0 &&
      this.soft.fitsGpu &&
      this.dynamics.options.geometricStiffness === "elements" &&
      !this.dynamics.reports &&
      this.keptOnCpu.size === 0 &&
      !this.isHeard &&
      ((this.gpu && !this.isMixed) || this.bodies.every((body) => body.motion !== "dynamic"));
    return isFit ? "webgpu" : "cpu";
  }

  /** Whether mechanisms or leaders need the impulses on bodies in the same frame. */
  private get isHeard(): boolean {
    return this.led.count > 0 || this.linkages.length > 0;
  }

  /**
   * @internal keeps deformable bodies on the CPU for one that may meet others
   *
   * @returns whether their states are there
   */
  keepSoftOnCpu(body: object, isWanted: boolean): boolean {
    const { keptOnCpu, softSolver } = this;
    if (!isWanted) keptOnCpu.delete(body);
    if (!isWanted) return true;
    if (this.isSoftOnGpu && softSolver && softSolver.lag > 0) return false;
    keptOnCpu.add(body);
    return true;
  }

  /** @internal The buffers on the GPU with the state of a deformable body, if the GPU solved it in the last step. */
  softOutput(body: FemBody): SoftOutput | undefined {
    return this.isSoftOnGpu ? this.softSolver?.outputOf(body) : undefined;
  }

  /**
   * Number of steps, or parts of steps, that were repeated since the start, since they would have left a body deep in
   * another one. Only the CPU repeats steps, and not with mechanisms or deformable bodies of the Newton solver.
   */
  get stepsRepeated(): number {
    return this.trustedSteps?.repeated ?? 0;
  }

  /** The lane on the GPU, if there is one: residuals are read from it. */
  get gpuLane(): GpuLane | undefined {
    return this.gpu;
  }

  /** in the order of ids */
  get bodies(): readonly RigidBody[] {
    return this.slots.bodies;
  }

  /** POSE_SIZE a body: poses of the bodies' own frames, by place */
  get poses(): Float64Array {
    return this.slots.poses;
  }

  /** contacts of the last step */
  get contacts(): ContactBuffer {
    return this.equip()?.contacts ?? noContacts;
  }

  /** the pairs of bodies that the contacts belong to */
  get pairs(): PairList {
    return this.equip()?.pairs ?? noPairs;
  }

  get gravity(): Vec3 {
    return this.gravityVector;
  }

  set gravity(value: Vec3) {
    this.check();
    this.gravityVector = [...finiteVector("RigidWorld.gravity", value)];
    this.measureBodies();
    for (let slot = 0; slot < this.bodies.length; slot++) this.wake(slot);
  }

  private measureBodies(): void {
    for (const body of this.bodies) this.slots.measure(body, this.gravityVector);
  }

  /**
   * Trade-off between time and accuracy for large islands. Setting it sets the options of the solver that belong to it.
   */
  get quality(): RigidQuality {
    return this.qualityName;
  }

  /** @throws PliantError for an unknown quality; nothing is changed then */
  set quality(value: RigidQuality) {
    this.configure(optionsOfQuality("RigidWorld.quality", value));
    this.qualityName = value;
  }

  /**
   * Changes options of the solver.
   *
   * @throws PliantError for values out of range, or, if the GPU solves bodies, for options that it does not support;
   * nothing is changed then
   */
  configure(options: Partial<NewtonOptions>): void {
    this.check();
    const resolved = resolveNewtonOptions({ ...this.dynamics.options, ...options });
    if (this.gpu) this.parts.gpu.loaded!.GpuLane.check(resolved);
    Object.assign(this.dynamics.options, resolved);
  }

  /** @throws PliantError for options out of range, a shape that is not valid, or an id that is taken */
  addBody(options: RigidBodyOptions = {}): RigidBody {
    this.check();
    const resolved = resolveBodyOptions(options, this.nextId);
    const place = this.slots.placeOf(resolved.id);
    if (this.bodies[place]?.id === resolved.id)
      throw invalid(`rigid body "${resolved.name}".id`, resolved.id, "is taken");
    const body = new RigidBody(this, resolved, { slot: -1, target: undefined, ...this.make(resolved) });
    this.nextId = Math.max(this.nextId, resolved.id + 1);
    const slotOf = this.slots.insert(body, place);
    this.sleep.reserve(this.dynamics.bodies.capacity);
    if (slotOf) this.renumber(slotOf);
    this.changed();
    this.slots.fill(body);
    this.slots.measure(body, this.gravityVector);
    this.led.note(body, resolved.leader);
    this.wakeAround(body.record.slot);
    return body;
  }

  /** @internal see `RigidBody.change` */
  change(body: RigidBody, changes: RigidBodyChanges): void {
    const { record, options, position, rotation } = body;
    const { slot, mass } = record;
    const isOther = "shape" in changes && changes.shape !== options.shape;
    const resolved = resolveBodyOptions({ ...options, ...changes }, options.id);
    const made = this.make(resolved, isOther ? undefined : record.compiled);
    this.wakeAround(slot);
    Object.assign(options, resolved);
    Object.assign(record, made);
    this.led.note(body, resolved.leader);
    if (options.motion !== "kinematic") record.target = undefined;
    if (options.motion !== "dynamic") this.dynamics.bodies.halt(slot, options.motion === "static");
    this.slots.writeModel(body);
    this.slots.writePose(body, position, rotation);
    this.slots.measure(body, this.gravityVector);
    if (made.mass !== mass) for (const joint of this.joints) if (joint.joins(body)) joint.setFrames();
    if (isOther) this.forgetContacts(slot);
    this.gpu?.forget();
    this.changed();
    this.wakeAround(slot);
  }

  /** Forgets the contacts of a body, which no longer fit it. */
  private forgetContacts(slot: number): void {
    const finder = this.equip();
    if (!finder) return;
    const others = Int32Array.from(this.bodies, (_, k) => (k === slot ? -1 : k));
    this.dynamics.stepper?.renumber(others);
    finder.cache.renumber(others);
    finder.pairs.renumber(others);
  }

  /** @throws PliantError for options out of range, or a joint of a body with itself */
  addJoint(options: JointOptions): RigidJoint {
    this.check();
    const joint = new RigidJoint(this, options, this.joints.length === 0 ? 0 : this.joints.at(-1)!.id + 1);
    this.joints.push(joint);
    this.joints.sort((a, b) => a.id - b.id);
    this.isJointsStale = true;
    this.changed();
    this.wake(joint.bodyA.record.slot);
    this.wake(joint.bodyB.record.slot);
    return joint;
  }

  /** Steps one frame of dt [s]. @param softs deformable bodies that links of mechanisms may pinch */
  step(dt: number, softs: readonly ThinBody[] = []): void {
    this.check();
    positive("RigidWorld.step", dt);
    if (this.bodies.length === 0 && this.softCount === 0 && this.linkages.length === 0) return;
    const finder = this.equip();
    const { slots, dynamics, linkages } = this;
    const { bodies } = dynamics;
    bodies.isWhole = this.isMixed || this.isHeard || this.softCount > 0 || this.gpu !== undefined;
    bodies.findAwake();
    const fewest = Math.max(this.substeps, slots.stepsOf(dt, this.gravityVector));
    this.led.ensureBegun(dt);
    if (!finder) {
      aim(slots, dynamics, dt);
      for (let k = 0; k < fewest; k++) dynamics.stepKinematic(dt / fewest);
      slots.updatePoses();
      this.led.finish();
      settleTargets(slots, dynamics);
      bodies.state.force.fill(0);
      return;
    }
    this.refreshJoints();
    finder.refresh(this.joints);
    aim(slots, dynamics, dt);
    const turns = Math.max(fewest, slots.turnsOf(dt));
    const wanted = Math.max(turns, this.parts.solver.loaded!.beginLinkages(linkages, dynamics, finder, dt, softs));
    const isSoftOnGpu = this.prepareSoft(dt);
    if (!isSoftOnGpu) this.softBodies?.findContacts(dt / wanted, 0, dt, this.gravityVector);
    const substeps = Math.max(wanted, this.softBodies?.stepsOf(dt, this.gravityVector) ?? 0);
    const h = dt / substeps;
    const isOnGpu = this.lane === "webgpu" && (this.softCount === 0 || isSoftOnGpu);
    // Results that were under way when bodies left the GPU come too late now.
    if (this.isOnGpu && !isOnGpu) this.gpu?.forget();
    this.isOnGpu = isOnGpu;
    const coupled = isSoftOnGpu ? this.softGpu : undefined;
    if (isOnGpu) this.gpu!.step(dt, substeps, this.gravityVector, this.heldJoints, coupled);
    else coupled?.step(dt, substeps, this.gravityVector);
    dynamics.deformables.isElsewhere = isSoftOnGpu;
    this.trustedSteps!.heldLoads.begin(this.gravityVector, dt);
    for (let k = 0; k < substeps && !isOnGpu; k++) {
      for (const linkage of linkages) linkage.predict(h);
      // Contacts of the first step are known, unless there are more steps now.
      if (!isSoftOnGpu && (k > 0 || substeps > wanted))
        this.softBodies?.findContacts(h, k / substeps, dt, this.gravityVector);
      // A repetition would have to restore deformable bodies and mechanisms as well.
      const isFinal = this.softCount > 0 || linkages.length > 0;
      this.trustedSteps!.take(h, this.gravityVector, this.heldJoints, isFinal, this.endPart);
    }
    this.led.finish();
    for (const linkage of linkages) linkage.endFrame(dt);
    settleTargets(slots, dynamics, finder);
    bodies.clearForces();
    finder.noteStill();
    this.put.clear();
  }

  private readonly endPart = (part: number): void => {
    this.led.hear();
    this.onPart?.(part);
    this.sleep.update(part, this.slots.bodies, this.gravityVector);
  };

  /** Prepares deformable bodies for a frame on the GPU. @returns whether the GPU solves them */
  private prepareSoft(dt: number): boolean {
    const { softGpu, dynamics } = this;
    dynamics.deformables.isElsewhere = false;
    const isOnGpu = this.softLane === "webgpu" && softGpu!.prepare(dt, this.gravityVector);
    if (this.isSoftOnGpu && !isOnGpu) softGpu?.forget();
    this.isSoftOnGpu = isOnGpu;
    return isOnGpu;
  }

  /** Resolves when the poses of all steps are ready; at once on the CPU. */
  async settled(): Promise<void> {
    await this.gpu?.settled();
    await this.softSolver?.settled();
  }

  /**
   * Solves on another device from now on, or, without one, on the CPU. Bodies continue from their states on the CPU.
   */
  moveTo(context: GpuContext | undefined, softContext?: GpuContext): void {
    this.gpu?.dispose();
    this.softSolver?.dispose();
    this.softSolver = undefined;
    this.softContext = softContext;
    this.gpu = context && new this.parts.gpu.loaded!.GpuLane(context, this, this.timestamps);
  }

  /** Releases the device. Afterwards every call that changes something throws `disposed`. */
  dispose(): void {
    this.gpu?.dispose();
    this.softSolver?.dispose();
    this.disposed = true;
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", "RigidWorld", "a call", "was disposed");
  }

  /** Wakes a body, and the bodies that fell asleep with it. */
  wake(slot: number): void {
    this.sleep.wake(slot);
  }

  /** Everything that a later run needs to continue from this moment with the same bits. */
  snapshot(): RigidSnapshot {
    this.check();
    return takeSnapshot(this);
  }

  /** @throws PliantError if the bodies or joints differ from those of the snapshot */
  restore(snapshot: RigidSnapshot): void {
    this.check();
    restoreState(this, snapshot);
    this.gpu?.forget();
    this.softSolver?.forget();
    this.changed();
  }

  /** @internal */
  place(body: RigidBody, position: Vec3, rotation: Quat): void {
    this.onPlace?.(body);
    this.put.add(body.record.slot);
    this.wakeAround(body.record.slot);
    this.slots.writePose(body, position, rotation);
    this.equip()?.moved(body.record.slot);
    this.wakeAround(body.record.slot);
  }

  /** @internal */
  removeBody(body: RigidBody): void {
    for (const joint of [...this.joints]) if (joint.joins(body)) joint.dispose();
    this.wakeAround(body.record.slot);
    this.led.note(body, undefined);
    this.renumber(this.slots.remove(body));
  }

  /** @internal */
  removeJoint(joint: RigidJoint): void {
    this.wake(joint.bodyA.record.slot);
    this.wake(joint.bodyB.record.slot);
    this.joints.splice(this.joints.indexOf(joint), 1);
    this.isJointsStale = true;
    this.changed();
  }

  /** @internal notes that joints were turned on or off */
  jointsChanged(): void {
    this.isJointsStale = true;
    this.changed();
  }

  /** Updates the solver's joints after joints came or went. */
  private refreshJoints(): void {
    if (!this.isJointsStale) return;
    this.heldJoints.length = 0;
    for (const joint of this.joints) {
      if (!joint.isEnabled) continue;
      const solver = this.solverOf(joint);
      solver.slotA = joint.bodyA.record.slot;
      solver.slotB = joint.bodyB.record.slot;
      this.heldJoints.push(solver);
    }
    this.isJointsStale = false;
  }

  private solverOf(joint: RigidJoint): Joint {
    let solver = this.jointSolvers.get(joint);
    if (!solver) this.jointSolvers.set(joint, (solver = new this.parts.solver.loaded!.FrameJoint(joint.data)));
    return solver;
  }

  private renumber(slotOf: Int32Array): void {
    this.slots.renumber(slotOf);
    this.sleep.renumber(slotOf);
    const finder = this.equip();
    finder?.cache.renumber(slotOf);
    finder?.pairs.renumber(slotOf);
    this.changed();
    this.isJointsStale = true;
  }
}

/** For worlds without a contact finder. */
const noContacts = new ContactBuffer();
const noPairs = new PairList();
