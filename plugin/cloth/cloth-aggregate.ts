import {
  clothModel,
  type ClothModel,
  type Fabric,
  type FabricName,
  type PinOptions,
  type SolverName,
  type Tear,
} from "../../src/index";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, unsupported } from "../../src/errors";
import { checkFlag, checkNames } from "../../src/option-names";
import { defaultOptions } from "../../src/solvers/gpbd/options";
import { carriersOf } from "../deformable/carrier";
import { chosen } from "../deformable/find-points";
import {
  DeformableAggregate,
  type DeformableDisposeOptions,
  type ParticlePlace,
} from "../deformable/deformable-aggregate";
import { requireFreeMesh } from "../deformable/deformable-parts";
import { requireRoom } from "../deformable/mesh/room";
import { requireCompliance } from "../deformable/motion-options";
import { readMesh } from "../deformable/mesh/read-mesh";
import { requirePositive } from "../geometry/convert";
import { transformPoints } from "../geometry/mesh-transform";
import { pluginOf, requireKind, requireMesh } from "../plugin-of";
import { engineMatrixOf } from "../scene-frame";
import { borderTo, type ClothSide } from "./border";
import {
  clothMotionNames,
  clothNames,
  requireOwnSolver,
  solverOf,
  toBodyOptions,
  type ClothMotionOptions,
  type ClothOptions,
} from "./cloth-options";
import type { LedRange } from "./cloth-range";
import { TornSkin } from "./torn-skin";
import { WeldedSkin } from "./welded-skin";

/** Elongation that the strain view draws as full red. */
const STRAIN_SCALE = 0.05;

/**
 * Turns a mesh into cloth. The mesh may be any triangle mesh, at its place in the scene. Vertices at one place are one particle, so texture
 * seams do not come apart, and the two sides of a mesh are one cloth. Triangles whose area vanishes by that are only
 * drawn. All methods take indices of the mesh's vertices. The cloth lives in world space: moving the node of the mesh
 * later does not move the cloth (see `attach`).
 *
 * @example
 * ```ts
 * const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 40 }, scene);
 * sheet.position.y = 2;
 * const cloth = new ClothAggregate(sheet, { fabric: "silk", selfCollision: true }, scene);
 * await cloth.pinEdge("left");
 * cloth.setWind(new Vector3(0, 0, 3));
 * ```
 */
export class ClothAggregate extends DeformableAggregate {
  readonly kind = "cloth";
  /** The particle of each vertex of the mesh. */
  readonly particles: Uint32Array;
  /** Notifies of tears after a frame: `vertices` of the mesh, which were spare until then, are in use now. */
  readonly onTearObservable = new Observable<{ vertices: readonly number[] }>();
  /** the solver that steps the cloth */
  readonly solver: SolverName;
  private fabric: Readonly<Fabric>;
  private readonly range: LedRange | undefined;
  private readonly borderTo: (side: ClothSide) => number[];
  private readonly modelOf: (fabric: ClothOptions["fabric"]) => ClothModel;

