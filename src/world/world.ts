import { type ColliderOptions, ColliderSet } from "../collision/obstacles/collider-set";
import { ObstacleMotion } from "../collision/obstacles/obstacle-motion";
import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import { meshPart, waitsForMeshes } from "../collision/distance/primitives";
import type { ColliderShape } from "../collision/shape/shape";
import { invalid, PliantError } from "../errors";
import type { Part } from "../part";
import { requestAdapter } from "../gpu/adapter";
import type { GpuContext } from "../gpu/device";
import type { Vec3 } from "../math/types";
import type { BodyState, FrameInput } from "../solvers/deformable";
import type { WindField } from "../solvers/wind/wind-field";
import type { Backend, BackendName } from "./backend/backend";
import { DeformableBody, type BodyOptions } from "./body";
import { Collider } from "./collider";
import type { Mechanism } from "./mechanism/mechanism";
import type { MechanismModel } from "./mechanism/mechanism-model";
import type { RigidBodyOptions } from "./rigid/body-options";
import type { WorldLinkage } from "./rigid/linked-bodies";
import { RigidObstacles } from "./rigid/contact/obstacles";
import type { RigidBody } from "./rigid/rigid-body";
import type { JointOptions, RigidJoint } from "./rigid/rigid-joint";
import { rigidParts } from "./rigid/parts/parts";
import { RigidCore } from "./rigid/rigid-core";
import type { RigidWorld } from "./rigid/rigid-world";
import { Signal } from "./signal";
import { pushPart } from "./push/pushes";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "./snapshot";
import type { BodyModel } from "./backend/body-settings";
import { loadSolvers } from "./backend/solvers";
import { layersPart } from "./backend/layers-part";
import { surfaceParts } from "./backend/sheet-parts";
import { sleepPart } from "./backend/sleep-part";
import { Systems } from "./backend/systems";
import { WorldWind } from "./wind";
import { checkedGravity, checkWorldOptions, chooseBackend, gpuOf, type WorldOptions } from "./world-options";

export type { Snapshot } from "./snapshot";
export type { WorldOptions } from "./world-options";

/** Frames between readbacks of a body if its box cannot be known otherwise. */
const boundsInterval = 90;

/** Rigid bodies, deformable bodies and obstacles, stepped together. *
 * @example
 * ```ts
 * const world = await World.create({ backend: "cpu" });
 * world.addCollider({ type: "sphere", radius: 0.3 });
 * const grid = gridMesh({ width: 1, height: 1, columns: 16, rows: 16, center: [0, 0.35, 0] });
 * const cloth = world.addBody(clothModel({ ...grid, fabric: "denim" }));
 * for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
 * console.log(await cloth.readPositions());
 * ```
 */
export class World {
  /** rigid bodies and joints; they are solved before the deformable bodies, see `rigidLane` */
  readonly rigid: RigidWorld;
  readonly colliderSet = new ColliderSet();
  readonly onDeviceLost = new Signal<{ reason: string }>();
  readonly onDeviceRestored = new Signal<GPUDevice>();
  /** rigid bodies have made a step of so many seconds; deformable bodies have not met them on that way yet */
  readonly onRigidStep = new Signal<number>();
  /** number of steps that rigid or local-global bodies repeated in this frame */
  readonly onStepsRepeated = new Signal<number>();
  /** @internal deformable bodies have made their frame, together */
  onStepped: FrameInput["onStepped"];
  /** @internal makes bodies that wait for the first step, before a snapshot */
  makeBodies?(): void;
  readonly onBodyFrozen = new Signal<{ body: DeformableBody; frame: number }>();
  private readonly onRepeated = (): void => this.onStepsRepeated.notify(1);
  private readonly bodyList: DeformableBody[] = [];
  private readonly colliderList: Collider[] = [];
  private readonly states = new Map<DeformableBody, BodyState>();
  private readonly frozen = new WeakSet<DeformableBody>();
  /** @internal deformable bodies, by solver */
  readonly systems: Systems;
  /** @internal */
  readonly rigidObstacles = new RigidObstacles(this);
  private readonly obstacleMotion = new ObstacleMotion();
  private snapshotTaken: { time: number; frame: number } | undefined;
  private clock = 0;
  /** length of the longest step of late: what it has left is made up for in as much time [s] */
  private recent = 0;
  private bodiesMade = 0;
  private collidersMade = 0;
  private frames = 0;
  private lost = false;
  private readonly air = new WorldWind();
  private failure: PliantError | undefined;
  private disposed = false;

