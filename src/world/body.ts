import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import { checkFinite } from "../checks";
import { PliantError } from "../errors";
import { checkNames } from "../option-names";
import type { Box } from "../geometry/box";
import type { Vec3 } from "../math/types";
import {
  pinGives,
  type BodyPlace,
  type CpuDeformableSolver,
  type BodyState,
  type DeformableSolver,
  type FrameInput,
  type FactorHandle,
  type Tear,
} from "../solvers/deformable";
import { topWind } from "../solvers/air";
import type { GuestSolver } from "../solvers/guest";
import { requireSameMesh } from "../solvers/alike";
import type { GpbdModel } from "../solvers/gpbd/model";
import { defaultInflation, enclosedVolume, forgetCavity, isInflated } from "../solvers/gpbd/pressure/inflation";
import { type BodyHost, type BodyMemory, bodyOptionNames, type BodyOptions } from "./body-options";
import { BodyPins, type PinOptions } from "./body-pins";
import { BoundsTracker } from "./output/bounds";
import type { RayHit } from "./output/pick";
import type { RenderOutput } from "./output/render-output";
import type { Signal } from "./signal";
import { BodyTears } from "./tearing/body-tears";
import { layersPart } from "./backend/layers-part";
import { Part } from "../part";
import { checkEase, type Easing, easingOf, type MaterialEase } from "./backend/easing";
import { ChosenOptions, withValues } from "./chosen-options";
import type { BodyModel, BodySettings, SolverOptions } from "./backend/body-settings";
import { surfaceParts, tetherParts } from "./backend/sheet-parts";
import { cpuPartOf, solverKindOf, solverOptionNames } from "./backend/solvers";
import { Arrival, type WaitingSolver } from "./backend/waiting-solver";
import { inWind } from "./wind";
import { checkPush, type Push } from "./push/push";
import { Pushes } from "./push/pushes";
import { checkedState, firstState, type WrittenState } from "./written-state";
import { norm } from "../math/vectors";

export type { BodyOptions } from "./body-options";

/**
 * A deformable body in a world: cloth, chain, soft solid. Made by `World.addBody`.
 *
 * @example
 * ```ts
 * const grid = gridMesh({ width: 1, height: 1, columns: 16, rows: 16 });
 * const flag = world.addBody(clothModel({ ...grid, fabric: "silk" }), { pins: [0, 16] });
 * flag.setWind(0, 0, 3);
 * world.step(1 / 60);
 * const positions = await flag.readPositions();
 * ```
 */
export class DeformableBody {
  readonly name: string;
  private readonly chosen: ChosenOptions;
  /** number of the body in the world, in the order of making, from 1 on; snapshots identify bodies by it */
  readonly id: number;
  /** @internal */
  readonly pins: BodyPins;
  /** @internal */
  readonly _bounds: BoundsTracker;
  private solver: DeformableSolver;
  /** arrival of a solver that has to be loaded */
  private arrival: Arrival | undefined;
  /** @internal */
  readonly _tears: BodyTears | undefined;
  /** @internal easing of a new material that takes over gradually */
  _easing: Easing | undefined;
  private output: RenderOutput | undefined;
  private disposed = false;
  /** @internal set by `SleepingGroup` */
  _asleep = false;
  /** @internal whether its steps may be twice as long */
  _isFar = false;
  /** see `BodyOptions.layer` */
  readonly layer: number | undefined;
  /** @internal whether it was put to its place, and no step has begun since */
  _isPlaced = true;
  /** Whether the body may fall asleep, default true. A body that sleeps wakes in the next frame if it may not. */
  canSleep: boolean;
  private latest: Float32Array | undefined;
  /** @internal `BodyState.frames` at `latestPositions`, or at first */
  _frames: ArrayLike<number> | undefined;
  private readonly place: BodyPlace;
  /** number of states that were seen */
  private looks = 0;
  /** Counts the states that were written: readbacks of earlier ones come too late. */
  private epoch = 0;
  /** Counts the states that there were, steps included. */
  private moment = 0;
  /** @internal the present state, if the body has not been stepped since it was known */
  known: BodyState | undefined;
  /** @internal */
  readonly _pushes = new Pushes(this);
  /** memory of the solver for that state */
  private knownMemory: BodyMemory["solver"];