  /**
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is empty, degenerate, not finite, an
   * instance or too large for the device; an option or a pin out of range; a vertex that is attached to two nodes; an
   * option, membrane or bending that its solver does not have; a scene without this plugin. The mesh and the scene are
   * not changed then.
   */
  constructor(mesh: AbstractMesh, options: ClothOptions = {}, scene?: Scene) {
    const object = `ClothAggregate "${requireMesh("ClothAggregate", mesh).name}"`;
    scene ??= mesh.getScene();
    const plugin = pluginOf(object, scene);
    requireFreeMesh(object, mesh, plugin);
    checkNames(object, options, clothNames);
    const solver = solverOf(object, options);
    requireOwnSolver(object, solver, options);
    const { tearing, energy, pinCompliance, canSleep, layer } = options;
    const bodyOptions = {
      ...(solver === "local-global" ? { airDensity: defaultOptions.airDensity } : {}),
      ...toBodyOptions(object, plugin.frame, solver, options),
      tearing,
      pinCompliance,
      canSleep,
      layer,
    };
    requireCompliance(`${object}.pins`, solver, pinCompliance ?? 0);
    plugin._settleAt(mesh);
    const { flipNormals = false } = options;
    const source = readMesh(object, mesh, flipNormals);
    const places = (): ArrayLike<number> => plugin.frame.pointsInScene(source.positions);
    const attachments = carriersOf(object, [options.attach ?? []].flat(), { solver, plugin }, (choice) =>
      chosen(`${object}.attach`, choice, places),
    );
    if (options.range !== undefined && tearing)
      throw unsupported(`${object}.range`, "tearing", "needs cloth that does not tear");
    if (options.range !== undefined) requireKind(`${object}.range`, options.range, "_of", "a ClothRange");
    const leadRange = options.range?._of(object, mesh, { solver, plugin }, places());
    const { device } = plugin.world;
    if (device) requireRoom(object, device, source.positions.length / 3);
    const { membrane, bending, plasticity, maps, stretchLimits } = options;
    if (maps !== undefined) requireKind(`${object}.maps`, maps, "_of", "ClothMaps");
    const mapped = maps?._of(mesh, places());
    const modelOf = (fabric: ClothOptions["fabric"]): ClothModel => {
      const model = clothModel({
        ...source,
        solver,
        fabric,
        membrane,
        bending,
        plasticity,
        stretchLimits,
        energy,
        name: object,
      });
      return mapped ? mapped(model) : model;
    };
    const model = modelOf(options.fabric);
    const skin = tearing
      ? new TornSkin(model, source.indices, tearing.most ?? model.particleCount)
      : new WeldedSkin(model, model.vertexToParticle, model.reversed);
    const carried = attachments.flatMap(({ vertices }) => Array.from(vertices));
    super({
      object,
      plugin,
      mesh,
      scene,
      model,
      skin,
      pins: chosen(`${object}.pins`, options.pins ?? [], places),
      carried,
      isInsideOut: flipNormals,
      options: bodyOptions,
      lod: options.lod,
      given: options,
    });
    this.particles = model.vertexToParticle;
    this.solver = solver;
    this.modelOf = modelOf;
    this.fabric = model.fabric;
    // Both are kept in their present state, since the mesh may move, and the cloth may tear.
    const { positions, faces } = model;
    const toMesh = engineMatrixOf(mesh).inverse();
    this.borderTo = (side) => borderTo(`${object}.pinEdge`, transformPoints(positions, toMesh), faces, side);
    for (const { carrier, vertices, compliance } of attachments) void this.carry(vertices, carrier, compliance);
    this.range = leadRange?.(this.body, this.particles);
    if (skin instanceof TornSkin) this.body.onTear?.add((tear) => this.follow(tear, skin));
  }

  /**
   * Pins the open border of the mesh on a side, as `pin` does. Sides are those of the original mesh, before the
   * rotation and scaling of its node. For `CreatePlane` and other upright meshes, `top` is toward +y and `right`
   * toward +x; for `CreateGround` and other meshes that lie flat, `top` is toward +z. A border that faces up more
   * than sideways belongs to the top, also in a curve; corners belong to both sides. Resolves as `pinWhere`.
   *
   *     cloth.pinEdge("top");
   *
   * @throws PliantError `degenerate-geometry` for a mesh without an open border there; also as `pin`
   */
  pinEdge(side: ClothSide, options: PinOptions = {}): Promise<number[]> {
    const border = new Set(this.borderTo(side));
    const vertices = [...this.particles.keys()].filter((vertex) => border.has(this.particles[vertex]));
    return this.pin(vertices, options).then(() => vertices);
  }

  /**
   * Gauge pressure inside, Pa; with `sealed` that at the volume at rest, which stays while the body is squeezed:
   * `readVolume` tells how far. The setter throws if the mesh is not closed, naming an edge, or if the solver has no such option.
   */
  get pressure(): number {
    return this.body.pressure;
  }