  private constructor(
    private current: Backend,
    private gravityVector: Vec3,
    private readonly options: WorldOptions,
  ) {
    this.rigid = new RigidCore({
      gravity: gravityVector,
      context: this.rigidContext,
      softContext: this.gpuContext,
      timestamps: options.timestamps,
    });
    this.rigid.onPart = (part) => this.rigidObstacles.hear(part);
    this.systems = new Systems(this.rigid, () => {
      const { loaded } = sleepPart;
      return loaded && this.backend !== "webgpu" ? new loaded.CpuSleepers(this) : undefined;
    });
    this.watch();
  }

  /**
   * @throws PliantError `no-adapter` if `backend` is "webgpu" and there is no adapter; `invalid-argument` for a gravity
   * that is not finite
   */
  static async create(options: WorldOptions = {}): Promise<World> {
    checkWorldOptions(options);
    const { gravity: given = [0, -9.81, 0], rigidLane: lane = "auto", rigidQuality = "balanced" } = options;
    const gravity = checkedGravity(given);
    const isAll = options.load !== "needed";
    const backend = await chooseBackend(options);
    if (lane === "webgpu" && !backend.context)
      throw new PliantError("no-adapter", "World rigidLane", backend.name, "needs the webgpu backend");
    await loadSolvers(backend.name, isAll ? "all" : "default");
    if (isAll) for (const part of [rigidParts.solver, meshPart, pushPart]) await part.load();
    if (isAll && backend.name !== "webgpu") await sleepPart.load();
    if (lane === "webgpu") await rigidParts.gpu.load();
    const world = new World(backend, gravity, options);
    world.rigid.quality = rigidQuality;
    return world;
  }

  get backend(): BackendName {
    return this.current.name;
  }

  /** "cpu", or the name that the GPU adapter gives itself. */
  get adapter(): string {
    return this.current.adapter;
  }

  /** The processor that solves rigid bodies. */
  get rigidLane(): "cpu" | "webgpu" {
    return this.rigid.lane;
  }

  get device(): GPUDevice | undefined {
    return this.current.context?.device;
  }

  /** [m/s²] */
  get gravity(): Vec3 {
    return this.gravityVector;
  }

  set gravity(value: Vec3) {
    this.gravityVector = checkedGravity(value);
    this.rigid.gravity = this.gravityVector;
    this.disturbBodies();
  }

  /** Wind of all bodies that feel air; without it, the default, they feel their own `wind` alone. */
  get wind(): WindField | undefined {
    return this.air.field;
  }

  set wind(field: WindField | undefined) {
    this.air.field = field;
  }

  get bodies(): readonly DeformableBody[] {
    return this.bodyList;
  }

  get colliders(): readonly Collider[] {
    return this.colliderList;
  }

  get mechanisms(): readonly Mechanism[] {
    return this.rigid.linkages as readonly WorldLinkage[] as readonly Mechanism[];
  }

  /** simulated time [s] */
  get time(): number {
    return this.clock;
  }

  /** steps so far */
  get frame(): number {
    return this.frames;
  }

  /**
   * Adds a deformable body. The model determines the solver that steps it.
   *
   * @throws PliantError for options out of range, a model that does not fit the device, or a disposed world
   */
  addBody(model: BodyModel, options: BodyOptions = {}): DeformableBody {
    this.check();
    // Getters, since a body outlives backends and needs the time of later steps.
    const world = this as World;
    const host = {
      rigid: this.rigid,
      systems: this.systems,
      get backend() {
        return world.current;
      },
      get time() {
        return world.clock;
      },
      get gravity() {
        return world.gravityVector;
      },
      get wind() {
        return world.air.field;
      },
      takeId: () => ++this.bodiesMade,
    };
    const body = new DeformableBody(model, options, host, (gone) => {
      this.bodyList.splice(this.bodyList.indexOf(gone), 1);
      this.states.delete(gone);
    });
    this.bodyList.push(body);
    // Without that code bodies stay awake.
    if (this.backend !== "webgpu") sleepPart.load().catch(() => undefined);
    this.states.set(body, {
      positions: body.model.positions.slice(),
      velocities: new Float64Array(3 * body.particleCount),
    });
    return body;
  }

  /** @throws PliantError for an invalid shape or pose, or a disposed world */
  addCollider(shape: ColliderShape, options: ColliderOptions = {}): Collider {
    this.check();
    const onDispose = (gone: Collider): void => {
      this.colliderList.splice(this.colliderList.indexOf(gone), 1);
      this.disturbBodies();
    };
    const collider = new Collider(
      this.colliderSet,
      shape,
      options,
      onDispose,
      () => this.disturbBodies(),
      // Colliders that stand for rigid bodies come and go as the world steps. Their bodies give them their poses.
      options.owner ? undefined : ++this.collidersMade,
    );
    this.colliderList.push(collider);
    this.disturbBodies();
    return collider;
  }

