import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../../src/errors";
import { clothModel, type DeformableBody } from "../../src/index";
import { requireFiniteVector } from "../convert";
import { isWebGPU } from "../device";
import { pluginOf } from "../plugin-of";
import type { PliantPlugin } from "../pliant-plugin";
import { Attachments } from "./attachments";
import { readClothMesh } from "./cloth-mesh";
import { toBodyOptions, type ClothMotionOptions, type ClothOptions } from "./cloth-options";
import { CpuVertices } from "./cpu-vertices";
import { GpuVertices, requireRoom } from "./gpu-vertices";
import { tidyMesh } from "./tidy-mesh";
import type { VertexOutput } from "./vertex-output";

/** Elongation that the strain view draws as full red. */
const STRAIN_SCALE = 0.05;

/**
 * Turns a mesh into cloth:
 *
 *     const cloth = new ClothAggregate(mesh, { fabric: "silk", pins: [0, 20] }, scene);
 *
 * The mesh may be any triangle mesh, where it stands in the scene. Vertices at one place are one particle, so texture
 * seams do not come apart; vertex numbers of all methods are those of the mesh. The cloth lives in world space: moving the
 * node of the mesh later does not move it (see `attach`).
 */
export class ClothAggregate {
  /** The cloth in the simulation, with particles instead of vertices. */
  readonly body: DeformableBody;
  readonly mesh: Mesh;
  /** The cloth turned non-finite and stands still since frame `frame`; the rest of the scene goes on. */
  readonly onFrozenObservable = new Observable<{ frame: number }>();
  readonly onDisposeObservable = new Observable<ClothAggregate>();
  /** for messages */
  private readonly name: string;
  private readonly plugin: PliantPlugin;
  private readonly vertexToParticle: Uint32Array;
  private readonly output: VertexOutput;
  private readonly attachments: Attachments;
  /** Particles that the user pinned; a node that carries others does not own these. */
  private readonly pinned: Set<number>;
  private readonly stopListening: () => void;
  private stepped = false;

  /**
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is empty, degenerate, not finite, an instance
   * or too large for the device; an option or a pin out of range; self-collision; a scene without this plugin. The mesh
   * and the scene are left as they were.
   */
  constructor(mesh: AbstractMesh, options: ClothOptions = {}, scene: Scene = mesh.getScene()) {
    const object = `ClothAggregate "${mesh.name}"`;
    this.plugin = pluginOf(object, scene);
    if (mesh.isDisposed()) throw new PliantError("disposed", object, mesh.name, "needs a mesh that is not disposed");
    if (this.plugin.clothAggregates.some((other) => other.mesh === mesh))
      throw new PliantError("invalid-argument", object, mesh.name, "is cloth already");
    const bodyOptions = toBodyOptions(object, options);
    const source = readClothMesh(object, mesh);
    const { world, engine } = this.plugin;
    if (world.device) requireRoom(object, world.device, source.positions.length / 3);
    const { fabric, membrane, bending } = options;
    const model = clothModel({ ...source, fabric, membrane, bending, name: object });
    this.vertexToParticle = model.vertexToParticle;
    this.name = object;
    this.pinned = new Set(this.particlesOf(options.pins ?? [], "pins"));
    this.body = world.addBody(model, { ...bodyOptions, name: mesh.name, pins: [...this.pinned] });

    // nothing is refused from here on
    this.mesh = mesh as Mesh;
    this.attachments = new Attachments(this.body);
    tidyMesh(this.mesh);
    this.output =
      this.plugin.drawsFromGpu && isWebGPU(engine)
        ? new GpuVertices(this.mesh, engine, this.body, this.vertexToParticle)
        : new CpuVertices(this.mesh, this.body, this.vertexToParticle);
    this.plugin._add(this);
    const frozen = world.onBodyFrozen.add(({ body, frame }) => {
      if (body === this.body) this.onFrozenObservable.notifyObservers({ frame });
    });
    const gone = mesh.onDisposeObservable.add(() => this.dispose());
    // the last moment before drawing: all that moves nodes in a frame has moved them
    const drawing = scene.onBeforeActiveMeshesEvaluationObservable.add(() => this.output.followMesh());
    this.stopListening = () => {
      frozen();
      scene.onBeforeActiveMeshesEvaluationObservable.remove(drawing);
      mesh.onDisposeObservable.remove(gone);
    };
  }

  /** Whether `dispose` was called, or the mesh or the plugin is gone. */
  get isDisposed(): boolean {
    return this.body.isDisposed;
  }

  /** The particle of each vertex of the mesh. */
  get particles(): Uint32Array {
    return this.vertexToParticle;
  }

  /**
   * Holds vertices where they are. On a GPU, where that is has to be read first once the cloth is moving; the promise
   * resolves when they are held.
   *
   * @throws PliantError `index-out-of-range`, `disposed`
   */
  pin(vertices: ArrayLike<number>): Promise<void> {
    this.check();
    const particles = this.particlesOf(vertices, "pin");
    for (const particle of particles) this.pinned.add(particle);
    return this.hold(particles, () => undefined);
  }

  /** Lets pinned vertices go, also those that a node carries; without vertices, all of them. */
  unpin(vertices?: ArrayLike<number>): void {
    this.check();
    if (!vertices) {
      this.pinned.clear();
      this.attachments.remove();
      this._free(undefined);
      return;
    }
    const particles = this.particlesOf(vertices, "unpin");
    for (const particle of particles) this.pinned.delete(particle);
    this.attachments.release(new Set(particles));
    this._free(particles);
  }