  constructor(
    private current: BodyModel,
    options: BodyOptions,
    private readonly host: BodyHost,
    private readonly onDispose: (body: DeformableBody) => void,
  ) {
    checkNames(`body "${options?.name ?? current?.name}"`, options, bodyOptionNames);
    const kind = solverKindOf(current);
    const { name, pins, pinCompliance, tearing, canSleep, layer, ...rest } = options;
    this.name = name ?? current.name;
    this.canSleep = canSleep ?? true;
    if (layer !== undefined) checkFinite(layer, `${this.label}.layer`);
    this.layer = layer;
    if (tearing) this._tears = new BodyTears(this.label, current, tearing);
    const model = this._tears?.model ?? current;
    this.current = model;
    this.chosen = new ChosenOptions(this.label, model, rest, host);
    kind.check?.(this.label, model, this.settings);
    this.checkChange(this.settings);
    this.pins = new BodyPins(this.label, model.positions, model.middles);
    if (pins) this.pins.check(pins, "pins");
    const compliance = this.pins.compliance({ compliance: pinCompliance }, kind.hasPinCompliance === true);
    this._bounds = new BoundsTracker(model, host.time);
    this.solver = this.createSolver();
    this.known = firstState(model);
    this._frames = this.known.frames;
    if (pins) this.pins.hold(pins, undefined, compliance);
    if (pins || host.backend.name !== "webgpu") this.loadTethers();
    this.place = this.placeOf();
    this.id = host.takeId();
  }

  get model(): BodyModel {
    return this.current;
  }

  /** The factor of a local-global body, and the one that is being computed; undefined for other solvers. */
  get factorization(): FactorHandle | undefined {
    if (this.isWaiting && this.current.solver === "local-global") return this.arrival!.factorization(this.current);
    return this.solver.factorization;
  }

  /**
   * Gives the body another material or rest shape, from the next step on, or from the time when its factor is ready
   * (`LocalGlobalOptions.factorization`). State, pins and options stay; options that the user did not set, such as
   * `friction`, become those of the model. The new model may have energies of other kinds.
   *
   * @param model has the same mesh and solver; for a body that tears, the mesh before it tore
   * @param ease lets a stiffer material take over gradually; without it, its forces act in full from the next step on
   * @throws PliantError `invalid-argument` for a model of another mesh or solver; `unsupported` for other rods;
   * `device-limit`. Nothing is changed after an error
   */
  replaceModel(model: BodyModel, ease?: MaterialEase): void {
    this.check();
    if (ease) checkEase(this.label, ease);
    if (!this._tears) requireSameMesh(this.label, this.model, model);
    solverKindOf(model).checkNext?.(this.label, this.model, model, this.settings);
    const next = this._tears ? this._tears.replaceModel(model as GpbdModel) : model;
    this.solver.replaceModel(next);
    const [before, settings] = [this.current, this.settings];
    this.current = next;
    this.chosen.follow(next);
    this.loadFor(next);
    if (ease) this._easing = easingOf(ease, before, settings, next, this.settings);
    // Pins store the masses of free particles.
    this.pins.changed = true;
    this.disturb();
  }

  /**
   * The precision and the processor of the last step of the body: `cpu` is f64 on the CPU, `simd` has
   * elements in f32 there by WebAssembly SIMD (cloth of the default solver in a world with backend `cpu`; docs/measurements/cloth.md
   * names cloth that is in f64 there), `webgpu` f32 on the GPU; see also `LocalGlobalOptions.lane`.
   */
  get lane(): "cpu" | "simd" | "webgpu" {
    return this.solver.lane ?? (this.host.backend.name === "webgpu" ? "webgpu" : "cpu");
  }

  get particleCount(): number {
    return this.model.particleCount;
  }

  get options(): Readonly<BodySettings> {
    return this.settings;
  }

  private get settings(): BodySettings {
    return this.chosen.values;
  }

  /**
   * Changes the options of the body's steps, from the next step on.
   *
   * @throws PliantError for a value out of range; nothing is changed then
   */
  setOptions(options: Partial<SolverOptions>): void {
    this.check();
    checkNames(this.label, options, solverOptionNames);
    const changed = withValues(options);
    const kind = solverKindOf(this.model);
    kind.validate(this.label, changed);
    this.checkChange({ ...this.settings, ...changed });
    this.chosen.give(changed);
    this.disturb();
  }

  /** Wind velocity [m/s], world space. */
  setWind(x: number, y: number, z: number): void {
    this.setOptions({ wind: [x, y, z] });
  }

  /** Gauge pressure inside a closed surface [Pa], see `InflationOptions`. The setter throws as `setOptions` does. */
  get pressure(): number {
    return this.settings.pressure ?? 0;
  }