  /**
   * @internal
   * Takes the impulses and displacements that contacts with bodies gave a proxy since the last call. Call it between
   * steps, and move the rigid body accordingly: its velocity changes by the wrench, and its pose by the displacement,
   * which its colliders have already made. The results come at once after a step on the cpu backend, a frame or two
   * later from a GPU.
   *
   * @param wrench impulse [N s] and angular impulse about the center of mass [N m s], wherever that was in each substep: 6 numbers, changed
   * @param displacement offset of the center of mass [m] and turn about it [rad, rotation vector]: 6 numbers, changed
   * @returns whether the proxy was given anything
   */
  takeFromProxy(proxy: RigidProxy, wrench: Float64Array, displacement: Float64Array): boolean {
    this.check();
    return this.colliderSet.takeFromProxy(proxy, wrench, displacement);
  }

  /** @throws PliantError for options out of range, or a disposed world */
  addRigidBody(options: RigidBodyOptions = {}): RigidBody {
    this.check();
    return this.rigid.addBody(options);
  }

  /**
   * Adds a mechanism. Its links touch everything in the world, and other bodies push them.
   *
   * @throws PliantError for a shape that rigid bodies cannot have, or a disposed world
   */
  addMechanism(model: MechanismModel): Mechanism {
    this.check();
    if (typeof model?.join !== "function") throw invalid("World.addMechanism", model, "must be a model of a mechanism");
    return model.join(this.rigid, this.backend === "webgpu");
  }

  /** @throws PliantError for options out of range, or a disposed world */
  addJoint(options: JointOptions): RigidJoint {
    this.check();
    return this.rigid.addJoint(options);
  }

  /**
   * Steps one frame. On a GPU the step is submitted, not waited for. Nothing happens while the device is lost or a
   * solver is loading.
   *
   * @param dt frame time [s]
   * @throws PliantError if `dt` is not positive, or the world is disposed; `device-lost` if the world's own device was
   * lost and it cannot get another one
   */
  step(dt: number): void {
    this.check();
    if (!(dt > 0 && Number.isFinite(dt))) throw invalid("World.step", dt, "must be positive");
    if (this.failure) throw this.failure;
    if (this.lost) return;
    if (!this.isReadyFor(dt)) {
      // Deformable bodies load their solvers themselves.
      if (!this.rigid.isReady) void this.rigid.load();
      void this.missing?.load();
      return;
    }
    this.frames++;
    const { frames, gravityVector: gravity, colliderSet: colliders, onRepeated, onStepped } = this;
    const pace = dt / (this.recent = Math.max(dt, this.recent - dt));
    const frame = { dt, pace, frame: frames, gravity, colliders, onRepeated, onStepped };
    this.prepare(frame);
    this.rigid.swallowed?.begin(this.rigid.bodies, this.bodyList);
    this.stepRigidBodies(dt);
    this.stepDeformables(frame);
    this.finish(dt);
  }

  /** @internal as `isReady`, for a step of dt [s]: bodies may have come near others since the last one */
  isReadyFor(dt: number): boolean {
    if (!this.isReady || (this.bodyList.length > 0 && layersPart.loaded?.arrangeLayers(this.bodyList) === false))
      return false;
    return this.systems.lanes?.arrange(this.bodyList, this.frames, dt) !== false;
  }

  /**
   * Whether everything that the next step needs is there: solvers that are loaded (`WorldOptions.load`), and the states
   * of bodies that go over from the GPU to the CPU, since they come near a body of another solver.
   */
  get isReady(): boolean {
    const { rigid, bodyList, systems } = this;
    const areReady = bodyList.every((body) => !body.isWaiting && !body._pushes.areWaiting);
    return rigid.isReady && !this.missing && areReady && systems.lanes?.isMoving !== true;
  }

  /** Code for contact that is not loaded, where deformable bodies may need it: with meshes, with each other or with themselves. */
  private get missing(): Part<unknown> | undefined {
    const { bodyList, colliderSet, rigid } = this;
    const surfaces = surfaceParts[this.backend];
    if (!surfaces.loaded && (bodyList.length > 1 || bodyList[0]?.options.selfCollision)) return surfaces;
    if (meshPart.loaded) return undefined;
    const isMet = bodyList.length > 0 && rigid.bodies.some(({ shape }) => shape && waitsForMeshes(shape));
    return isMet || colliderSet.isWaiting ? meshPart : undefined;
  }

