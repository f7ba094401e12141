import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { invalid } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { embedSurface, solidModel, type BodyModel, type SolidMaterial, type SolverName } from "../../src/index";
import { embedNormals } from "../../src/geometry/tetrahedra/embedding";
import { spreadToParts } from "../../src/geometry/triangles/subdivide";
import { solverOptionNames } from "../../src/world/backend/solvers";
import { carriersOf } from "../deformable/carrier";
import { chosen, type VertexChoice } from "../deformable/find-points";
import { DeformableAggregate, type ParticlePlace } from "../deformable/deformable-aggregate";
import { requireFreeMesh } from "../deformable/deformable-parts";
import { requireRoom } from "../deformable/mesh/room";
import { motionOptions, requireCompliance, requireSolver, type MotionOptions } from "../deformable/motion-options";
import { trianglesOf } from "../geometry/triangles";
import { readMesh, type MeshSource } from "../deformable/mesh/read-mesh";
import { requireIndices } from "../deformable/mesh/require-indices";
import { pluginOf, requireMesh } from "../plugin-of";
import type { AffineMatrix } from "../geometry/affine-matrix";
import { engineMatrixOf, type SceneFrame } from "../scene-frame";
import { EmbeddedSkin } from "./embedded-skin";
import { fineSurface } from "./fine-surface";
import { restShapeOf, worldNormals, type RestShape } from "./rest-shape";
import { shapeWithin } from "./shape-within";
import {
  materialOf,
  softBodyNames,
  softMaterialNames,
  tetrahedraNames,
  solverOf,
  type SoftBodyMaterial,
  type SoftBodyOptions,
} from "./soft-body-options";
import { tetrahedraMesh } from "./tetrahedra-mesh";

/**
 * Turns a closed mesh into a soft body. Its inside is filled with tetrahedra, which carry the mesh along with its normals. So the mesh may be much finer than
 * the simulated tetrahedra. A much coarser mesh, such as that of `CreateBox`, gets finer triangles; its own vertices
 * stay the first ones (`subdivide`). The surface of the tetrahedra collides. The corners of its tetrahedron hold a
 * vertex: pins and attachments affect these corners.
 *
 * @example
 * ```ts
 * const cube = MeshBuilder.CreateBox("cube", { size: 0.4 }, scene);
 * cube.position.y = 1;
 * const jelly = new SoftBodyAggregate(cube, { youngsModulus: 3e4, poissonRatio: 0.4, density: 1000 }, scene);
 * jelly.setMaterial({ youngsModulus: 1e5, density: 1000 });
 * ```
 */
export class SoftBodyAggregate extends DeformableAggregate {
  readonly kind = "soft-body";
  /** the solver that steps the body */
  readonly solver: SolverName;
  /** E [Pa] and density [kg/m³] */
  /** @internal */
  _material: Pick<SolidMaterial, "youngsModulus" | "density">;
  /** @internal tetrahedra at rest, and the matrix that takes them into the frame of the mesh as it was then */
  readonly _shape: RestShape;
  /** @internal */
  readonly _toMesh: AffineMatrix;
  private readonly embedded: EmbeddedSkin;
  private readonly modelOf: (material: SolidMaterial) => BodyModel;

  /**
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is not closed, passes through itself, is
   * not finite, an instance or too large for the device; a vertex that is attached to two nodes; tetrahedra that are
   * flat; an option, a material or a pin out of range; a scene without this plugin. The mesh and the scene are not
   * changed then.
   */
  constructor(mesh: AbstractMesh, options: SoftBodyOptions = {}, scene?: Scene) {
    const object = `SoftBodyAggregate "${requireMesh("SoftBodyAggregate", mesh).name}"`;
    scene ??= mesh.getScene();
    const plugin = pluginOf(object, scene);
    requireFreeMesh(object, mesh, plugin);
    checkNames(object, options, softBodyNames);
    if (options.tetrahedra) checkNames(`${object}.tetrahedra`, options.tetrahedra, tetrahedraNames);
    const solver = solverOf(object, options);
    const { stretchLimits, elements, plasticity, lod } = options;
    requireSolver(object, solver, "local-global", { stretchLimits });
    requireSolver(object, solver, "gpbd", { plasticity, lod });
    const bodyOptions = motionOptions(object, plugin.frame, solver, options);
    plugin._settleAt(mesh);
    const source = readMesh(object, mesh);
    const { pinCompliance, canSleep } = options;
    requireCompliance(`${object}.pins`, solver, pinCompliance ?? 0);
    const modelIn = ({ positions, tetrahedra, volumeRatio }: RestShape, material: SolidMaterial): BodyModel =>
      solidModel({
        positions,
        tetrahedra,
        material: { ...material, density: material.density * volumeRatio },
        name: object,
        solver,
        energy: options.energy,
        stretchLimits,
        elements,
        plasticity,
      });
    const shape = shapeWithin(
      options,
      (resolution) => restShapeOf(object, mesh, source, { ...options, resolution }),
      (tried) => modelIn(tried, materialOf(object, options)),
    );
    const modelOf = (material: SolidMaterial): BodyModel => modelIn(shape, material);
    const model = modelOf(materialOf(object, options));
    const skin = skinOf(object, mesh, source, shape, model, inMetres(plugin.frame, options.subdivide));
    const { device } = plugin.world;
    if (device) requireRoom(object, device, skin.vertexCount);
    const vertexCount = source.positions.length / 3;
    // A predicate also sees the vertices that finer triangles bring.
    const places = (): ArrayLike<number> => {
      const fine = new Float32Array(3 * skin.vertexCount);
      skin.spread(model.positions, fine);
      return plugin.frame.pointsInScene(fine);
    };
    const verticesOf = (what: string, choice: VertexChoice): ArrayLike<number> => {
      const vertices = chosen(`${object}.${what}`, choice, places);
      if (typeof choice !== "function") requireIndices(`${object}.${what}`, vertices, vertexCount, "vertex");
      return vertices;
    };
    const pins = verticesOf("pins", options.pins ?? []);
    const burden = { solver, plugin };
    const attachments = carriersOf(object, [options.attach ?? []].flat(), burden, (v) => verticesOf("attach", v));
    const carried = attachments.flatMap(({ vertices }) => Array.from(vertices));
    super({
      object,
      plugin,
      mesh,
      scene,
      model,
      skin,
      pins,
      carried,
      options: { ...bodyOptions, pinCompliance, canSleep },
      lod,
      given: options,
    });
    this.embedded = skin;
    this._shape = shape;
    this._toMesh = engineMatrixOf(mesh).inverse();
    this.solver = solver;
    this.modelOf = modelOf;
    this._material = materialOf(object, options);
    for (const { carrier, vertices, compliance } of attachments) void this.carry(vertices, carrier, compliance);
  }