  set pressure(pascal: number) {
    this.setOptions({ pressure: pascal });
  }

  /** The volume that a closed surface encloses now [m³]. */
  async readVolume(): Promise<number> {
    return Math.abs(enclosedVolume((await this.readState()).positions, this.model.faces));
  }

  /**
   * Holds particles at the places that `readPositions` last saw, or, before it did, at their places in the model. Give
   * them other places with `setPinTarget`.
   *
   * @throws PliantError `index-out-of-range`; also for a compliance below zero, or for one above zero with solver
   * `gpbd`
   */
  pin(indices: ArrayLike<number>, options: PinOptions = {}): void {
    this.check();
    const compliance = this.pins.compliance(options, solverKindOf(this.model).hasPinCompliance === true);
    this.pins.hold(indices, this.latest, compliance);
    this.pinsChanged();
  }

  /** Lets particles go; without indices, all of them. */
  unpin(indices?: ArrayLike<number>): void {
    this.check();
    this.pins.release(indices);
    this.pinsChanged();
  }

  /**
   * Sets the place of a pinned particle at the end of the next step [m].
   *
   * @throws PliantError `index-out-of-range`, `non-finite`, or `invalid-argument` for a particle that is not pinned
   */
  setPinTarget(index: number, x: number, y: number, z: number): void {
    this.check();
    this.pins.setTarget(index, x, y, z);
    if (pinGives(this.pins, index)) this.disturb();
  }

  /** @internal limits the total force of all these pins together [N]; of solver `gpbd` */
  limitPins(indices: ArrayLike<number>, force: number): void {
    this.pins.limit(indices, force);
    this.pinsChanged();
  }

  /** @internal lets a rigid body carry pinned particles and feel them; without a proxy, the pins alone hold them */
  carry(indices: Iterable<number>, proxy: RigidProxy | undefined): void {
    for (const p of indices) this.pins.carry(p, proxy);
  }

  /** The place of a pinned particle at the end of the next step [m]. */
  pinTarget(index: number): Vec3 {
    return this.pins.target(index);
  }

  /**
   * @internal the largest ratio of the distance between the targets of two pins to their distance along the body's
   * edges. An inextensible body cannot follow its pins if the ratio is above 1. 0 with fewer than two pins, and for a
   * body that tears.
   */
  get pinStretch(): number {
    return this._tears ? 0 : this._bounds.pinStretch(this.pins);
  }

  isPinned(index: number): boolean {
    return this.pins.pinned[index] === 1;
  }

  /** Positions after the last step, particleCount × 3 [m], world space. */
  async readPositions(): Promise<Float32Array> {
    return Float32Array.from((await this.readState()).positions);
  }

  /** Velocities after the last step, particleCount × 3 [m/s]. */
  async readVelocities(): Promise<Float32Array> {
    return Float32Array.from((await this.readState()).velocities);
  }

  /** Positions and velocities after the last step, in the backend's precision. */
  async readState(): Promise<BodyState> {
    this.check();
    const { epoch } = this;
    const time = this.host.time;
    const inUse = this._tears?.particleCount;
    const state = { ...(await this.solver.readState()), inUse };
    if (epoch === this.epoch) this.observed(state, time);
    return state;
  }

  /**
   * Puts the body into a state.
   *
   * @throws PliantError for the wrong number of values or values that are not finite
   */
  writeState(state: WrittenState): void {
    this.check();
    const { positions, velocities, frames, plastic } = checkedState(this.label, this.model, state);
    this.wake();
    this.host.systems.attachments?.noteWritten(this);
    this._tears?.forget();
    this._tears?.complete(state, positions, velocities);
    this.setKnown({ positions, velocities, frames, plastic });
    this.solver.writeState({ positions, velocities, frames, plastic });
    this.pins.follow(positions);
    this._isPlaced = true;
    this._pushes.forget();
    this.epoch++;
    this.looks++;
    this.latest = Float32Array.from(positions);
    this._frames = frames;
    this._bounds.place(positions, velocities, this.host.time);
  }

  /** Puts the particles back to their first places, at rest. Pinned ones stay pinned, there; tears stay. */
  reset(): void {
    this.writeState({ ...firstState(this.model), inUse: this._tears?.firstSpare });
  }

  /**
   * Changes the motion of the body. On a GPU, the next step may wait for the state of a body of `local-global` or `newton`.
   *
   * @throws PliantError for a value that is not finite; nothing is changed then
   */
  push(push: Push): void {
    this.check();
    checkPush(`${this.label} push`, push);
    this.wake();
    this._pushes.give(push);
  }

