import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Node } from "@babylonjs/core/node";
import { invalid, PliantError } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { requireKind } from "../plugin-of";
import type { BodyModel, BodyOptions, DeformableBody, PinOptions, SolverName } from "../../src/index";
import { solverOf } from "../../src/solvers/alike";
import { pinOptionNames } from "../../src/world/body-pins";
import type { BodyCost } from "./body-cost";
import { costPart, lodPart } from "./parts";
import { requireFiniteVector } from "../geometry/convert";
import { notNegative } from "../../src/world/rigid/checks";
import { isWebGPU } from "../device";
import type { ClothPlugin } from "../cloth-plugin";
import { Attachments } from "./attachments";
import type { DeformableParts } from "./deformable-parts";
import { carrierOf, nodeOrBone, type Carrier } from "./carrier";
import { CpuVertices } from "./mesh/cpu-vertices";
import { refuseDynamic } from "./leading-body";
import { MeshSnapshot } from "./mesh/mesh-snapshot";
import { placesNear, placesWhere, type VertexChoice, type VertexPredicate } from "./find-points";
import { type LevelOfDetail, requireCompliance } from "./motion-options";
import { requireIndices } from "./mesh/require-indices";
import { tidyMesh } from "./mesh/tidy-mesh";
import type { VertexOutput } from "./mesh/vertex-output";
import type { VertexSkin } from "./mesh/vertex-skin";
import { PushMethods } from "./push-methods";

/** Options for disposing of an aggregate. */
export interface DeformableDisposeOptions {
  /**
   * whether the mesh gets back the vertices, triangles and submeshes that it had before the aggregate was made; default false
   */
  restore?: boolean;
}

const disposeOptionNames = optionNames<DeformableDisposeOptions>()("restore?");

/** A place for a particle [m]. */
export type ParticlePlace = Record<"particle" | "x" | "y" | "z", number>;

/** The last known state of the particles; no velocities before the first step. */
interface SeenState {
  readonly positions: ArrayLike<number>;
  readonly velocities?: ArrayLike<number>;
}

/** Time of the gradual change to a new material [s]. */
const TAKE_OVER = 0.5;
/** Largest ratio of the distance between two pins to their distance along the body. */
const MOST_STRETCH = 2;

/**
 * A mesh whose vertices move with a deformable body. All methods take indices of the mesh's vertices; if several particles hold a vertex, a call
 * affects all of them. The body lives in world space: moving the node of the mesh later does not move the body (see `attach`).
 */
export abstract class DeformableAggregate extends PushMethods {
  abstract readonly kind: "cloth" | "soft-body" | "rope";
  /** the solver that steps the body */
  abstract readonly solver: SolverName;
  /** The body in the simulation, with particles instead of vertices. */
  readonly body: DeformableBody;
  readonly mesh: Mesh;
  /** Notifies when the body has turned non-finite. It stands still since `frame`; the rest of the scene goes on. */
  readonly onFrozenObservable = new Observable<{ frame: number }>();
  readonly onDisposeObservable = new Observable<DeformableAggregate>();
  /** name in messages */
  protected readonly name: string;
  /** @internal */
  readonly plugin: ClothPlugin;
  protected readonly output: VertexOutput;
  /** @internal */
  readonly _skin: VertexSkin;
  /** @internal */
  readonly _original: MeshSnapshot;
  /** @internal */
  readonly _attachments: Attachments;
  /** @internal options as the user gave them, those that were changed later included */
  _given: Readonly<Record<string, unknown>>;
  private readonly lod: LevelOfDetail | undefined;
  /** @internal particles that the user pinned; particles that only a node carries are not in the set */
  readonly _pinned: Set<number>;
  private readonly stopListening: () => void;
  /** @internal whether a step has begun since it was made */
  _stepped = false;

