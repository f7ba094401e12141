import type { Bone } from "@babylonjs/core/Bones/bone";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import type { BodyState } from "../../src/solvers/deformable";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { transformPoints } from "../geometry/mesh-transform";
import { worldMatrixOf } from "../rigid/node-pose";
import { RopeAggregate } from "../rope/rope-aggregate";
import { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import { plainOf, type Json } from "./plain";

const PARTS = { cloth: "cloth", "soft-body": "softBody", rope: "rope" } as const;
/** Options that are written in another form, or follow from the state. */
const OWN: ReadonlySet<string> = new Set(["pins", "attach", "wind", "segments"]);
/** Kinds of data of vertices at rest, and their names in a file. */
export const KINDS = { position: "positions", normal: "normals", uv: "uvs", uv2: "uvs2", color: "colors" } as const;

type Tetrahedra = { positions: number[]; tetrahedra: number[] };

const mirrored = ({ positions, tetrahedra }: Tetrahedra): Tetrahedra => ({
  positions: positions.map((value, i) => (i % 3 === 0 ? -value : value)),
  tetrahedra,
});

/** A file with deformable bodies. */
export interface DeformableFile {
  /** its name in messages */
  readonly name: string;
  /** whether the file is a mirror image of the scene */
  readonly isMirrored: boolean;
  /** names a carrier in the file; undefined for one that the file does not have */
  readonly carrier: (owner: TransformNode | Bone, isSkin: boolean) => Json | undefined;
}

/** Options, pins and wind of a body, and, if it has moved, its mesh at rest: all but its carriers and its state. */
export function describe(aggregate: DeformableAggregate, { name, isMirrored }: DeformableFile): Json {
  const { kind, mesh, plugin, _given, _stepped } = aggregate;
  const options: Json = {};
  for (const [key, value] of Object.entries(_given)) {
    if (OWN.has(key) || value === undefined) continue;
    const plain = plainOf(value);
    if (plain === undefined) Logger.Warn(`${name} of "${mesh.name}": the option ${key} is not written`);
    else options[key] = key === "tetrahedra" && isMirrored ? mirrored(plain as Tetrahedra) : plain;
  }
  const wind = _given.wind as Vector3 | undefined;
  if (wind) options.wind = inFile(wind, isMirrored);
  const pins = pointsOf(aggregate, aggregate._pinned);
  if (pins.length > 0) options.pins = pins;
  if (aggregate instanceof RopeAggregate) {
    const { _line, pointCount } = aggregate;
    const { closed, radius } = _line;
    const path = placesOf(aggregate, _line.points, isMirrored);
    Object.assign(options, {
      // That of a closed rope ends where it begins.
      path: closed ? [...path, path[0]] : path,
      radius: plugin.frame.lengthInScene(radius!),
      segments: pointCount - (closed ? 0 : 1),
    });
  }
  const json: Json = { [PARTS[kind]]: options };
  if (!_stepped || kind === "rope") return json;
  json.rest = restOf(aggregate, isMirrored);
  if (aggregate instanceof SoftBodyAggregate) Object.assign(options, solidOf(aggregate, options, isMirrored));
  return json;
}

/** Adds the carriers of a body to what `describe` returned. */
export function addCarriers(
  json: Json,
  aggregate: DeformableAggregate,
  { name, carrier: nameOf }: DeformableFile,
): void {
  const at = aggregate.kind === "rope" ? "at" : "vertices";
  const attach = aggregate._attachments.all.flatMap(({ carrier: { owner, node }, particles }) => {
    const written = nameOf(owner, !node && !("getSkeleton" in owner));
    if (!written) Logger.Warn(`${name} of "${aggregate.mesh.name}": the carrier ${owner.name} is not written`);
    return written ? [{ ...written, [at]: pointsOf(aggregate, new Set(particles)) }] : [];
  });
  if (attach.length > 0) Object.assign(json[PARTS[aggregate.kind]] as Json, { attach });
}

/** Whether a body has a state that is written; others begin at rest. */
export function hasState({ kind, mesh, _stepped, _given }: DeformableAggregate, name: string): boolean {
  // Ropes have other points than their tubes.
  if (!_stepped && kind !== "rope") return false;
  if (_given.tearing) Logger.Warn(`${name} of "${mesh.name}": tears are not written; it begins at rest`);
  return !_given.tearing;
}

/** Places and velocities of the particles in the frame of the node. */
export function stateJson(aggregate: DeformableAggregate, state: BodyState, isMirrored: boolean): Json {
  const { frame } = aggregate.plugin;
  const toNode = Matrix.Invert(worldMatrixOf(aggregate.mesh));
  const velocities = triples(state.velocities, (at) =>
    inFile(Vector3.TransformNormal(frame.offsetInScene(at), toNode), isMirrored),
  );
  return { positions: placesOf(aggregate, state.positions, isMirrored).flat(), velocities: velocities.flat() };
}

function placesOf({ mesh, plugin }: DeformableAggregate, values: ArrayLike<number>, isMirrored: boolean): number[][] {
  const toNode = Matrix.Invert(worldMatrixOf(mesh));
  return triples(values, (at) =>
    inFile(Vector3.TransformCoordinates(plugin.frame.pointInScene(at), toNode), isMirrored),
  );
}

const inFile = ({ x, y, z }: Vector3, isMirrored: boolean): number[] => [isMirrored ? -x : x, y, z];

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
  const rest: Json = {};
  for (const { kind, data } of attributes) {
    const name = KINDS[kind as keyof typeof KINDS] as string | undefined;
    const turns = isMirrored && (kind === "position" || kind === "normal");
    if (name) rest[name] = Array.from(data, (value, i) => (turns && i % 3 === 0 ? -value : value));
  }
  return { ...rest, indices: indices ? Array.from(indices) : undefined };
}

/** Vertices of the mesh at rest, or points of a rope, all of whose particles are in a set. */
function pointsOf({ _skin, _original }: DeformableAggregate, particles: ReadonlySet<number>): number[] {
  const count = _skin.pointCount ?? Math.min(_skin.vertexCount, _original.vertexCount);
  return Array.from({ length: count }, (_, v) => v).filter((v) => _skin.particlesOf(v).every((p) => particles.has(p)));
}

function triples(values: ArrayLike<number>, read: (triple: ArrayLike<number>) => number[]): number[][] {
  return Array.from({ length: values.length / 3 }, (_, k) =>
    read([values[3 * k], values[3 * k + 1], values[3 * k + 2]]),
  );
}