  /** @internal goes on with other velocities: of this state, which may be new to the solver, or faster by so much [m/s] on a GPU */
  goOnFrom(state: BodyState | undefined, isNew: boolean, faster = 0): void {
    const { solver, knownMemory, _bounds: bounds } = this;
    this.setKnown(isNew ? state : undefined);
    this.epoch++;
    if (isNew) solver.writeState(state!);
    if (isNew && knownMemory) solver.loadMemory?.(knownMemory);
    if (state) bounds.place(state.positions, state.velocities, this.host.time);
    else bounds.hasten(this.host.time, faster);
  }

  /** @internal puts the body into a state that follows from its present one: at once, or from a GPU when that is known */
  rewrite(change: (state: BodyState) => BodyState, done?: () => void): void {
    const { solver, epoch } = this;
    const inUse = this._tears?.particleCount;
    const write = (state: BodyState): void => {
      if (this.disposed || epoch !== this.epoch) return;
      this.writeState({ ...change(state), inUse });
      done?.();
    };
    if ("state" in solver)
      write((solver as CpuDeformableSolver).copyState?.() ?? (solver as CpuDeformableSolver).state);
    else void solver.readState().then(write, () => undefined);
  }

  /** Last positions that reached the CPU, particleCount × 3 [m]; see `requestReadback`. */
  get latestPositions(): Float32Array | undefined {
    return this.latest;
  }

  /**
   * Asks for an update of `latestPositions` without waiting: it comes at once on the cpu backend, a frame or two later
   * from a GPU. A request is dropped while all staging buffers are in use.
   *
   * @param receive called when the positions have arrived
   */
  requestReadback(receive?: (positions: Float32Array) => void): void {
    this.check();
    this.requestState(({ positions }) => receive?.(positions as Float32Array));
  }

  /**
   * The particle nearest to a ray.
   *
   * @param origin [m], world space
   * @param direction any length
   * @param radius largest distance of a particle from the ray, if no triangle is hit [m], default 0.02
   */
  async pick(origin: Vec3, direction: Vec3, radius?: number): Promise<RayHit | undefined> {
    const [{ positions }, { nearestOf }] = await Promise.all([this.readState(), import("./output/pick")]);
    return nearestOf(this.model, positions, origin, direction, radius);
  }

  /**
   * Writes vertices for drawing into a GPU buffer after every step.
   *
   * @throws PliantError `unsupported` on the cpu backend; `index-out-of-range` or `invalid-argument` for vertices of
   * particles that the body does not have, or for buffers that are too small
   */
  setRenderOutput(output: RenderOutput | undefined): void {
    this.check();
    this.host.backend.setRenderOutput(this.solver, output);
    this.output = output;
  }

  /** A box in world space that contains the body, computed without a readback. */
  conservativeBounds(): Box {
    return this.place.boxIn(0);
  }

  /**
   * Whether `conservativeBounds` stays tight by itself: true for a pinned body, and for a body that lies still
   * undisturbed.
   */
  get boundsAnchored(): boolean {
    return this._bounds.anchored || this._bounds.resting;
  }

  /** @internal reports a change around the body that may set it in motion, by obstacles up to this speed [m/s] */
  disturb(speed = 0): void {
    if (!this._asleep) this._bounds.disturb(this.host.time, speed);
  }

  /**
   * Whether the body sleeps: it has hardly moved for half a second, so that it is not stepped until something near it
   * moves or changes, or a call wakes it. Bodies that may touch fall asleep together, with rigid ones. A sleeping body
   * reports no contact forces. Only in worlds on the CPU; cloth that tears does not sleep.
   */
  get isAsleep(): boolean {
    return this._asleep;
  }

  /** Wakes the body, and the bodies that fell asleep with it. A body that is awake begins its time at rest anew. */
  wake(): void {
    this.check();
    this.host.systems.sleepers?.wake(this);
    this.disturb();
  }

  /**
   * Puts the body to sleep at its present place, with the bodies that it may touch, until something disturbs them. It
   * stays awake if one of these moves.
   */
  sleep(): void {
    this.check();
    this.host.systems.sleepers?.sleep(this);
  }

