import { Logger } from "@babylonjs/core/Misc/logger";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Node } from "@babylonjs/core/node";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { ClothPlugin } from "../cloth-plugin";
import { worldMatrixOf } from "../rigid/node-pose";
import { transformPoints } from "../geometry/mesh-transform";
import { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import { RopeAggregate } from "../rope/rope-aggregate";
import { DEFORMABLES } from "./deformable-loader";
import type { GltfExporter } from "./rigid-writer";

const PARTS = { cloth: "cloth", "soft-body": "softBody", rope: "rope" } as const;
/** Options that are written in another form, or follow from the state. */
const OWN: ReadonlySet<string> = new Set(["pins", "attach", "wind", "segments"]);

type Json = Record<string, unknown>;
type Tetrahedra = { positions: number[]; tetrahedra: number[] };

const mirrored = ({ positions, tetrahedra }: Tetrahedra): Tetrahedra => ({
  positions: positions.map((value, i) => (i % 3 === 0 ? -value : value)),
  tetrahedra,
});

/** A node of a file. */
interface WrittenNode {
  extensions?: Json;
}

/**
 * Writes `PLIANT_deformables` for Babylon's exporter: options, pins, carriers and wind of cloth, soft bodies and ropes, and, for those
 * that have moved, the mesh at rest and the state of the particles.
 */
export class DeformablesWriter {
  readonly name = DEFORMABLES;
  enabled = true;
  readonly required = false;
  wasUsed = false;
  private readonly waiting: { aggregate: DeformableAggregate; json: Json; numbers: ReadonlyMap<Node, number> }[] = [];

  constructor(private readonly exporter: GltfExporter) {}

  dispose(): void {
    this.enabled = false;
  }

  /** Called by the exporter for each node. */
  async postExportNodeAsync<N>(
    _context: string,
    node: N,
    place: Node,
    numbers: ReadonlyMap<Node, number>,
    isMirrored: boolean,
  ): Promise<N> {
    const plugin = this.exporter._babylonScene.getPhysicsEngine()?.getPhysicsPlugin() as unknown as
      | ClothPlugin
      | undefined;
    const aggregate = plugin?.deformableAggregates?.find(({ mesh }) => (mesh as Node) === place);
    if (!aggregate) return node;
    this.wasUsed = true;
    const written = node as WrittenNode;
    written.extensions ??= {};
    written.extensions[DEFORMABLES] = await partOf(aggregate, isMirrored);
    // Carriers may be written later than this node.
    this.waiting.push({ aggregate, json: written.extensions[DEFORMABLES] as Json, numbers });
    return node;
  }

  /** Called by the exporter once all nodes are there. */
  onExporting(): void {
    for (const { aggregate, json, numbers } of this.waiting) {
      const attach = carriersIn(aggregate, numbers);
      if (attach.length > 0) Object.assign(json[PARTS[aggregate.kind]] as Json, { attach });
    }
  }
}

async function partOf(aggregate: DeformableAggregate, isMirrored: boolean): Promise<Json> {
  const { kind, mesh, body, plugin, _given, _stepped } = aggregate;
  const toNode = Matrix.Invert(worldMatrixOf(mesh));
  const inFile = ({ x, y, z }: Vector3): number[] => [isMirrored ? -x : x, y, z];
  const { frame } = plugin;
  const places = (values: ArrayLike<number>): number[][] =>
    triples(values, (at) => inFile(Vector3.TransformCoordinates(frame.pointInScene(at), toNode)));
  const ways = (values: ArrayLike<number>): number[][] =>
    triples(values, (at) => inFile(Vector3.TransformNormal(frame.offsetInScene(at), toNode)));
  const options: Json = {};
  for (const [key, value] of Object.entries(_given)) {
    if (OWN.has(key) || value === undefined) continue;
    const plain = plainOf(value);
    if (plain === undefined) Logger.Warn(`${DEFORMABLES} of "${mesh.name}": the option ${key} is not written`);
    else options[key] = key === "tetrahedra" && isMirrored ? mirrored(plain as Tetrahedra) : plain;
  }
  const wind = _given.wind as Vector3 | undefined;
  if (wind) options.wind = inFile(wind);
  const pins = pointsOf(aggregate, aggregate._pinned);
  if (pins.length > 0) options.pins = pins;
  if (aggregate instanceof RopeAggregate) {
    const { _line, pointCount } = aggregate;
    const { closed, radius } = _line;
    const path = places(_line.points);
    Object.assign(options, {
      // That of a closed rope ends where it begins.
      path: closed ? [...path, path[0]] : path,
      radius: frame.lengthInScene(radius!),
      segments: pointCount - (closed ? 0 : 1),
    });
  }
  const json: Json = { [PARTS[kind]]: options };
  // Ropes have other points than their tubes.
  if (!_stepped && kind !== "rope") return json;
  if (kind !== "rope") json.rest = restOf(aggregate, isMirrored);
  if (aggregate instanceof SoftBodyAggregate) Object.assign(options, solidOf(aggregate, options, isMirrored));
  if (_given.tearing) {
    Logger.Warn(`${DEFORMABLES} of "${mesh.name}": tears are not written; it begins at rest`);
    return json;
  }
  const { positions, velocities } = await body.readState();
  json.state = { positions: places(positions).flat(), velocities: ways(velocities).flat() };
  return json;
}

/** The tetrahedra of a soft body, since another lattice would have other particles, and their density. */
function solidOf({ _shape, _toMesh, _material }: SoftBodyAggregate, { material }: Json, isMirrored: boolean): Json {
  const density = _material.density * _shape.volumeRatio;
  const positions = [...transformPoints(_shape.positions, _toMesh)];
  const inMesh = { positions, tetrahedra: Array.from(_shape.tetrahedra) };
  return {
    tetrahedra: isMirrored ? mirrored(inMesh) : inMesh,
    resolution: undefined,
    density,
    ...(material ? { material: { ...material, density } } : {}),
  };
}

/** The mesh as it was before it moved, in its own frame. */
function restOf({ _original: { attributes, indices } }: DeformableAggregate, isMirrored: boolean): Json {
  const valuesOf = (kind: string, isVector: boolean): number[] | undefined => {
    const data = attributes.find((attribute) => attribute.kind === kind)?.data;
    return data && Array.from(data, (value, i) => (isMirrored && isVector && i % 3 === 0 ? -value : value));
  };
  const [positions, normals, uvs] = [valuesOf("position", true), valuesOf("normal", true), valuesOf("uv", false)];
  return { positions, normals, uvs, indices: indices ? Array.from(indices) : undefined };
}

/** Vertices of the mesh at rest, or points of a rope, all of whose particles are in a set. */
function pointsOf({ _skin, _original }: DeformableAggregate, particles: ReadonlySet<number>): number[] {
  const count = _skin.pointCount ?? Math.min(_skin.vertexCount, _original.vertexCount);
  return Array.from({ length: count }, (_, v) => v).filter((v) => _skin.particlesOf(v).every((p) => particles.has(p)));
}

function carriersIn(aggregate: DeformableAggregate, numbers: ReadonlyMap<Node, number>): Json[] {
  const at = aggregate.kind === "rope" ? "at" : "vertices";
  return aggregate._attachments.all.flatMap(({ carrier: { owner, node }, particles }) => {
    const isSkin = !node && !("getSkeleton" in owner);
    const number = numbers.get("getSkeleton" in owner ? owner.getTransformNode()! : owner);
    if (number === undefined) {
      Logger.Warn(`${DEFORMABLES} of "${aggregate.mesh.name}": the carrier ${owner.name} is not written`);
      return [];
    }
    return [{ [isSkin ? "skin" : "node"]: number, [at]: pointsOf(aggregate, new Set(particles)) }];
  });
}

function triples(values: ArrayLike<number>, read: (triple: ArrayLike<number>) => number[]): number[][] {
  return Array.from({ length: values.length / 3 }, (_, k) =>
    read([values[3 * k], values[3 * k + 1], values[3 * k + 2]]),
  );
}

/** A value as JSON has it; undefined for functions and objects of classes. */
function plainOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? undefined : value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainOf(part)]));
}
