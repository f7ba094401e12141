import { type Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { ClothAggregate } from "../cloth/cloth-aggregate";
import type { AttachmentCarrier } from "../deformable/carrier";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { worldMatrixOf } from "../rigid/node-pose";
import { RopeAggregate } from "../rope/rope-aggregate";
import { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import { KINDS } from "./deformable-json";
import { revived, vectorOf } from "./plain";

/** Options as the aggregates have them; vectors are lists of three numbers, and carriers as the file names them. */
type OptionsJson = Readonly<Record<string, unknown>> & {
  readonly wind?: readonly number[];
  readonly attach?: readonly Readonly<Record<string, unknown>>[];
};

/** A deformable body in a file: one of its kinds. */
export interface DeformableJson {
  /** the mesh at rest, in the frame of the node, where the mesh of the file is in motion */
  readonly rest?: RestJson;
  /** of the particles, in the frame of the node, three numbers each */
  readonly state?: StateJson;
  readonly cloth?: OptionsJson;
  readonly softBody?: OptionsJson;
  /** points in the frame of the node */
  readonly rope?: OptionsJson & { readonly path: readonly (readonly number[])[] };
}

interface StateJson {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
  /** frames of rods, and permanent deformation, in the world: see `BodyState` */
  readonly frames?: readonly number[];
  readonly plastic?: readonly number[];
}

interface RestJson {
  readonly positions: number[];
  readonly normals?: number[];
  readonly uvs?: number[];
  readonly uvs2?: number[];
  readonly colors?: number[];
  readonly indices?: number[];
}

const partNames = optionNames<DeformableJson>()("cloth softBody rope rest state");

/** The node of a file that is to be a deformable body. */
export interface DeformableSite {
  /** its name in messages */
  readonly object: string;
  readonly scene: Scene;
  readonly node: TransformNode;
  /** meshes that the file draws there */
  readonly meshes: readonly AbstractMesh[];
  /** @throws PliantError for a carrier that the file does not have */
  carrier(one: Readonly<Record<string, unknown>>): AttachmentCarrier;
  /** A direction of the file in the scene. */
  direction(direction: Vector3): Vector3;
}

/** Makes a deformable body as a file describes it. @throws PliantError as the aggregates do; it names the node */
export function makeDeformable(site: DeformableSite, json: DeformableJson): DeformableAggregate | undefined {
  const { object, scene, node } = site;
  checkNames(object, json, partNames);
  const { cloth, softBody, rope, rest, state } = json;
  const options = revived(cloth ?? softBody ?? rope);
  if (!options) return undefined;
  const toWorld = worldMatrixOf(node).clone();
  // Vertices that are carried are in their places when their carriers take them.
  const given = optionsOf(site, state ? { ...options, attach: [] } : options);
  if (rest && !rope) putBack(meshOf(site) as Mesh, rest);
  const made = rope
    ? makeRope(site, given as object & { path: unknown })
    : new (cloth ? ClothAggregate : SoftBodyAggregate)(meshOf(site), given, scene);
  if (state) setState(site, toWorld, made, state, options.attach ?? []);
  return made;
}

/** Gives a mesh its vertices at rest. */
function putBack(mesh: Mesh, { indices, ...rest }: RestJson): void {
  const count = rest.positions.length / 3;
  if (mesh.getTotalVertices() !== count) for (const kind of mesh.getVerticesDataKinds()) mesh.removeVerticesData(kind);
  for (const [kind, name] of Object.entries(KINDS)) if (rest[name]) mesh.setVerticesData(kind, rest[name], true);
  const present = mesh.getIndices();
  // New triangles would be one submesh.
  if (indices && (indices.length !== present?.length || indices.some((index, k) => index !== present[k])))
    mesh.setIndices(indices, count, true);
}

function setState(
  { object, carrier: carrierOf }: DeformableSite,
  toWorld: Matrix,
  made: DeformableAggregate,
  { positions, velocities, frames, plastic }: StateJson,
  attach: NonNullable<OptionsJson["attach"]>,
): void {
  if (!Array.isArray(positions) || !Array.isArray(velocities))
    throw new PliantError(
      "invalid-argument",
      `${object}.state`,
      positions,
      "must have positions and velocities: a scene on a GPU is written by SerializeAsync",
    );
  const { frame } = made.plugin;
  const read = (values: readonly number[], place: (v: Vector3) => readonly number[]): Float64Array =>
    Float64Array.from(
      Array.from({ length: values.length / 3 }, (_, k) => place(Vector3.FromArray(values, 3 * k))).flat(),
    );
  made.body.writeState({
    positions: read(positions, (v) => frame.point(Vector3.TransformCoordinates(v, toWorld))),
    velocities: read(velocities, (v) => frame.offset(Vector3.TransformNormal(v, toWorld))),
    frames,
    plastic,
  });
  for (const one of attach) {
    const carrier = carrierOf(one) as {
      node?: TransformNode;
      bone?: Bone;
      skin?: AbstractMesh;
      skinnedMesh?: AbstractMesh;
    };
    const points = (one.vertices ?? one.at) as number[];
    if (carrier.skin) void made.attachToSkin(points, carrier.skin);
    else void made.attach(points, (carrier.bone ?? carrier.node)!, carrier.skinnedMesh);
  }
}

function makeRope(site: DeformableSite, { path, ...options }: { path: unknown }): RopeAggregate {
  const { object, node, meshes, scene } = site;
  if (!Array.isArray(path))
    throw new PliantError("invalid-argument", `${object}.rope.path`, path, "must be a list of points");
  const toWorld = worldMatrixOf(node);
  const points = path.map((point) =>
    Vector3.TransformCoordinates(vectorOf(`${object}.rope.path`, point as number[]), toWorld),
  );
  const rope = new RopeAggregate({ path: points, name: node.name || "rope" }, options, scene);
  // The rope draws itself in place of a mesh of the file.
  for (const drawn of meshes) {
    rope.mesh.material = drawn.material;
    drawn.dispose();
  }
  return rope;
}

/** Options of an aggregate, which checks their names and values. */
function optionsOf({ object, carrier, direction }: DeformableSite, { wind, attach, ...rest }: OptionsJson): object {
  return {
    ...rest,
    ...(wind ? { wind: direction(vectorOf(`${object}.wind`, wind)) } : {}),
    ...(attach ? { attach: attach.map((one) => ({ ...one, ...carrier(one) })) } : {}),
  };
}

function meshOf({ object, meshes }: DeformableSite): AbstractMesh {
  if (meshes.length !== 1)
    throw new PliantError("invalid-argument", object, meshes.length, "needs a node with a mesh of one primitive");
  return meshes[0];
}