  /** @internal before the rigid bodies step */
  prepare(frame: FrameInput): void {
    this.setKnown(undefined);
    this.pins.leadMiddles();
    if (this.pins.range) this.disturb(this.pins.range.begin() / frame.dt);
    let settings = this.chosen.inStep(this.pins);
    if (this._easing && !this._easing.isDone)
      settings = solverKindOf(this.model).eased(settings, this._easing.next(frame.dt));
    if (this._isFar) settings = { ...settings, isFar: true };
    if (this.model.solver !== "newton") settings = inWind(settings, this.host.wind);
    this.solver.prepare?.(frame, settings, this.pins, this.place);
  }

  /**
   * @internal the solver, which is the body's part of the system that steps it; on the CPU the body may meet bodies of
   * other systems
   */
  get stepper(): DeformableSolver & GuestSolver {
    return this.solver;
  }

  /** @internal as `requestReadback`, with velocities */
  requestState(receive: (state: BodyState) => void): void {
    const { epoch } = this;
    const inUse = this._tears?.particleCount;
    const time = this.host.time;
    this.host.backend.readLater(this.solver, (state) => {
      if (this.disposed || epoch !== this.epoch) return;
      this.observed(state, time);
      receive(inUse === undefined ? state : { ...state, inUse });
    });
  }

  /** @internal first frame in which the body was frozen, 0 while all its values are finite */
  frozenAt(): Promise<number> {
    return this.solver.frozenAt();
  }

  /** @internal */
  async saveMemory(): Promise<BodyMemory> {
    const pins = this.pins.save();
    return { pins, solver: await this.solver.saveMemory?.() };
  }

  /** @internal */
  loadMemory({ pins, solver }: BodyMemory): void {
    this.pins.load(pins);
    this.knownMemory = solver;
    if (solver) this.solver.loadMemory?.(solver);
  }

  /** @internal a box that will contain the body after so many seconds, no larger than its last observation allows */
  boxAfter(seconds: number): Box {
    const { thickness } = this.settings;
    return this._bounds.tightBox(this.pins, this.host.time + seconds, this.gravity, this.topWind, thickness);
  }

  /** @internal asks for another observation: at once, or a frame or two later from a GPU */
  look(): void {
    this.requestState(() => undefined);
  }

  /** @internal whether it was seen lying still, and nothing has disturbed it since */
  get isResting(): boolean {
    return this._bounds.resting;
  }

  /** @internal whether it is attached to rigid bodies that touch or are joined to others: all answer together, on the CPU */
  get bearsLoads(): boolean {
    return this.pins.proxies?.some((proxy) => proxy && proxy.borne > 0) === true;
  }

  /** @internal whether the CPU steps the body in a world on a GPU, since it meets bodies of other solvers there */
  get isOnCpu(): boolean {
    return !this.isWaiting && ("state" in this.solver || this.stepper.guest !== undefined);
  }

  /** @internal the code that steps it on the CPU */
  get hostParts() {
    const { model } = this;
    const code = cpuPartOf(solverKindOf(model), "cpu");
    return [code, surfaceParts.cpu, ...("sheet" in model && model.sheet ? [tetherParts.cpu] : [])];
  }

  /** @internal makes the present state known, unless it changes meanwhile */
  async fetch(): Promise<void> {
    const { moment } = this;
    const state = await this.readState();
    if (moment === this.moment && !this.disposed) this.known = state;
  }

  /** @internal goes on in that state on the CPU or the GPU of a world on a GPU */
  goOnWith(lane: "cpu" | "webgpu", state: BodyState): void {
    const { backend } = this.host;
    const { solver: last, current, settings, output, knownMemory } = this;
    this.solver = backend[lane === "cpu" ? "createOnCpu" : "createSolver"]!(current, this.host, settings);
    this.solver.writeState(state);
    if (knownMemory) this.solver.loadMemory?.(knownMemory);
    if (output) backend.setRenderOutput(this.solver, output);
    this.pins.changed = true;
    last.dispose();
  }

  private setKnown(state: BodyState | undefined): void {
    this.moment++;
    this.known = state;
    this.knownMemory = undefined;
  }

  /** @internal moves the body to another backend, in the given state */
  rebuild(state: BodyState): void {
    this.solver.dispose();
    this.solver = this.createSolver();
    this.output = undefined;
    this.writeState(state);
  }

  /** Tears of a frame: new particles and their triangles. Undefined for a body that does not tear. */
  get onTear(): Signal<Tear> | undefined {
    return this._tears?.onTear;
  }

  /** Longest time that the tears of a frame have taken so far [s]. */
  get longestTear(): number {
    return this._tears?.longest ?? 0;
  }