  /**
   * Resolves when everything that the next step needs is there; rejects if something cannot be loaded, or a body does
   * not fit its device.
   */
  async whenReadyAsync(): Promise<void> {
    while (!this.isReady) {
      if (!this.rigid.isReady) await this.rigid.load();
      await this.missing?.load();
      await Promise.all(this.bodyList.map((body) => body.whenReady()));
      await this.systems.lanes?.settled();
    }
  }

  /** Resolves when all submitted steps are done, and rigid bodies are where deformable ones push them. */
  async settled(): Promise<void> {
    await this.current.settled();
    for (const body of this.bodyList) await body.settled();
    await this.rigid.settled();
    await this.systems.lanes?.settled();
    // On the CPU a step that was awaited must lead to the same bits as one that was not.
    if (this.current.context && this.recent > 0 && !this.disposed) this.rigidObstacles.take(this.recent);
  }

  /** GPU milliseconds of the last step by stage; undefined without timestamp queries. */
  async gpuTime(): Promise<Readonly<Record<string, number>> | undefined> {
    const times = await this.current.times();
    return times && { ...times, ...(await this.rigid.gpuLane?.gpuTime()) };
  }

  /** First frame in which a body turned non-finite, by body; such bodies stay frozen in their last finite state. */
  async frozenBodies(): Promise<ReadonlyMap<DeformableBody, number>> {
    const found = new Map<DeformableBody, number>();
    for (const body of [...this.bodyList]) {
      const frame = await body.frozenAt();
      if (frame === 0) {
        this.frozen.delete(body);
        continue;
      }
      found.set(body, frame);
      if (!this.frozen.has(body)) this.onBodyFrozen.notify({ body, frame });
      this.frozen.add(body);
    }
    return found;
  }

  /** Reads the state of every body. The world continues from this snapshot if the device is lost. */
  async snapshot(): Promise<Snapshot> {
    this.check();
    this.makeBodies?.();
    const { clock: time, frames: frame, recent } = this;
    if (this.rigid.lane === "webgpu") await this.rigid.settled();
    const snapshot = { ...(await takeSnapshot(this, time, frame, this.current.isSettled)), recent };
    const states = new Map(snapshot.bodies.map((state) => [state.id, state]));
    for (const body of this.bodyList) this.states.set(body, states.get(body.id) ?? this.states.get(body)!);
    this.snapshotTaken = { time, frame };
    return snapshot;
  }

  /**
   * Puts bodies back to their states in a snapshot, of this world or of another one whose bodies were made in the same
   * order: ids identify them. Objects that the snapshot does not contain stay as they are. If bodies, obstacles, pins
   * and options are the same, the world continues with the same bits. The exceptions are local-global bodies on a GPU
   * that touch something: their next step begins without contact forces.
   *
   * @throws PliantError for a state that does not fit its body; nothing is changed then
   */
  restore(snapshot: Snapshot): void {
    this.check();
    restoreSnapshot(this, snapshot, () => {
      // The clock comes first, since bodies record the time of their states.
      this.clock = snapshot.time;
      this.recent = snapshot.recent ?? 0;
      this.frames = snapshot.frame;
    });
  }

  /** The snapshot that the world would continue from if the device were lost now. */
  get lastSnapshot(): Snapshot | undefined {
    const bodies = [...this.states].map(([{ id }, state]) => ({ ...state, id }));
    return this.snapshotTaken && { ...this.snapshotTaken, bodies };
  }

  /**
   * Continues on another device after the loss of the first one: every body is built anew in its last known state. Set
   * outputs for drawing again.
   */
  replaceDevice(device: GPUDevice): void {
    this.check();
    this.adopt(this.current.on!(device));
  }

  dispose(): void {
    if (this.disposed) return;
    for (const body of [...this.bodyList]) body.dispose();
    for (const collider of [...this.colliderList]) collider.dispose();
    for (const mechanism of [...this.mechanisms]) mechanism.dispose();
    this.disposed = true;
    this.rigid.dispose();
    this.current.dispose();
    if (!this.options.device) this.device?.destroy();
  }

  /**
   * Bodies hand in their part of the frame; bodies of the Newton solver meet obstacles during the step of rigid bodies.
   */
  private prepare(frame: FrameInput): void {
    if (this.air.begin(this.clock)) for (const body of this.bodyList) body.wake();
    const { sleepers } = this.systems;
    sleepers?.begin(frame.dt);
    this.systems.attachments?.prepare(frame.dt);
    this.colliderSet.update();
    for (const body of this.bodyList) if (!body.isAsleep) body.prepare(frame);
    sleepers?.takeWoken();
  }

