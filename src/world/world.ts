import { ColliderSet } from "../collision/obstacles/collider-set";
import { ObstacleMotion } from "../collision/obstacles/obstacle-motion";
import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import type { ColliderShape } from "../collision/shape/shape";
import { PliantError } from "../errors";
import { GpuContext, requestContext } from "../gpu/device";
import type { Vec3 } from "../math/types";
import type { BodyState, FrameInput } from "../solvers/deformable";
import type { Backend } from "./backend/backend";
import { DeformableBody, type BodyOptions } from "./body";
import { Collider, type ColliderOptions } from "./collider";
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
import { restoreSnapshot, type Snapshot, takeSnapshot } from "./snapshot";
import type { BodyModel } from "./backend/body-settings";
import { loadSolvers } from "./backend/solvers";
import { Systems } from "./backend/systems";
import { checkedGravity, checkWorldOptions, chooseBackend, gpuOf, type WorldOptions } from "./world-options";

export type { Snapshot } from "./snapshot";
export type { WorldOptions } from "./world-options";

/** Frames between looks at a body whose box cannot be known otherwise. */
const boundsInterval = 90;

/** Rigid and deformable bodies and obstacles that are stepped together. */
export class World {
  /** rigid bodies and joints; they are solved before the deformable bodies, see `rigidLane` */
  readonly rigid: RigidWorld;
  readonly colliderSet = new ColliderSet();
  readonly onDeviceLost = new Signal<{ reason: string }>();
  readonly onDeviceRestored = new Signal<GPUDevice>();
  /** rigid bodies have made their step of so many seconds; deformable ones are still to meet them on that way */
  readonly onRigidStep = new Signal<number>();
  /** rigid bodies took steps again in this frame, so often, see `RigidWorld.stepsRepeated` */
  readonly onStepsRepeated = new Signal<number>();
  readonly onBodyFrozen = new Signal<{ body: DeformableBody; frame: number }>();
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
  private bodiesMade = 0;
  private collidersMade = 0;
  private frames = 0;
  private lost = false;
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
    this.systems = new Systems(this.rigid);
    this.watch();
  }

  /**
   * @throws PliantError `no-adapter` when `backend` is "webgpu" and there is none; `invalid-argument` for a gravity that
   * is not finite
   */
  static async create(options: WorldOptions = {}): Promise<World> {
    checkWorldOptions(options);
    const { gravity: given = [0, -9.81, 0], rigidLane: lane = "auto", rigidQuality = "balanced" } = options;
    const gravity = checkedGravity(given);
    const isAll = options.load !== "needed";
    const backend = await chooseBackend(options);
    if (lane === "webgpu" && !backend.context)
      throw new PliantError("no-adapter", "World rigidLane", backend.name, "needs the webgpu backend");
    await Promise.all([
      loadSolvers(backend.name, isAll ? "all" : "default"),
      isAll && rigidParts.solver.load(),
      lane === "webgpu" && rigidParts.gpu.load(),
    ]);
    const world = new World(backend, gravity, options);
    world.rigid.quality = rigidQuality;
    return world;
  }

  get backend(): "cpu" | "webgpu" {
    return this.current.name;
  }

  /** "cpu", or what the GPU adapter calls itself. */
  get adapter(): string {
    return this.current.adapter;
  }

  /** Where rigid bodies are solved. */
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
   * Its model says which solver steps it.
   *
   * @throws PliantError for options out of range, a model that does not fit the device, or a disposed world
   */
  addBody(model: BodyModel, options: BodyOptions = {}): DeformableBody {
    this.check();
    // Getters: a body outlives backends, and reads the clock when it needs it.
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
      takeId: () => ++this.bodiesMade,
    };
    const body = new DeformableBody(model, options, host, (gone) => {
      this.bodyList.splice(this.bodyList.indexOf(gone), 1);
      this.states.delete(gone);
    });
    this.bodyList.push(body);
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
      // Those that stand for rigid bodies come and go as the world steps, and are placed by these.
      options.isBody ? undefined : ++this.collidersMade,
    );
    this.colliderList.push(collider);
    this.disturbBodies();
    return collider;
  }

  /**
   * @internal
   * What contacts with bodies gave a proxy since the last call. Call it between steps, and move the rigid body by it: its
   * velocity changes by the wrench, and its pose by the displacement, which its colliders have made already. At once after a
   * step on the cpu backend, a frame or two later from a GPU.
   *
   * @param wrench impulse [N s] and angular impulse about the world's origin [N m s]: 6 numbers, changed
   * @param displacement offset of the centre of mass [m] and turn about it [rad, rotation vector]: 6 numbers, changed
   * @returns whether there was anything
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
   * Links of it touch all that there is in the world, and are pushed by it.
   *
   * @throws PliantError for a shape that rigid bodies cannot have, or a disposed world
   */
  addMechanism(model: MechanismModel): Mechanism {
    this.check();
    return model.join(this.rigid, this.backend === "webgpu");
  }

  /** @throws PliantError for options out of range, or a disposed world */
  addJoint(options: JointOptions): RigidJoint {
    this.check();
    return this.rigid.addJoint(options);
  }

  /**
   * One frame. On a GPU it is submitted, not waited for; while the device is lost, or a solver is on its way, nothing happens.
   *
   * @param dt frame time [s]
   * @throws PliantError when `dt` is not positive, or the world is disposed; `device-lost` when an own device was lost and
   * there is no other
   */
  step(dt: number): void {
    this.check();
    if (!(dt > 0 && Number.isFinite(dt)))
      throw new PliantError("invalid-argument", "World.step", dt, "must be positive");
    if (this.failure) throw this.failure;
    if (this.lost) return;
    if (!this.isReady) {
      // Bodies ask for theirs themselves.
      if (!this.rigid.isReady) void this.rigid.load();
      return;
    }
    this.frames++;
    const frame = { dt, frame: this.frames, gravity: this.gravityVector, colliders: this.colliderSet };
    this.prepare(frame);
    this.stepRigidBodies(dt);
    this.stepDeformables(frame);
    this.finish(dt);
  }

  /** Whether all is loaded that the next step needs; see `WorldOptions.load`. */
  get isReady(): boolean {
    return this.rigid.isReady && this.bodyList.every((body) => !body.isWaiting);
  }

  /** Resolves when it is; rejects where it cannot be loaded, or a body does not fit its device. */
  async whenReadyAsync(): Promise<void> {
    while (!this.isReady) {
      if (!this.rigid.isReady) await this.rigid.load();
      await Promise.all(this.bodyList.map((body) => body.whenReady()));
    }
  }

  /** Resolves when all submitted steps are done, and proxies of rigid bodies know what they were given. */
  async settled(): Promise<void> {
    await this.current.settled();
    for (const body of this.bodyList) await body.settled();
    await this.rigid.settled();
  }

  /** GPU milliseconds of the last step by stage; undefined without timestamp queries. */
  async gpuTime(): Promise<Readonly<Record<string, number>> | undefined> {
    const times = await this.current.times();
    return times && { ...times, ...(await this.rigid.gpuLane?.gpuTime()) };
  }

  /** First frame in which a body turned non-finite, by body; such bodies stand frozen in their last finite state. */
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

  /** Reads every body's state; it is also what the world goes on from after a lost device. */
  async snapshot(): Promise<Snapshot> {
    this.check();
    const { clock: time, frames: frame } = this;
    if (this.rigid.lane === "webgpu") await this.rigid.settled();
    const snapshot = await takeSnapshot(this, time, frame);
    const states = new Map(snapshot.bodies.map((state) => [state.id, state]));
    for (const body of this.bodyList) {
      const state = states.get(body.id);
      if (state) this.states.set(body, state);
    }
    this.snapshotTaken = { time, frame };
    return snapshot;
  }

  /**
   * Puts bodies back to where they were, here or in another world whose bodies were made in the same order: ids count them. What the
   * snapshot does not know stays as it is. Where bodies, obstacles, pins and
   * options are the same, the world goes on with the same bits, but for local-global bodies on a GPU that touch something: their next
   * step begins without contact forces.
   *
   * @throws PliantError for a state that does not fit its body; nothing is changed then
   */
  restore(snapshot: Snapshot): void {
    this.check();
    restoreSnapshot(this, snapshot, () => {
      // First the clock: bodies note when they were put where they are.
      this.clock = snapshot.time;
      this.frames = snapshot.frame;
    });
  }

  /** What the world would go on from if the device were lost now. */
  get lastSnapshot(): Snapshot | undefined {
    const bodies = [...this.states].map(([{ id }, state]) => ({ ...state, id }));
    return this.snapshotTaken && { ...this.snapshotTaken, bodies };
  }

  /**
   * Goes on with another device after the first was lost: every body is built anew in its last known state. Drawing
   * outputs have to be set again.
   */
  replaceDevice(device: GPUDevice): void {
    this.check();
    this.adopt(new GpuContext(device, this.current.adapter));
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

  /** Bodies hand in their part of the frame; bodies of the Newton solver meet obstacles while rigid bodies step. */
  private prepare(frame: FrameInput): void {
    this.colliderSet.update();
    for (const body of this.bodyList) body.prepare(frame);
  }

  /** They are obstacles as soon as there is something deformable. */
  private stepRigidBodies(dt: number): void {
    // Those of the Newton solver meet rigid bodies in one system with them.
    const isMixed = this.bodyList.some(({ model }) => model.solver !== "newton");
    this.rigid.isMixed = isMixed;
    if (isMixed) this.rigidObstacles.begin(this.rigid.bodies, dt);
    else this.rigidObstacles.clear();
    const before = this.rigid.stepsRepeated;
    this.rigid.step(dt);
    const repeated = this.rigid.stepsRepeated - before;
    if (repeated > 0) this.onStepsRepeated.notify(repeated);
    if (isMixed) this.rigidObstacles.follow(dt, this.rigid.stepsTaken, this.gravityVector);
    this.onRigidStep.notify(dt);
  }

  private stepDeformables(frame: FrameInput): void {
    this.colliderSet.update();
    for (const proxy of this.colliderSet.proxies) proxy.beginFrame(frame.dt);
    this.current.frame(frame, (input) => this.systems.step(this.bodyList, input));
  }

  /** Who was pushed takes that over, and what has moved is where it starts from next. */
  private finish(dt: number): void {
    if (this.colliderSet.moving.includes(1)) {
      this.obstacleMotion.update(this.colliderSet);
      this.disturbBodies(this.obstacleMotion.share(1, 1) / dt);
    }
    this.colliderSet.endFrame();
    this.rigidObstacles.take(dt);
    for (const mechanism of this.mechanisms) mechanism.settle();
    this.clock += dt;
    this.lookAfterBodies(dt);
  }

  private get gpuContext(): GpuContext | undefined {
    return this.current.context;
  }

  private get rigidContext(): GpuContext | undefined {
    return this.options.rigidLane === "webgpu" ? this.gpuContext : undefined;
  }

  /** @param speed that obstacles may push bodies to [m/s] */
  private disturbBodies(speed = 0): void {
    for (const body of this.bodyList) body.disturb(speed);
  }

  /** Background readbacks, never waited for: snapshots, boxes of free bodies, the watch for frozen ones. */
  private lookAfterBodies(dt: number): void {
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

  /** An own device that is lost is replaced here; of a shared one the host has to say when there is another. */
  private watch(): void {
    const { device } = this;
    if (!device) return;
    void device.lost.then(async ({ message, reason }) => {
      if (this.disposed || device !== this.device) return;
      this.lost = true;
      this.onDeviceLost.notify({ reason: message || reason || "unknown" });
      if (this.options.device) return;
      try {
        this.adopt(await requestContext(gpuOf(this.options)));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.failure = new PliantError("device-lost", "World", why, "lost its GPU device and needs another to go on");
      }
    });
  }

  private adopt(context: GpuContext): void {
    const old = this.current;
    this.current = old.on!(context);
    this.rigid.moveTo(this.rigidContext, this.gpuContext);
    for (const body of this.bodyList) body.rebuild(this.states.get(body)!);
    old.dispose();
    this.lost = false;
    this.failure = undefined;
    this.watch();
    this.onDeviceRestored.notify(context.device);
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", "World", "a call", "was disposed");
  }
}
