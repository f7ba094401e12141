import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Node } from "@babylonjs/core/node";
import type { IRaycastQuery, PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import type { IPhysicsEnginePluginV2 } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { invalid, PliantError, unsupported } from "../src/errors";
import { World } from "../src/index";
import type { RigidWorld } from "../src/world/rigid/rigid-world";
import type { ClothAggregate } from "./cloth/cloth-aggregate";
import { costPart, leapPart, lodPart } from "./deformable/parts";
import type { DeformableAggregate } from "./deformable/deformable-aggregate";
import type { RopeAggregate } from "./rope/rope-aggregate";
import type { SkeletonAggregate } from "./skeleton/skeleton-aggregate";
import type { SoftBodyAggregate } from "./soft-body/soft-body-aggregate";
import { requireFiniteVector } from "./geometry/convert";
import { followEngineDevice } from "./device-loss";
import { deviceOf, isWebGPU } from "./device";
import { hintAtScale, placeOf, settleOrigin } from "./engine-origin";
import { EventMethods } from "./methods/event-methods";
import { checkPluginOptions, type PliantPluginOptions } from "./options";
import { requireKind } from "./plugin-of";
import { FrameMotion, statesOf } from "./rigid/bodies";
import { SceneFrame } from "./scene-frame";
import { StepClock, type FrameSteps } from "./stepping";

/**
 * A `PliantPlugin` without queries for rigid bodies: no rays, no casts of shapes, and no characters. A page with this one alone starts with a
 * quarter less code. All else is the same, and cloth is picked and dragged as ever.
 *
 * @example
 * ```ts
 * const plugin = await ClothPlugin.CreateAsync(engine);
 * scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
 * const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
 * new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, scene);
 * ```
 */
export class ClothPlugin extends EventMethods implements IPhysicsEnginePluginV2 {
  readonly name = "PliantPlugin";
  /** Notify before and after each time step of a frame, with its length in seconds. */
  readonly onBeforeStepObservable = new Observable<number>();
  readonly onAfterStepObservable = new Observable<number>();
  /**
   * Notifies of a part of the scene that cannot be simulated in its present state, such as a body whose node has no
   * finite position: the scene goes on without it. Each problem is reported once, also on the console.
   */
  readonly onProblemObservable = this._problems.onProblemObservable;
  private readonly deformables = new Set<DeformableAggregate>();
  private readonly skeletons = new Set<SkeletonAggregate>();
  private readonly gravity = new Vector3(0, -9.81 * this.frame.unitsPerMetre, 0);
  private readonly stopFollowing: () => void;
  /** @internal ways of the bodies through the present frame */
  _motions: readonly FrameMotion[] = [];
  private loading: Promise<void> | undefined;
  private disposed = false;

  protected constructor(
    /** The simulation, which may also be used directly. */
    readonly world: World,
    /** The engine that draws. */
    readonly engine: AbstractEngine,
    private readonly clock: StepClock,
    readonly frame: SceneFrame = refuseNew(),
    /** see `PliantPluginOptions` */
    readonly maxHullVertices: number | undefined,
    /** @internal code that draws from the buffers of the simulation; only a WebGPU engine loads it */
    readonly _gpuDrawing: typeof import("./deformable/mesh/gpu-vertices") | undefined,
  ) {
    super();
    this.maxLinearVelocity *= frame.unitsPerMetre;
    this.stopFollowing = followEngineDevice(this);
    world.onRigidStep.add(() => this.rigidBodiesMoved());
    world.makeBodies = () => this.makeBodies();
  }

  /**
   * Makes a plugin. With a `WebGPUEngine`, cloth is simulated and drawn on the engine's own device. With any other
   * engine, cloth is simulated on a device of its own, and positions are read back. Without WebGPU, cloth is simulated
   * on the CPU.
   *
   * @throws PliantError `no-adapter` for `backend: "webgpu"` without a GPU; `invalid-argument` for an option out of its
   * range or a WebGPU engine that is not initialized
   */
  static async CreateAsync(engine: AbstractEngine, options: PliantPluginOptions = {}): Promise<ClothPlugin> {
    checkPluginOptions(options);
    requireKind("PliantPlugin.engine", engine, "getRenderingCanvas", "an engine of Babylon.js");
    const {
      useDeltaForWorldStep = false,
      maxStepsPerFrame = Infinity,
      worldScale = 1,
      maxHullVertices,
      load = engine.getRenderingCanvas() ? "needed" : "all",
      ...ofWorld
    } = options;
    const isOnCpu = options.backend === "cpu" || options.backend === "reference";
    const device = !isOnCpu && isWebGPU(engine) ? deviceOf(engine) : undefined;
    const [world, gpuDrawing] = await Promise.all([
      World.create({ ...ofWorld, device, load }),
      device && import("./deformable/mesh/gpu-vertices"),
      load === "all" && Promise.all([costPart.load(), leapPart.load(), lodPart.load()]),
    ]);
    return new this(
      world,
      engine,
      new StepClock(useDeltaForWorldStep, maxStepsPerFrame),
      new SceneFrame(worldScale),
      maxHullVertices,
      gpuDrawing,
    );
  }

  /**
   * Resolves when all code is loaded that the present scene needs; see `PliantPluginOptions.load`. Rejects if code
   * cannot be loaded.
   */
  whenReadyAsync(): Promise<void> {
    return this.world.whenReadyAsync();
  }

  /** Whether the next step, of dt [s], has to wait for code or states; asks for them. */
  private isWaiting(dt: number): boolean {
    if (this.world.isReadyFor(dt)) return false;
    this.loading ??= this.whenReadyAsync().then(() => (this.loading = undefined));
    return true;
  }

  /** Whether deformable bodies are drawn from the buffers of the simulation. */
  get drawsFromGpu(): boolean {
    return this.world.backend === "webgpu" && isWebGPU(this.engine);
  }

  /** Rigid bodies and joints of the engine. */
  get rigid(): RigidWorld {
    return this.world.rigid;
  }

  /** The cloth of the scene. */
  get clothAggregates(): readonly ClothAggregate[] {
    return this.deformableAggregates.filter((aggregate): aggregate is ClothAggregate => aggregate.kind === "cloth");
  }

  /** The soft bodies of the scene. */
  get softBodyAggregates(): readonly SoftBodyAggregate[] {
    return this.deformableAggregates.filter(
      (aggregate): aggregate is SoftBodyAggregate => aggregate.kind === "soft-body",
    );
  }

  /** The ropes of the scene. */
  get ropeAggregates(): readonly RopeAggregate[] {
    return this.deformableAggregates.filter((aggregate): aggregate is RopeAggregate => aggregate.kind === "rope");
  }

  /** Cloth, soft bodies and ropes, in the order of their creation. */
  get deformableAggregates(): readonly DeformableAggregate[] {
    return [...this.deformables];
  }

  /** Skeletons whose bones have colliders. */
  get skeletonAggregates(): readonly SkeletonAggregate[] {
    return [...this.skeletons];
  }

  /** Whether the plugin can be used: always true, since `CreateAsync` throws otherwise. */
  isSupported(): boolean {
    return true;
  }

  /** @throws PliantError `unsupported`: only a `PliantPlugin` answers queries */
  raycast(
    _from: Vector3,
    _to: Vector3,
    _result: PhysicsRaycastResult | PhysicsRaycastResult[],
    _query?: IRaycastQuery,
  ): void {
    throw unsupported("ClothPlugin", "raycast", "needs a PliantPlugin");
  }

  getPluginVersion(): number {
    return 2;
  }

  /** @param gravity units of the scene (m) per s² */
  setGravity(gravity: Vector3): void {
    this.check();
    requireFiniteVector("PliantPlugin.setGravity", gravity);
    if (!gravity.equals(this.gravity)) hintAtScale(gravity.length(), this.frame.unitsPerMetre);
    this.gravity.copyFrom(gravity);
    this.world.gravity = this.frame.offset(gravity);
  }

  getGravity(): Vector3 {
    return this.gravity.clone();
  }

  /**
   * @param timeStep time step, s; zero stops the simulation until another value is set
   * @throws PliantError for a value below zero or not finite
   */
  setTimeStep(timeStep: number): void {
    this.check();
    this.clock.timeStep = timeStep;
  }

  getTimeStep(): number {
    return this.clock.timeStep;
  }

  /** @internal the time step, or, while the simulation is stopped, the last one before, s */
  get _runningTimeStep(): number {
    return this.clock.runningStep;
  }

  /** Steps one frame. The scene calls this. */
  executeStep(delta: number, bodies: PhysicsBody[]): void {
    if (this.disposed) return;
    const { _problems: problems } = this;
    const due = this.clock.advance(delta, this.isSubStepped);
    const isHeld = this.isBehind || (due.count > 0 && this.isWaiting(due.dt));
    const steps = isHeld ? { ...due, count: 0 } : due;
    for (const body of bodies) this.readBody(body);
    if (steps.count > 0) this.takeSteps(steps, bodies);
    else for (const body of bodies) for (const state of statesOf(body)) state.forcesAreOld = true;
    if (this.disposed) return;
    this.writeAllNodes();
    for (const aggregate of this.deformables)
      problems.attempt(aggregate, () => aggregate._afterFrame(steps.count > 0), aggregate._output);
  }

  /**
   * Whether steps have to be left out because the GPU is slower than the display. On a device of its own nothing else
   * would hold the simulation back, and the queue of the device would grow without end; with steps left out the scene
   * runs in slow motion. Without a canvas nobody watches, and all steps count.
   */
  private get isBehind(): boolean {
    return (
      Boolean(this.engine.getRenderingCanvas()) && this.deformableAggregates.some(({ _output }) => _output.isBehind)
    );
  }

  /** Whether the scene divides its frames itself (`setSubTimeStep`): then each call is one step. */
  private get isSubStepped(): boolean {
    return this.engine.scenes.some((scene) => {
      const physics = scene.getPhysicsEngine();
      return physics?.getPhysicsPlugin() === this && physics.getSubTimeStep() > 0;
    });
  }

  /** Bodies and joints of the scene are in the world from the first step on, or from the first snapshot. */
  private makeBodies(): void {
    for (const body of this.bodies) {
      this.readBody(body);
      for (const state of statesOf(body)) if (state.isSimulated) state.engine.ensure(this.shapeOf(body), this);
    }
    this.refreshConstraints();
  }

  private takeSteps(steps: FrameSteps, bodies: PhysicsBody[]): void {
    const motions: FrameMotion[] = [];
    for (const body of bodies)
      for (const state of statesOf(body))
        if (!state.isLeftOut) motions.push(new FrameMotion(body, state, this.shapeOf(body)));
    this._motions = motions;
    const { _problems: problems } = this;
    for (let step = 0; step < steps.count && !this.disposed; step++) {
      this.onBeforeStepObservable.notifyObservers(steps.dt);
      const fraction = (step + 1) / steps.count;
      if (this.disposed) break;
      this.eachMotion((motion) => motion.prepare(fraction, steps.dt, this));
      this.refreshConstraints();
      this.refreshCables();
      this.eachMotion((motion) => motion.layToSleep());
      for (const figure of this.skeletons) problems.attempt(figure, () => figure._beforeStep(fraction, steps.dt));
      for (const aggregate of this.deformables)
        problems.attempt(aggregate, () => aggregate._beforeStep(fraction, steps.dt));
      problems.attempt(undefined, () => this.world.step(steps.dt));
      if (this.deformables.size > 0) this.eachMotion((motion) => motion.finishStep());
      this.sendEvents(steps.dt);
      this.onAfterStepObservable.notifyObservers(steps.dt);
    }
    for (const motion of motions) motion.finish();
    this._motions = [];
  }

  /** Within a step of the world: rigid bodies have moved, and deformable bodies have not met them on that way yet. */
  private rigidBodiesMoved(): void {
    this.eachMotion((motion) => motion.finishStep());
    for (const aggregate of this.deformables) aggregate._rigidBodiesMoved();
  }

  /** Applies a function to all motions; a motion that fails is left out. */
  private eachMotion(act: (motion: FrameMotion) => void): void {
    for (const motion of this._motions)
      try {
        act(motion);
      } catch (cause) {
        this.leaveOut(motion.body, motion.state, cause);
      }
  }

  /** Frees everything, including cloth and soft bodies. */
  dispose(): void {
    if (this.disposed) return;
    for (const figure of this.skeletonAggregates) figure.dispose();
    for (const aggregate of [...this.deformables]) aggregate.dispose();
    for (const body of this.bodies) for (const state of statesOf(body)) state.dispose();
    this.bodies.clear();
    this.disposed = true;
    this.stopFollowing();
    this.onBeforeStepObservable.clear();
    this.onAfterStepObservable.clear();
    this.clearObservables();
    this._problems.clear();
    this.world.dispose();
  }

  protected check(): void {
    if (this.disposed) throw new PliantError("disposed", this.name, "a call", "was disposed");
  }

  /** @internal before a deformable body is made of a mesh */
  _settleAt(mesh: AbstractMesh): void {
    this._settle(placeOf(mesh));
  }

  /** @internal before a deformable body is made at a place */
  _settle(place: Vector3 | undefined): void {
    const { world, frame, bodies } = this;
    const others = [...this.skeletons, ...(this._beside ? [this._beside] : [])];
    if (place) settleOrigin({ world, frame, bodies, others }, place);
  }

  /** @internal */
  _add(aggregate: DeformableAggregate): void {
    this.deformables.add(aggregate);
  }

  /** @internal */
  _remove(aggregate: DeformableAggregate): void {
    this.deformables.delete(aggregate);
  }

  /** @internal */
  _refuseDynamic(isLed: (node: Node) => boolean, isOwn: boolean): void {
    for (const aggregate of this.deformables) if (!isOwn || !aggregate._pullsAtBodies) aggregate._refuseDynamic(isLed);
  }

  /** @internal */
  _addSkeleton(figure: SkeletonAggregate): void {
    this.skeletons.add(figure);
  }

  /** @internal */
  _removeSkeleton(figure: SkeletonAggregate): void {
    this.skeletons.delete(figure);
  }
}

/** @throws PliantError for a call of the constructor, which type checkers refuse, too */
function refuseNew(): never {
  throw invalid("PliantPlugin", "new", "must be made by await PliantPlugin.CreateAsync(engine)");
}