  set pressure(pascal: number) {
    this.setOptions({ pressure: pascal });
  }

  /** Volume that a closed mesh encloses now, m³. */
  readVolume(): Promise<number> {
    this.check();
    return this.body.readVolume();
  }

  /**
   * Changes options of the cloth's steps, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: ClothMotionOptions): void {
    checkNames(this.name, options, clothMotionNames);
    const solver = options.solver === undefined ? this.solver : solverOf(this.name, options);
    if (solver !== this.solver) throw unsupported(`${this.name}.solver`, options.solver, `stays ${this.solver}`);
    this.changeOptions(toBodyOptions(this.name, this.plugin.frame, solver, options), options);
  }

  /**
   * Changes the fabric of the cloth while it moves: its stiffness, mass and damping, and its friction unless an option
   * sets it. Positions and velocities stay, and so do pins, attachments and tears. With `factorization: "worker"` the
   * old fabric stays in use until the factor of the new one is ready.
   *
   * @throws PliantError for an unknown fabric, or one out of range; also as the constructor if `membrane` or `bending`
   * do not fit it. The cloth keeps its old fabric then
   */
  setFabric(fabric: FabricName | Readonly<Fabric>): void {
    if (!fabric) throw invalid(`${this.name}.fabric`, fabric, "must be a fabric or its name");
    const model = this.modelOf(fabric);
    this.replaceModel(model, stiffnessesOf(this.fabric), stiffnessesOf(model.fabric));
    this.fabric = model.fabric;
    this._given = { ...this._given, fabric };
  }

  /**
   * Colors the vertices by the stretch (red) or compression (blue) of the cloth, in place of the mesh's own vertex
   * colors.
   *
   * @param scale elongation that is drawn as full red, default 0.05
   */
  showStrain(visible: boolean, scale = STRAIN_SCALE): void {
    this.check();
    checkFlag(`${this.name}.showStrain`, visible);
    requirePositive(`${this.name}.showStrain scale`, scale);
    this.output.showStrain(visible ? scale : undefined);
  }

  /** @internal */
  override _strengthOf(radius: number): number {
    const { stretchWarp, stretchWeft } = this.fabric;
    return 0.1 * Math.PI * radius * (stretchWarp + stretchWeft);
  }

  /** @internal */
  override _beforeStep(fraction: number, dt: number): void {
    super._beforeStep(fraction, dt);
    const { range } = this;
    if (range) this.plugin._problems.attempt(this, () => range.beforeStep(fraction), range);
  }

  /** @internal */
  override _awaitJump(): void {
    super._awaitJump();
    if (this.range) this.range.isHeld = true;
  }

  /** @internal */
  override _jump(): void {
    super._jump();
    if (!this.range) return;
    this.range.isHeld = false;
    this.range.jump();
  }

  /** @internal */
  override _isCarriedBy(skeleton: Skeleton): boolean {
    return super._isCarriedBy(skeleton) || this.range?.skeleton === skeleton;
  }

  override dispose(options?: DeformableDisposeOptions): void {
    super.dispose(options);
    this.range?.release();
  }

  override reset(): void {
    super.reset();
    if (!this.range) return;
    // All of it goes to the animated shape: from elsewhere the limits would pull it there in one step.
    this.body.writeState({ positions: this.range.jump() });
    this.output.catchUp();
  }

  private follow(tear: Tear, skin: TornSkin): void {
    if (this.isDisposed) return;
    const vertices = skin.follow(tear);
    this.output.reconnect();
    this.onTearObservable.notifyObservers({ vertices });
  }

  protected override placesFor(vertex: number, { x, y, z }: Vector3): ParticlePlace[] {
    return [{ particle: this.particles[vertex], x, y, z }];
  }
}

/** Stiffnesses of a fabric in its plane over its density [m²/s²]. */
function stiffnessesOf({ stretchWarp, stretchWeft, shear, areaDensity }: Readonly<Fabric>): number[] {
  return [stretchWarp, stretchWeft, shear].map((stiffness) => stiffness / areaDensity);
}
