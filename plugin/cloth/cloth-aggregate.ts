import {
  clothModel,
  type ClothModel,
  type Fabric,
  type FabricName,
  type PinOptions,
  type SolverName,
  type Tear,
} from "../../src/index";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { defaultOptions } from "../../src/solvers/gpbd/options";
import { carriersOf } from "../deformable/carrier";
import { DeformableAggregate, requireFreeMesh } from "../deformable/deformable-aggregate";
import { requireRoom } from "../deformable/mesh/gpu-vertices";
import { requireCompliance } from "../deformable/motion-options";
import { readMesh } from "../deformable/mesh/read-mesh";
import { transformPoints } from "../mesh-transform";
import { pluginOf } from "../plugin-of";
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
import { TornSkin } from "./torn-skin";
import { WeldedSkin } from "./welded-skin";

/** Elongation that the strain view draws as full red. */
const STRAIN_SCALE = 0.05;

/**
 * Turns a mesh into cloth:
 *
 *     const cloth = new ClothAggregate(mesh, { fabric: "silk", pins: [0, 20] }, scene);
 *
 * The mesh may be any triangle mesh, where it stands in the scene. Vertices at one place are one particle, so texture
 * seams do not come apart, triangles that have no area by that are only drawn, and the two sides of a mesh are one cloth; vertex
 * numbers of all methods are those of the mesh. The cloth lives in world space: moving the
 * node of the mesh later does not move it (see `attach`).
 */
export class ClothAggregate extends DeformableAggregate {
  readonly kind = "cloth";
  /** The particle of each vertex of the mesh. */
  readonly particles: Uint32Array;
  /** The cloth tore after a frame: `vertices` of the mesh, spare until then, are in use now. */
  readonly onTearObservable = new Observable<{ vertices: readonly number[] }>();
  /** what the cloth is stepped with */
  readonly solver: SolverName;
  private fabric: Readonly<Fabric>;
  private readonly borderTo: (side: ClothSide) => number[];
  private readonly modelOf: (fabric: ClothOptions["fabric"]) => ClothModel;

  /**
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is empty, degenerate, not finite, an instance
   * or too large for the device; an option or a pin out of range; a vertex
   * that is attached to two nodes; an option, membrane or bending that its solver does not have; a scene
   * without this plugin. The mesh and the scene are left as they were.
   */
  constructor(mesh: AbstractMesh, options: ClothOptions = {}, scene: Scene = mesh.getScene()) {
    const object = `ClothAggregate "${mesh.name}"`;
    const plugin = pluginOf(object, scene);
    requireFreeMesh(object, mesh, plugin);
    checkNames(object, options, clothNames);
    const solver = solverOf(object, options);
    requireOwnSolver(object, solver, options);
    const { tearing, energy, pinCompliance } = options;
    const bodyOptions = {
      ...airOf(solver),
      ...toBodyOptions(object, plugin.frame, solver, options),
      tearing,
      pinCompliance,
    };
    requireCompliance(`${object}.pins`, solver, pinCompliance ?? 0);
    const attachments = carriersOf(object, [options.attach ?? []].flat(), { solver, plugin });
    plugin._settleAt(mesh);
    const { flipNormals = false } = options;
    const source = readMesh(object, mesh, flipNormals);
    const { device } = plugin.world;
    if (device) requireRoom(object, device, source.positions.length / 3);
    const { membrane, bending, stretchLimits } = options;
    const modelOf = (fabric: ClothOptions["fabric"]): ClothModel =>
      clothModel({ ...source, solver, fabric, membrane, bending, stretchLimits, energy, name: object });
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
      pins: options.pins ?? [],
      carried,
      isInsideOut: flipNormals,
      options: bodyOptions,
    });
    this.particles = model.vertexToParticle;
    this.solver = solver;
    this.modelOf = modelOf;
    this.fabric = model.fabric;
    // Both as they are now: the mesh may move, and the cloth tear.
    const { positions, faces } = model;
    const toMesh = engineMatrixOf(mesh).inverse();
    this.borderTo = (side) => borderTo(`${object}.pinEdge`, transformPoints(positions, toMesh), faces, side);
    for (const { carrier, vertices, compliance } of attachments) void this.carry(vertices, carrier, compliance);
    if (skin instanceof TornSkin) this.body.onTear?.add((tear) => this.follow(tear, skin));
  }

  /**
   * Pins, as `pin` does, the open border of the mesh on a side: as the mesh was made, whatever its node was turned and scaled to then. Of
   * `CreatePlane` and what stands upright, `top` is towards +y and `right` towards +x; of `CreateGround`, and other meshes that lie, `top` is
   * towards +z. A border that looks up more than sideways is of the top, in a curve too; corners are of both sides. Resolves as `pinWhere`.
   *
   *     cloth.pinEdge("top");
   *
   * @throws PliantError `degenerate-geometry` for a mesh without an open border there; as `pin`
   */
  pinEdge(side: ClothSide, options: PinOptions = {}): Promise<number[]> {
    const border = new Set(this.borderTo(side));
    const vertices = [...this.particles.keys()].filter((vertex) => border.has(this.particles[vertex]));
    return this.pin(vertices, options).then(() => vertices);
  }

  /** Gauge pressure inside, Pa. Throws where the mesh is not closed, naming an edge, or the solver has no such option. */
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
   * Changes how the cloth is stepped, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: ClothMotionOptions): void {
    checkNames(this.name, options, clothMotionNames);
    const solver = options.solver === undefined ? this.solver : solverOf(this.name, options);
    if (solver !== this.solver)
      throw new PliantError("unsupported", `${this.name}.solver`, options.solver, `stays ${this.solver}`);
    this.changeOptions(toBodyOptions(this.name, this.plugin.frame, solver, options));
  }

  /**
   * Makes the cloth of another fabric while it moves: its stiffness, mass, damping, and friction where no option says another. It goes
   * on from where it is, as fast as it moves; pins, attachments and tears stay. With `factorization: "worker"` the old fabric goes on
   * until the factor of the new one is there.
   *
   * @throws PliantError for a fabric that there is not, or out of range; as the constructor where `membrane` or `bending` do not fit
   * it. The cloth stays of the fabric that it had then
   */
  setFabric(fabric: FabricName | Readonly<Fabric>): void {
    const model = this.modelOf(fabric);
    this.replaceModel(model, stiffnessesOf(this.fabric), stiffnessesOf(model.fabric));
    this.fabric = model.fabric;
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

  /** @internal */
  override _strengthOf(radius: number): number {
    const { stretchWarp, stretchWeft } = this.fabric;
    return 0.1 * Math.PI * radius * (stretchWarp + stretchWeft);
  }

  private follow(tear: Tear, skin: TornSkin): void {
    if (this.isDisposed) return;
    const vertices = skin.follow(tear);
    this.output.reconnect();
    this.onTearObservable.notifyObservers({ vertices });
  }

  protected override placesFor(
    vertex: number,
    { x, y, z }: Vector3,
  ): { particle: number; x: number; y: number; z: number }[] {
    return [{ particle: this.particles[vertex], x, y, z }];
  }
}

/** Those of a fabric in its plane over its density [m²/s²]. */
function stiffnessesOf({ stretchWarp, stretchWeft, shear, areaDensity }: Readonly<Fabric>): number[] {
  return [stretchWarp, stretchWeft, shear].map((stiffness) => stiffness / areaDensity);
}

/** Cloth feels the air, whichever solver it has, if that can. */
function airOf(solver: SolverName): { airDensity?: number } {
  return solver === "local-global" ? { airDensity: defaultOptions.airDensity } : {};
}