  /**
   * Where a pinned vertex is to be at the end of the next step, world space, m.
   *
   * @throws PliantError when the vertex is not pinned, or the position not finite
   */
  setPinPosition(vertex: number, position: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.setPinPosition`, position);
    const [particle] = this.particlesOf([vertex], "setPinPosition");
    this.body.setPinTarget(particle, position.x, position.y, position.z);
  }

  /**
   * Has a node carry vertices along, from where they are now. Resolves when it does; at once before the first frame.
   *
   * @throws PliantError `index-out-of-range`, `disposed`
   */
  attach(vertices: ArrayLike<number>, node: TransformNode): Promise<void> {
    this.check();
    const particles = this.particlesOf(vertices, "attach");
    if (node.isDisposed())
      throw new PliantError("disposed", `${this.name}.attach`, node.name, "needs a node that is not disposed");
    this.attachments.release(new Set(particles));
    return this.hold(particles, (positions) => {
      if (node.isDisposed()) return this.letGo(particles);
      this.attachments.add(
        particles,
        node,
        particles.flatMap((p) => [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]]),
      );
      node.onDisposeObservable.addOnce(() => this.isDisposed || this.detach(node));
    });
  }

  /** Takes the vertices that a node carries off it and lets them go; without a node, all that are carried. */
  detach(node?: TransformNode): void {
    this.check();
    this.letGo(this.attachments.remove(node));
  }

  /** @param wind velocity of the air, m/s, world space */
  setWind(wind: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.setWind`, wind);
    this.body.setWind(wind.x, wind.y, wind.z);
  }

  /**
   * Changes how the cloth is stepped, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: ClothMotionOptions): void {
    this.check();
    this.body.setOptions(toBodyOptions(this.name, options));
    this.plugin._frictionChanged();
  }

  /** World positions of the vertices of the mesh after the last step, three numbers each, m. */
  async readPositions(): Promise<Float32Array> {
    this.check();
    return this.perVertex(await this.body.readPositions());
  }

  /** Velocities of the vertices of the mesh, three numbers each, m/s. */
  async readVelocities(): Promise<Float32Array> {
    this.check();
    return this.perVertex(await this.body.readVelocities());
  }

  /**
   * Colours the vertices by how much the cloth is stretched (red) or compressed (blue), instead of the vertex colours that
   * the mesh may have.
   *
   * @param scale elongation that is drawn as full red, default 0.05
   */
  showStrain(visible: boolean, scale = STRAIN_SCALE): void {
    this.check();
    this.output.showStrain(visible ? scale : undefined);
  }

  /** Takes the cloth out of the simulation. The mesh stays as it looks now. */
  dispose(): void {
    if (this.isDisposed) return;
    this.stopListening();
    this.plugin._remove(this);
    this.body.dispose();
    this.output.dispose();
    this.onDisposeObservable.notifyObservers(this);
    this.onDisposeObservable.clear();
    this.onFrozenObservable.clear();
  }

  /** @internal */
  _beforeStep(fraction: number): void {
    this.stepped = true;
    this.attachments.beforeStep(fraction);
  }

  /** @internal */
  _afterFrame(stepped: boolean): void {
    this.output.afterFrame(stepped);
  }

  /**
   * @internal Unpins particles, all where none are given. A cloth without pins is bounded by where it was last seen, which
   * may be long ago if pins held it till now: so it is looked at.
   */
  _free(particles: readonly number[] | undefined): void {
    this.body.unpin(particles);
    this.body.requestReadback();
  }

  /** @internal */
  get _output(): VertexOutput {
    return this.output;
  }

  /** Pins particles where they are and then calls back with all positions. */
  private async hold(particles: number[], done: (positions: ArrayLike<number>) => void): Promise<void> {
    if (!this.stepped || this.plugin.world.backend === "cpu") {
      if (this.stepped) this.body.requestReadback();
      this.body.pin(particles);
      done(this.body.latestPositions ?? this.body.model.positions);
      return;
    }
    const positions = await this.body.readPositions();
    if (this.isDisposed) return;
    this.body.pin(particles);
    done(positions);
  }

  private letGo(particles: readonly number[]): void {
    this._free(particles.filter((particle) => !this.pinned.has(particle)));
  }

  private perVertex(particles: ArrayLike<number>): Float32Array {
    const vertices = new Float32Array(3 * this.vertexToParticle.length);
    this.vertexToParticle.forEach((particle, vertex) => {
      for (let c = 0; c < 3; c++) vertices[3 * vertex + c] = particles[3 * particle + c];
    });
    return vertices;
  }

  /** Particles of vertices, each once. */
  private particlesOf(vertices: ArrayLike<number>, what: string): number[] {
    const found = new Set<number>();
    for (let i = 0; i < vertices.length; i++) {
      const particle = this.vertexToParticle[vertices[i]];
      if (particle === undefined)
        throw new PliantError(
          "index-out-of-range",
          `${this.name}.${what}`,
          vertices[i],
          `must be a vertex index below ${this.vertexToParticle.length}`,
        );
      found.add(particle);
    }
    return [...found];
  }

  private check(): void {
    if (this.isDisposed) throw new PliantError("disposed", this.name, "a call", "was disposed");
  }
}
