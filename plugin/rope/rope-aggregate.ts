import type { Bone } from "@babylonjs/core/Bones/bone";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { invalid } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { ropeModel, type BodyModel, type PinOptions, type SolverName } from "../../src/index";
import { resamplePath } from "../../src/geometry/resample-path";
import type { RodSet } from "../../src/solvers/gpbd/rods/rod-set";
import { solverOptionNames } from "../../src/world/backend/solvers";
import { notNegative, positive } from "../../src/world/rigid/checks";
import { carrierOf } from "../deformable/carrier";
import { DeformableAggregate, type ParticlePlace } from "../deformable/deformable-aggregate";
import { requireFreeMesh } from "../deformable/deformable-parts";
import { chosen } from "../deformable/find-points";
import { motionOptions, type MotionOptions } from "../deformable/motion-options";
import { requireIndices } from "../deformable/mesh/require-indices";
import { transformPoints } from "../geometry/mesh-transform";
import { pluginOf } from "../plugin-of";
import { engineMatrixOf, type SceneFrame } from "../scene-frame";
import {
  checkCount,
  checkSolver,
  pathNumbers,
  ropeAttachmentNames,
  ropeNames,
  ropePathNames,
  type RopeAttachment,
  type RopeOptions,
  type RopePath,
} from "./rope-options";
import { bow } from "./bow";
import { lineOfMesh, lineThrough, type Line } from "./rope-path";
import { ropeWithin } from "./rope-within";
import { TubeSkin } from "./tube-skin";

const DEFAULT_RADIUS = 0.01;
/** Least ratio of length to radius of a rope without a given radius. */
const SLENDER = 40;
const MOST_SEGMENTS = 200;

/**
 * A rope, a cable or a rod, along a path or in place of an existing tube or lines. It resists stretch, bending and twist. All methods take indices of its points: `segments` + 1 points at equal
 * distances from its start to its end (`segments` points if it is closed). Two held points in a row clamp the rope:
 * they keep its direction and twist. The mesh for a path is a tube in the scene, `mesh`; it remains after the aggregate
 * unless you dispose of it.
 *
 * @example
 * ```ts
 * const path = [new Vector3(0, 2, 0), new Vector3(1, 2, 0)];
 * const crate = MeshBuilder.CreateBox("crate", { size: 0.2 }, scene);
 * crate.position.set(1, 1.9, 0);
 * new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 1 }, scene);
 * const rope = new RopeAggregate({ path, radius: 0.01 }, { segments: 20, attach: { node: crate, at: "end" } }, scene);
 * await rope.pinEnd("start");
 * ```
 */
export class RopeAggregate extends DeformableAggregate {
  readonly kind: "rope";
  readonly solver: SolverName;
  /** number of points */
  readonly pointCount: number;
  /** @internal the line that it was made along [m] */
  readonly _line: Line;

  /**
   * @param source a path in the world; or a mesh made by `CreateTube` or `CreateLines`
   * @param scene default: that of the mesh
   * @throws PliantError naming the rope, the value and the rule: fewer than two points (three if closed), points that
   * are not finite or repeat, another kind of mesh; a radius, a material, an option or a point out of range; a scene
   * without this plugin. Mesh and scene are not changed then.
   */
  constructor(source: AbstractMesh | RopePath, options: RopeOptions = {}, scene?: Scene) {
    const given = source instanceof AbstractMesh ? source : undefined;
    const name = given?.name ?? (source as RopePath | undefined)?.name ?? "rope";
    const object = `RopeAggregate "${name}"`;
    const stage = scene ?? given?.getScene();
    if (!stage) throw invalid(object, "a path", "needs a scene");
    const plugin = pluginOf(object, stage);
    checkNames(object, options, ropeNames);
    if (given) requireFreeMesh(object, given, plugin);
    else checkNames(object, source, ropePathNames);
    const { frame } = plugin;
    if (given) plugin._settleAt(given);
    else plugin._settle((source as RopePath).path?.[0]);
    const line = given ? lineOfMesh(object, given) : lineOfPath(object, frame, source as RopePath);
    const radius = inMetres(frame, options.radius) ?? line.radius ?? Math.min(DEFAULT_RADIUS, line.length / SLENDER);
    const { closed } = line;
    const solver = checkSolver(object, options, closed);
    const least = closed ? 3 : 1;
    const usual = Math.min(MOST_SEGMENTS, Math.max(8, Math.round(line.length / (2 * radius)) || 8));
    const sides = checkCount(`${object}.sides`, options.sides ?? 12, 3, 128);
    const along = (count: number): { positions: Float64Array; model: BodyModel } => {
      const segments = checkCount(`${object}.segments`, count, least, 100_000);
      const positions = resamplePath(line.points, segments, closed);
      if (!closed && solver === "gpbd") bow(positions);
      return { positions, model: modelOf(object, { positions, closed, radius, length: line.length, solver }, options) };
    };
    const { positions, model } =
      options.segments === undefined ? ropeWithin(options, usual, along) : along(options.segments);
    const attachments = ([options.attach ?? []] as const).flat() as readonly RopeAttachment[];
    const pointCount = positions.length / 3;
    for (const attachment of attachments) checkNames(`${object}.attach`, attachment, ropeAttachmentNames);
    const carriers = attachments.map((attachment) => carrierOf(`${object}.attach`, attachment, { solver, plugin }));
    const places = (): ArrayLike<number> => frame.pointsInScene(positions);
    const held = attachments.map(({ at }) => pointsAt(`${object}.attach`, at, pointCount, places));

    const mesh = given ?? tubeAlong(name, frame, positions, closed, radius, sides, stage);
    try {
      const skin = skinOf(mesh, positions, "rods" in model ? model.rods : undefined);
      const pins = chosen(`${object}.pins`, options.pins ?? [], places);
      super({
        object,
        plugin,
        mesh,
        scene: stage,
        model,
        skin,
        pins,
        options: { ...motionOptions(object, frame, solver, options), canSleep: options.canSleep },
        lod: options.lod,
        given: options,
      });
    } catch (error) {
      if (!given) mesh.dispose();
      throw error;
    }
    this.kind = "rope";
    this.pointCount = pointCount;
    this._line = { ...line, radius };
    this.solver = solver;
    carriers.forEach((carrier, k) => void this.carry(held[k], carrier));
  }