  /** Rigid bodies become obstacles as soon as the world has deformable bodies of other solvers than Newton's. */
  private stepRigidBodies(dt: number): void {
    // Bodies of the Newton solver meet rigid bodies in one system with them.
    const isMixed = this.bodyList.some(({ model }) => model.solver !== "newton");
    this.rigid.isMixed = isMixed;
    if (isMixed) this.rigidObstacles.begin(this.rigid.bodies, dt);
    else this.rigidObstacles.clear();
    const before = this.rigid.stepsRepeated;
    this.rigid.step(dt, this.bodyList);
    const repeated = this.rigid.stepsRepeated - before;
    if (repeated > 0) this.onStepsRepeated.notify(repeated);
    if (isMixed) this.rigidObstacles.follow(dt, this.gravityVector);
    this.onRigidStep.notify(dt);
  }

  private stepDeformables(frame: FrameInput): void {
    // Rigid bodies that were hit may have woken some.
    const woken = this.systems.sleepers?.takeWoken();
    if (woken) for (const body of woken) body.prepare(frame);
    this.colliderSet.update();
    for (const proxy of this.colliderSet.proxies) proxy.beginFrame(frame.dt);
    this.current.frame(frame, this.stepSystems);
  }

  private readonly stepSystems = (frame: FrameInput): void => this.systems.step(this.bodyList, frame);

  /** Rigid bodies take over the pushes, and obstacles start the next step from their new places. */
  private finish(dt: number): void {
    if (this.colliderSet.moving.includes(1)) {
      this.obstacleMotion.update(this.colliderSet);
      this.disturbBodies(this.obstacleMotion.share(1, 1) / dt);
    }
    this.colliderSet.endFrame();
    this.rigidObstacles.take(dt);
    this.rigid.swallowed?.finish(dt);
    this.rigid.closeJoints();
    for (const mechanism of this.mechanisms) mechanism.settle();
    this.systems.attachments?.finish(dt);
    this.systems.sleepers?.finish(dt);
    this.clock += dt;
    this.lookAfterBodies(dt);
    // States that the next frame needs on the CPU are asked for now.
    this.systems.lanes?.arrange(this.bodyList, this.frames, dt);
  }

  private get gpuContext(): GpuContext | undefined {
    return this.current.context;
  }

  private get rigidContext(): GpuContext | undefined {
    return this.options.rigidLane === "webgpu" ? this.gpuContext : undefined;
  }

  /** @param speed the highest speed that obstacles may push bodies to [m/s] */
  private disturbBodies(speed = 0): void {
    for (const body of this.bodyList) body.disturb(speed);
  }

  /** Readbacks in the background, never waited for: snapshots, boxes of free bodies, the check for frozen bodies. */
  private lookAfterBodies(dt: number): void {
    if (this.bodyList.length === 0) return;
    for (const body of this.bodyList) body.lookForTears();
    if (!this.current.context) {
      void this.frozenBodies();
      return;
    }
    const interval = this.options.snapshotInterval ?? 10;
    const due = interval > 0 && this.frames % Math.max(1, Math.round(interval / dt)) === 0;
    for (const body of this.bodyList) {
      if (!due && (body.boundsAnchored || this.frames % boundsInterval !== 0)) continue;
      const { clock: time, frames: frame } = this;
      body.requestState((state) => {
        this.states.set(body, state);
        this.snapshotTaken = { time, frame };
      });
    }
    if (due) void this.frozenBodies().catch(() => undefined);
  }

  /**
   * Replaces the world's own device after its loss. After the loss of a shared device the host has to call
   * `replaceDevice`.
   */
  private watch(): void {
    const { device } = this;
    if (!device) return;
    void device.lost.then(async ({ message, reason }) => {
      if (this.disposed || device !== this.device) return;
      this.lost = true;
      this.onDeviceLost.notify({ reason: message || reason || "unknown" });
      if (this.options.device) return;
      try {
        const adapter = await requestAdapter(gpuOf(this.options));
        this.adopt(await this.current.onAdapter!(adapter));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.failure = new PliantError("device-lost", "World", why, "lost its GPU device and needs another to go on");
      }
    });
  }

  private adopt(next: Backend): void {
    const old = this.current;
    this.current = next;
    this.rigid.moveTo(this.rigidContext, this.gpuContext);
    for (const body of this.bodyList) body.rebuild(this.states.get(body)!);
    old.dispose();
    this.lost = false;
    this.failure = undefined;
    this.watch();
    this.onDeviceRestored.notify(next.context!.device);
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", "World", "a call", "was disposed");
  }
}