  protected constructor(parts: DeformableParts) {
    super();
    const { object, plugin, mesh, scene, model, skin, options, lod } = parts;
    if (lod !== undefined && typeof lod !== "function") notNegative(`${object}.lod`, lod);
    if (lod !== undefined) lodPart.load().catch(() => undefined);
    this.lod = lod;
    this._given = { ...parts.given };
    this.name = object;
    this.plugin = plugin;
    this._skin = skin;
    const { world, engine } = plugin;
    this._pinned = new Set(this.particlesOf(parts.pins, "pins"));
    const carried = this.particlesOf(parts.carried ?? [], "attach");
    this.body = world.addBody(model, {
      ...options,
      name: mesh.name,
      pins: [...new Set([...this._pinned, ...carried])],
    });

    // there are no refusals from here on
    this.mesh = mesh as Mesh;
    this._attachments = new Attachments(this.body, this);
    this._original = new MeshSnapshot(this.mesh);
    tidyMesh(this.mesh, parts.isInsideOut === true);
    skin.prepare?.(this.mesh, this.body);
    this.output =
      plugin.drawsFromGpu && isWebGPU(engine) && skin.output
        ? new plugin._gpuDrawing!.GpuVertices(this.mesh, engine, this.body, skin)
        : new CpuVertices(this.mesh, this.body, skin);
    plugin._add(this);
    const frozen = world.onBodyFrozen.add(({ body, frame }) => {
      if (body === this.body) this.onFrozenObservable.notifyObservers({ frame });
    });
    const gone = mesh.onDisposeObservable.add(() => this.dispose());
    // the last moment before drawing: all nodes have been moved in this frame by now
    const drawing = scene.onBeforeActiveMeshesEvaluationObservable.add(() => this.output.followMesh());
    this.stopListening = () => {
      frozen();
      scene.onBeforeActiveMeshesEvaluationObservable.remove(drawing);
      mesh.onDisposeObservable.remove(gone);
    };
  }

  /** Whether `dispose` was called, or the mesh or the plugin was disposed of. */
  get isDisposed(): boolean {
    return this.body.isDisposed;
  }

  /**
   * Whether the body sleeps: it has rested for half a second and is not stepped until something near it moves or changes, or a call wakes it. A
   * sleeping body reports no contact forces. Only where the CPU steps it; cloth that tears stays awake.
   */
  get isAsleep(): boolean {
    return this.body.isAsleep;
  }

  /**
   * The cost of the body on the CPU: milliseconds a frame, and the numbers behind them. The first call starts to measure and, in a page that loads
   * code when it is needed, loads that code: until then it is undefined. Times are for people: they change nothing in the simulation.
   */
  get cost(): BodyCost | undefined {
    this.check();
    costPart.load().catch(() => undefined);
    return costPart.loaded?.costOf(this.plugin.world, this.body);
  }

  /** Wakes the body, and the bodies that fell asleep with it. */
  wake(): void {
    this.body.wake();
  }

  /** Puts the body to sleep at its present place, if all that it may touch rests. */
  sleep(): void {
    this.body.sleep();
  }

  /**
   * Holds vertices at their present places. On a GPU the places of a moving body have to be read back first; the
   * promise resolves when the vertices are held.
   *
   * @throws PliantError `index-out-of-range`, `disposed`; also for a compliance below zero, or one above zero with solver `gpbd`
   */
  pin(vertices: ArrayLike<number>, options: PinOptions = {}): Promise<void> {
    this.check();
    const particles = this.particlesOf(vertices, "pin");
    const compliance = this.complianceOf(options, "pin");
    for (const particle of particles) this._pinned.add(particle);
    return this.hold(particles, compliance, () => undefined);
  }

  /**
   * Pins the vertices for which a predicate is true, as `pin` does. The predicate gets the place of each vertex in the
   * world, m, and its index; for a rope, of each point. Resolves to these vertices when they are held.
   *
   *     cloth.pinWhere((place) => place.y > 1.9);
   *
   * @throws PliantError `invalid-argument` if it is true for no vertex; also as `pin`. For cloth that moves on a GPU
   * the promise rejects with the error
   */
  pinWhere(predicate: VertexPredicate, options: PinOptions = {}): Promise<number[]> {
    const object = `${this.name}.pinWhere`;
    return this.pinFound((places) => placesWhere(object, places, predicate), options, "pinWhere");
  }