  /**
   * A soft body of tetrahedra, with a mesh of their surface:
   *
   *     SoftBodyAggregate.FromTetrahedra("bracket", loadMsh(text), { youngsModulus: 1e6 }, scene);
   *
   * @param tetrahedra positions, three numbers a vertex, and four vertices a tetrahedron, in any order
   * @throws PliantError as the constructor; there is no new mesh then
   */
  static FromTetrahedra(
    name: string,
    tetrahedra: NonNullable<SoftBodyOptions["tetrahedra"]>,
    options: Omit<SoftBodyOptions, "tetrahedra" | "resolution">,
    scene: Scene,
  ): SoftBodyAggregate {
    const mesh = tetrahedraMesh(name, tetrahedra, scene);
    try {
      return new SoftBodyAggregate(mesh, { ...options, tetrahedra }, scene);
    } catch (error) {
      mesh.dispose();
      throw error;
    }
  }

  /**
   * Changes options of the body's steps, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: MotionOptions): void {
    checkNames(this.name, options, solverOptionNames);
    this.changeOptions(motionOptions(this.name, this.plugin.frame, this.solver, options), options);
  }

  /**
   * Changes the material of the body while it moves, as `ClothAggregate.setFabric` does. With `factorization: "worker"`
   * the old material stays in use until the factor of the new one is ready.
   *
   * @throws PliantError for a material out of range; the body keeps its old material then
   */
  setMaterial(material: SoftBodyMaterial): void {
    checkNames(`${this.name}.setMaterial`, material, softMaterialNames);
    const solid = materialOf(`${this.name}.setMaterial`, material);
    const { youngsModulus, density } = this._material;
    this.replaceModel(this.modelOf(solid), [youngsModulus / density], [solid.youngsModulus / solid.density]);
    this._material = solid;
    const none = { youngsModulus: undefined, poissonRatio: undefined, density: undefined, material: undefined };
    this._given = { ...this._given, ...none, ...material };
  }

  /** @internal */
  override _strengthOf(radius: number): number {
    return 0.3 * Math.PI * radius * radius * this._material.youngsModulus;
  }

  /** Moves the corners of its tetrahedron by the displacement of the vertex. */
  protected override placesFor(vertex: number, { x, y, z }: Vector3): ParticlePlace[] {
    const particles = this.embedded.particlesOf(vertex);
    for (const particle of particles)
      if (!this.body.isPinned(particle)) throw invalid(`${this.name} vertex`, vertex, "must be pinned to have a place");
    const [a, b, c] = this.embedded.at(vertex, (particle) => this.body.pinTarget(particle));
    return particles.map((particle) => {
      const [px, py, pz] = this.body.pinTarget(particle);
      return { particle, x: px + x - a, y: py + y - b, z: pz + z - c };
    });
  }
}

/** A value that is not a number is not a length. */
function inMetres(frame: SceneFrame, wanted: SoftBodyOptions["subdivide"]): SoftBodyOptions["subdivide"] {
  return typeof wanted === "number" ? frame.length(wanted) : wanted;
}

/** @throws PliantError for an invalid length of `subdivide` */
function skinOf(
  object: string,
  mesh: AbstractMesh,
  source: MeshSource,
  shape: RestShape,
  model: BodyModel,
  wanted: SoftBodyOptions["subdivide"],
): EmbeddedSkin {
  const normals = worldNormals(mesh);
  // The mesh's own triangles, whose winding may differ from that of the simulated surface.
  const drawn = Uint32Array.from(trianglesOf(mesh, source.positions.length / 3));
  const cut = fineSurface(object, { ...source, indices: drawn }, model, wanted);
  if (!cut) return new EmbeddedSkin(shape.embedding, embedNormals(shape, shape.embedding, normals));
  const embedding = embedSurface(shape, spreadToParts(cut, source.positions, 3));
  return new EmbeddedSkin(embedding, embedNormals(shape, embedding, spreadToParts(cut, normals, 3)), cut);
}