  /** @internal after a frame */
  lookForTears(): void {
    this._tears?.lookAt(this.solver, this.host.backend, this.pins, (tear) => {
      this.solver.tear?.(tear);
      this.pins.changed = true;
      // An open surface holds no pressure.
      if (isInflated(this.settings)) this.chosen.give(defaultInflation);
      forgetCavity(this.model);
    });
  }

  /** @internal resolves when the tears of past frames are done */
  settled(): Promise<void> {
    return this._tears?.settled() ?? Promise.resolve();
  }

  /** Takes the body out of the world and frees its resources. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.pins.release();
    this._tears?.forget();
    this.solver.dispose();
    this.onDispose(this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The solver, or its stand-in while the code of the solver is loading. */
  private createSolver(): DeformableSolver {
    const { backend } = this.host;
    const part = backend.partFor(this.current);
    const parts: Part<unknown>[] = this.layer === undefined ? [part] : [part, layersPart];
    if (parts.every(({ loaded }) => loaded)) return backend.createSolver(this.current, this.host, this.settings);
    const waiting = backend.createWaiting(this.current);
    this.arrival = new Arrival(parts, () => {
      if (this.solver === waiting && !this.disposed) this.succeed(waiting);
      return this.solver;
    });
    return waiting;
  }

  /** Loads code that another model needs. The world takes no step before it is here. */
  private loadFor(model: BodyModel): void {
    const { arrival } = this;
    const parts = this.isOnCpu ? this.hostParts : [this.host.backend.partFor(model)];
    if (parts.every(({ loaded }) => loaded)) return;
    this.arrival = new Arrival([new Part(async () => arrival?.done), ...parts], () => {
      if (!this.disposed) this.solver.replaceModel(this.current);
      return this.solver;
    });
  }

  private succeed(waiting: WaitingSolver): void {
    const { backend } = this.host;
    this.solver = backend.createSolver(this.current, this.host, this.settings);
    if (this.output) backend.setRenderOutput(this.solver, this.output);
    waiting.dispose();
    if (waiting.written) this.solver.writeState(waiting.written);
    this.pins.changed = true;
  }

  /** @internal whether the solver is still loading: the world does not step then */
  get isWaiting(): boolean {
    return this.arrival?.isPending === true;
  }

  /** @internal resolves when the solver is loaded; rejects if it cannot be loaded, or has no room for the body */
  async whenReady(): Promise<void> {
    await this.arrival?.done;
    await this._pushes.done;
  }

  private placeOf(): BodyPlace {
    // Getters, since solvers ask for the place in later steps too.
    const body = this as DeformableBody;
    return {
      boxIn(seconds) {
        const { thickness } = body.settings;
        return body._bounds.box(body.pins, body.host.time + seconds, body.gravity, body.topWind, thickness);
      },
      get isBounded() {
        return body.boundsAnchored;
      },
      get seen() {
        return body.latest ?? body.model.positions;
      },
      get looks() {
        return body.looks;
      },
      look: () => body.look(),
    };
  }

  private observed({ positions, velocities, frames }: BodyState, time: number): void {
    this.looks++;
    this.latest = positions instanceof Float32Array ? positions : Float32Array.from(positions);
    this._frames = frames;
    this._bounds.observe(positions, velocities, time, this.gravity);
  }

  /** @internal mean wind around the body, with that of the world [m/s], and what differs from place to place */
  get wind(): Pick<BodySettings, "wind" | "windField"> {
    return inWind(this.settings, this.host.wind);
  }

  /** @internal speed that the air around the body may have, at most [m/s] */
  get topWind(): number {
    return topWind(this.wind);
  }

  /** [m/s²] */
  private get gravity(): number {
    return norm(this.host.gravity) * Math.abs(this.settings.gravityFactor);
  }

  private loadTethers(): void {
    const part = tetherParts[this.host.backend.name];
    // With them come threads, on the CPU. A failed import leaves the cloth as it is without both.
    if ("sheet" in this.model && this.model.sheet) part.load().catch(() => undefined);
  }

  private checkChange(settings: BodySettings): void {
    if (this._tears) BodyTears.check(this.label, settings, this.layer);
    solverKindOf(this.model).checkChange?.(this.label, this.model, settings);
  }

  private pinsChanged(): void {
    this.loadTethers();
    const { thickness } = this.settings;
    this._bounds.pinsChanged(this.pins, this.host.time, this.gravity, this.topWind, thickness);
    this.disturb();
  }

  private get label(): string {
    return `body "${this.name}"`;
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", this.label, "a call", "was disposed");
  }
}