  /**
   * Pins all vertices within a radius [m] of a point, as `pin` does. Resolves as `pinWhere`.
   *
   * @param point world space, m
   * @throws PliantError `invalid-argument` if there is no vertex, with the distance of the nearest one; also as `pinWhere`
   */
  pinNear(point: Vector3, radius: number, options: PinOptions = {}): Promise<number[]> {
    const object = `${this.name}.pinNear`;
    return this.pinFound((places) => placesNear(object, places, point, radius), options, "pinNear");
  }

  /**
   * Releases pinned vertices, also those that a node carries; without an argument, all of them.
   *
   * @throws PliantError `index-out-of-range`, `disposed`; `invalid-argument` for anything but a list
   */
  unpin(vertices?: ArrayLike<number>): void {
    this.check();
    if (vertices === undefined) {
      this._pinned.clear();
      this._attachments.remove();
      this._free(undefined);
      return;
    }
    const particles = this.particlesOf(vertices, "unpin");
    for (const particle of particles) this._pinned.delete(particle);
    this._attachments.release(new Set(particles));
    this._free(particles);
  }

  /**
   * Sets the place of a pinned vertex at the end of the next step, world space, m.
   *
   * @throws PliantError if the vertex is not pinned, or the position not finite
   */
  setPinPosition(vertex: number, position: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.setPinPosition`, position);
    this.particlesOf([vertex], "setPinPosition");
    const place = Vector3.FromArray(this.plugin.frame.point(position));
    for (const { particle, x, y, z } of this.placesFor(vertex, place)) this.body.setPinTarget(particle, x, y, z);
  }

  /**
   * Lets a node or a bone carry vertices along, from their present places. Resolves when it does; at once before the
   * first frame. A predicate selects vertices as for `pinWhere`: if it is true for no vertex, that is refused as there.
   *
   * @param skinnedMesh a mesh that the bone's skeleton moves, as for Babylon's `attachToBone`; default: the first of its scene
   * @throws PliantError `index-out-of-range`, `disposed`; `invalid-argument` for a mesh that another skeleton moves; `unsupported` for a node of a
   * dynamic body that would not feel the vertices; such a node must not get such a body later either. Bodies of this plugin feel the vertices of
   * GPBD bodies: the two hold one another. For a compliance as `pin`
   */
  attach(
    vertices: VertexChoice,
    node: TransformNode | Bone,
    skinnedMesh?: AbstractMesh,
    options: PinOptions = {},
  ): Promise<void> {
    this.check();
    const compliance = this.complianceOf(options, "attach");
    const carrier = carrierOf(`${this.name}.attach`, nodeOrBone(node, skinnedMesh), this);
    return this.carry(vertices, carrier, compliance);
  }

  /**
   * Lets a skinned mesh carry vertices along: each vertex moves with the point of the mesh that is nearest to it now,
   * so that vertices at a joint bend with it. `detach(skinnedMesh)` ends it. Resolves as `attach`.
   *
   * @throws PliantError `index-out-of-range`, `disposed`; `unsupported` for a mesh without a skeleton or weights; for a compliance as `pin`
   */
  attachToSkin(vertices: VertexChoice, skinnedMesh: AbstractMesh, options: PinOptions = {}): Promise<void> {
    this.check();
    const compliance = this.complianceOf(options, "attachToSkin");
    return this.carry(vertices, carrierOf(`${this.name}.attachToSkin`, { skin: skinnedMesh }, this), compliance);
  }

  /**
   * Detaches vertices, and releases them: all that are carried; those of a node, a bone or a skin; or vertices as `attach` takes them, of one
   * carrier or of all. Others stay as they are. Resolves when they are free: at once, except for a predicate on a GPU.
   *
   * @throws PliantError `index-out-of-range`, `disposed`; `invalid-argument` for anything else, and for a predicate as `attach`
   */
  detach(from?: VertexChoice | TransformNode | Bone, node?: TransformNode | Bone): Promise<void> {
    this.check();
    const { length, isDisposed } = Object(from) as { length?: unknown; isDisposed?: unknown };
    // a bone has a length, too; so has a predicate
    const choice = typeof length === "number" && !isDisposed ? (from as VertexChoice) : undefined;
    const carrier = choice ? node : (from as TransformNode | Bone | undefined);
    const wanted = "a list of vertices, a predicate, a node, a bone or a skinned mesh";
    if (carrier !== undefined) requireKind(`${this.name}.detach`, carrier, "isDisposed", wanted);
    const free = (among?: number[]): void => this.letGo(this._attachments.remove(carrier, among && new Set(among)));
    return choice ? this.withParticles(choice, "detach", free) : Promise.resolve(free());
  }

  /** @param wind velocity of the air, m/s, world space */
  setWind(wind: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.setWind`, wind);
    this.body.setWind(...this.plugin.frame.offset(wind));
    this._given = { ...this._given, wind: wind.clone() };
  }

  /** World positions of the vertices of the mesh after the last step, three numbers each, m. */
  async readPositions(): Promise<Float32Array> {
    this.check();
    return Float32Array.from(this.plugin.frame.pointsInScene(this.perVertex(await this.body.readPositions())));
  }

  /** Velocities of the vertices of the mesh, three numbers each, m/s. */
  async readVelocities(): Promise<Float32Array> {
    this.check();
    const { unitsPerMetre } = this.plugin.frame;
    return this.perVertex(await this.body.readVelocities()).map((value) => unitsPerMetre * value);
  }

  /**
   * Puts the vertices back to the places that they had when the aggregate was made, at rest. Pinned vertices are held
   * there; vertices with a carrier go to the present place of the carrier, and tears stay.
   */
  reset(): void {
    this.check();
    this.body.reset();
    this._attachments.jump();
    this.output.catchUp();
  }

  /**
   * Updates the mesh's data on the CPU, as from `mesh.getVerticesData`, to the last step. Otherwise they are those of
   * the last readback; with a `WebGPUEngine` readbacks happen only while the data are in use. Call it before you
   * export, serialize, merge or copy the mesh. The simulation goes on.
   */
  async bakeToMesh(): Promise<void> {
    this.check();
    await this.body.readPositions();
    if (!this.isDisposed) this.output.catchUp();
  }

  /**
   * Takes the body out of the simulation. The mesh keeps its present shape, or gets its original one back; that of a rope along a path stays, too
   * (`mesh.dispose()` removes both). Afterwards its vertices are on the CPU; with a `WebGPUEngine` they are first those of the last readback, and a
   * moment later those that are drawn, when they have come from the GPU. Call `await bakeToMesh()` before, to have these at once.
   */
  dispose(options: DeformableDisposeOptions = {}): void {
    if (this.isDisposed) return;
    checkNames(`${this.name}.dispose`, options, disposeOptionNames);
    this.stopListening();
    this.plugin._remove(this);
    this._attachments.remove();
    this.body.dispose();
    this.output.dispose();
    if (options.restore) this._original.restore();
    this.onDisposeObservable.notifyObservers(this);
    this.onDisposeObservable.clear();
    this.onFrozenObservable.clear();
  }

  /** @internal one particle of each vertex: attached vertices of two meshes come in pairs */
  _particleOfEach(vertices: readonly number[], what: string): number[] {
    this.check();
    return vertices.map((vertex) => this.particlesOf([vertex], what)[0]);
  }

  /** @internal all particles that hold vertices */
  _particlesOf(vertices: readonly number[], what: string): number[] {
    this.check();
    return this.particlesOf(vertices, what);
  }

  /** @internal */
  _beforeStep(fraction: number, dt: number): void {
    this._stepped = true;
    this.applyForces(fraction, dt);
    if (this.lod !== undefined) lodPart.loaded?.followCameras(this.body, this.mesh, this.lod);
    this._attachments.beforeStep(fraction, dt, ({ owner }, error) => {
      this.letGo(this._attachments.remove(owner));
      this.plugin._problems.report(this, error);
    });
    this.plugin._problems.attempt(this, () => this.requireReach(), this._attachments);
  }

  /** @internal whether bones of a skeleton carry some of its vertices */
  _isCarriedBy(skeleton: Skeleton): boolean {
    return this._attachments.isCarriedBy(skeleton);
  }

  /** @internal whether dynamic bodies of the plugin feel the vertices that they carry */
  get _pullsAtBodies(): boolean {
    return this.solver === "gpbd";
  }

  /** @internal the force that stretches a patch of this radius [m] by a tenth to a third [N] */
  abstract _strengthOf(radius: number): number;

  /** @internal called after the step of the rigid bodies, before the body's own step */
  _rigidBodiesMoved(): void {
    this._attachments.afterRigidStep();
  }

  /** @internal @throws PliantError if a node that carries vertices, or an ancestor of one, is to get a dynamic body */
  _refuseDynamic(isLed: (node: Node) => boolean): void {
    for (const node of this._attachments.nodes)
      for (let at: Node | null = node; at; at = at.parent) if (isLed(at)) refuseDynamic(at, this.name);
  }

  /** @internal holds carried vertices at their places until `_jump` */
  _awaitJump(): void {
    this._attachments.isHeld = true;
  }

  /** @internal */
  _jump(): void {
    this._attachments.isHeld = false;
    this._attachments.jump();
  }

  /** @internal */
  _afterFrame(stepped: boolean): void {
    this.output.afterFrame(stepped);
  }

  /**
   * @internal Unpins particles, or all of them without an argument. The box of a body without pins is computed from its
   * last known state, which may be old if pins held it until now. Therefore a readback is requested.
   */
  _free(particles: readonly number[] | undefined): void {
    this.body.unpin(particles);
    this.body.requestReadback();
  }

  /** @internal */
  get _output(): VertexOutput {
    return this.output;
  }

  /** @throws PliantError `invalid-argument` if pins and carriers pull the body apart */
  private requireReach(): void {
    const stretch = this.body.pinStretch;
    if (!(stretch > MOST_STRETCH)) return;
    throw invalid(
      this.name,
      "more",
      `must be held within its reach; its holds are more than ${MOST_STRETCH} times too far apart`,
    );
  }

  /** @throws PliantError for a value out of its range; nothing is changed then */
  protected changeOptions(options: BodyOptions, given: object): void {
    this.check();
    this.body.setOptions(options);
    this._given = { ...this._given, ...given };
  }

  /**
   * @param from stiffnesses over density of the old material [m²/s²]
   * @param to the same of the material of the model
   * @throws PliantError as `DeformableBody.replaceModel`
   */
  protected replaceModel(model: BodyModel, from: readonly number[], to: readonly number[]): void {
    this.check();
    this.body.replaceModel(model, { over: TAKE_OVER, from, to });
  }

  protected check(): void {
    if (this.isDisposed) throw new PliantError("disposed", this.name, "a call", "was disposed");
  }

  /** Places of the particles of a pinned vertex that put the vertex at a place of the engine's world. */
  protected abstract placesFor(vertex: number, position: Vector3): readonly ParticlePlace[];

  /** Lets a carrier move vertices along from now on. */
  protected carry(vertices: VertexChoice, carrier: Carrier, compliance = 0): Promise<void> {
    return this.withParticles(vertices, "attach", (particles) => {
      this._attachments.release(new Set(particles));
      return this.hold(particles, compliance, ({ positions, velocities }) => {
        if (carrier.isGone) return this.letGo(particles);
        const of = (values: ArrayLike<number>): number[] =>
          particles.flatMap((p) => [values[3 * p], values[3 * p + 1], values[3 * p + 2]]);
        this._attachments.add(particles, carrier, of(positions), velocities && of(velocities));
        const stop = carrier.onGone(() => {
          stop();
          if (!this.isDisposed) this.letGo(this._attachments.remove(carrier.owner));
        });
        this.onDisposeObservable.addOnce(stop);
      });
    });
  }

  /** Calls back with the particles of vertices: at once, or, for a predicate, when places are known. */
  private withParticles(
    vertices: VertexChoice,
    what: string,
    use: (particles: number[]) => Promise<void> | void,
  ): Promise<void> {
    if (typeof vertices !== "function") return Promise.resolve(use(this.particlesOf(vertices, what)));
    return this.whenSeen(({ positions }) => {
      if (this.isDisposed) return;
      const found = this._found((places) => placesWhere(`${this.name}.${what}`, places, vertices), positions);
      return use(this.particlesOf(found, what));
    });
  }

  private complianceOf(options: PinOptions, what: string): number {
    checkNames(`${this.name}.${what}`, options, pinOptionNames);
    const { compliance = 0 } = options;
    requireCompliance(`${this.name}.${what}`, solverOf(this.body.model), compliance);
    return compliance;
  }

  /** Pins particles at their present places and then calls back with the state. */
  private hold(particles: number[], compliance: number, done: (state: SeenState) => void): Promise<void> {
    return this.whenSeen((state) => {
      if (this.isDisposed) return;
      this.body.pin(particles, { compliance });
      done(state);
    });
  }

  /** Pins vertices that are found by their places. */
  protected pinFound(
    find: (places: ArrayLike<number>) => number[],
    options: PinOptions,
    what: string,
  ): Promise<number[]> {
    this.check();
    this.complianceOf(options, what);
    return this.whenSeen(({ positions }) => {
      if (this.isDisposed) return [];
      const vertices = this._found(find, positions);
      void this.pin(vertices, options);
      return vertices;
    });
  }

  /** @internal vertices in use that a search among the places of all finds */
  _found(find: (places: ArrayLike<number>) => number[], positions: ArrayLike<number>): number[] {
    // spare particles, for tears, are not in use yet
    const isUsed = (v: number): boolean => this._skin.particlesOf(v).some((p) => this.body.model.masses[p] > 0);
    return find(this.plugin.frame.pointsInScene(this.perVertex(positions))).filter(isUsed);
  }

  /** Calls back with the state: at once before the first frame and on the CPU, otherwise after a readback. */
  private whenSeen<T>(done: (state: SeenState) => T | Promise<T>): Promise<T> {
    if (this._stepped && this.plugin.world.backend === "webgpu") return this.body.readState().then(done);
    let state: SeenState = { positions: this.body.latestPositions ?? this.body.model.positions };
    if (this._stepped) this.body.requestState((seen) => (state = seen));
    return Promise.resolve(done(state));
  }

  private letGo(particles: readonly number[]): void {
    this._free(particles.filter((particle) => !this._pinned.has(particle)));
  }

  private perVertex(particles: ArrayLike<number>): Float32Array {
    if (this._skin.pointCount !== undefined) return Float32Array.from(particles);
    const vertices = new Float32Array(3 * this._skin.vertexCount);
    this._skin.spread(particles, vertices);
    return vertices;
  }

  /** Particles of vertices, each once. */
  private particlesOf(vertices: ArrayLike<number>, what: string): number[] {
    const { _skin: skin } = this;
    const count = skin.pointCount ?? skin.vertexCount;
    requireIndices(`${this.name}.${what}`, vertices, count, skin.pointCount === undefined ? "vertex" : "point");
    const found = new Set<number>();
    for (let i = 0; i < vertices.length; i++) for (const particle of skin.particlesOf(vertices[i])) found.add(particle);
    return [...found];
  }
}