  /**
   * Pins an end, as `pin` does: its last two points, which hold its direction and twist. Resolves to these points when
   * they are held.
   *
   * @throws PliantError for an unknown end; also as `pin`
   */
  pinEnd(end: "start" | "end", options: PinOptions = {}): Promise<number[]> {
    const points = pointsAt(`${this.name}.pinEnd`, end, this.pointCount);
    return this.pin(points, options).then(() => points);
  }

  /**
   * Lets a node or a bone carry an end along in its present pose, including its direction. Parameters and promise as of
   * `attach`.
   */
  attachEnd(end: "start" | "end", node: TransformNode | Bone, skinnedMesh?: AbstractMesh): Promise<void> {
    return this.attach(pointsAt(`${this.name}.attach`, end, this.pointCount), node, skinnedMesh);
  }

  /**
   * Changes options of the rope's steps, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: MotionOptions): void {
    checkNames(this.name, options, solverOptionNames);
    this.changeOptions(motionOptions(this.name, this.plugin.frame, this.solver, options), options);
  }

  /** @internal */
  override _strengthOf(): number {
    const { model } = this.body;
    if (!("rods" in model)) return Infinity;
    const stretch = model.terms.find(({ kind }) => kind === "distance");
    // of the first edge: length over compliance
    return stretch ? (0.1 * stretch.rest[0]) / stretch.rest[1] : Infinity;
  }

  protected override placesFor(point: number, { x, y, z }: Vector3): ParticlePlace[] {
    return [{ particle: point, x, y, z }];
  }
}

function lineOfPath(object: string, frame: SceneFrame, { path, radius }: RopePath): Line {
  if (!Array.isArray(path)) throw invalid(`${object} path`, path, "must be a list of points");
  return lineThrough(object, pathNumbers(object, frame, path), inMetres(frame, radius));
}

const inMetres = (frame: SceneFrame, radius: number | undefined): number | undefined =>
  radius === undefined ? undefined : frame.length(radius);

/** The two points of an end, which hold its direction. */
function pointsAt(
  object: string,
  at: RopeAttachment["at"],
  count: number,
  places: () => ArrayLike<number> = () => [],
): number[] {
  if (at === "start") return [0, 1];
  if (at === "end") return [count - 2, count - 1];
  if (typeof at === "string" || !at) throw invalid(object, at, 'must be "start", "end", points or a predicate');
  const points = chosen(object, at, places);
  requireIndices(object, points, count, "point");
  return Array.from(points);
}

function modelOf(
  name: string,
  rope: { positions: Float64Array; closed: boolean; radius: number; length: number; solver: "gpbd" | "newton" },
  options: RopeOptions,
): BodyModel {
  const { positions, closed, radius, length, solver } = rope;
  const { mass, youngsModulus, bendingStiffness, elasticDamping: damping, friction } = options;
  if (mass !== undefined) positive(`${name}.mass`, mass);
  if (damping !== undefined) notNegative(`${name}.elasticDamping`, damping);
  const density = mass === undefined ? (options.density ?? 1000) : mass / (Math.PI * radius * radius * length);
  const { poissonRatio, stretchStiffness, torsionStiffness, naturalShape, twist } = options;
  const elastic = {
    youngsModulus,
    bendingStiffness,
    poissonRatio,
    stretchStiffness,
    torsionStiffness,
    naturalShape,
    twist,
  };
  const damped = damping ?? (solver === "gpbd" ? 1e-3 : undefined);
  return ropeModel({ solver, name, positions, closed, radius, density, friction, ...elastic, damping: damped });
}

/** A tube with its node at the engine's origin, so that coordinates are small wherever that origin is. */
function tubeAlong(
  name: string,
  frame: SceneFrame,
  positions: Float64Array,
  closed: boolean,
  radius: number,
  sides: number,
  scene: Scene,
): Mesh {
  const path = Array.from({ length: positions.length / 3 }, (_, i) => frame.offsetInScene(positions, 3 * i));
  if (closed) path.push(path[0].clone());
  const cap = closed ? Mesh.NO_CAP : Mesh.CAP_ALL;
  const size = { radius: frame.lengthInScene(radius), tessellation: sides };
  const mesh = CreateTube(name, { path, ...size, cap, updatable: true }, scene);
  mesh.position.copyFrom(frame.origin);
  return mesh;
}

function skinOf(mesh: AbstractMesh, positions: Float64Array, rods: RodSet | undefined): TubeSkin {
  const world = engineMatrixOf(mesh);
  const vertices = transformPoints(mesh.getVerticesData(VertexBuffer.PositionKind)!, world);
  const local = mesh.getVerticesData(VertexBuffer.NormalKind) ?? new Float32Array(vertices.length);
  // Normals turn with the mesh; only lines have no normals.
  const origin = transformPoints([0, 0, 0], world);
  const normals = transformPoints(local, world).map((value, i) => value - origin[i % 3]);
  return new TubeSkin(positions, rods, vertices, normals);
}
