import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { invalid } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { requireAlive, requireKind } from "../plugin-of";
import type { SolverName } from "../../src/index";
import type { AffineMatrix } from "../geometry/affine-matrix";
import type { ClothPlugin } from "../cloth-plugin";
import { transformPoints } from "../geometry/mesh-transform";
import { MatrixWatch } from "../rigid/node-pose";
import type { RigidState } from "../rigid/rigid-state";
import { engineMatrixOf } from "../scene-frame";
import { boneMatrix, requireSkinnedMesh, Skin, skeletonWatch } from "../skeleton/skin";
import type { VertexChoice } from "./find-points";
import { dynamicBodyOf, unfelt } from "./leading-body";
import { requireCompliance } from "./motion-options";

/**
 * A carrier of vertices: a node; a bone, with the mesh that its skeleton moves (default: the first such mesh of the
 * scene); or the skin of a mesh, at its nearest points.
 */
export type AttachmentCarrier =
  | { node: TransformNode }
  | { bone: Bone; skinnedMesh?: AbstractMesh }
  | { skin: AbstractMesh };

/**
 * Vertices that a carrier moves along: indices, or a predicate as for `pinWhere`.
 *
 * compliance: displacement of each particle from its place under a force of 1 N [m/N], default 0. Of solvers
 * `local-global` and `newton`
 */
export type VertexAttachment = AttachmentCarrier & { vertices: VertexChoice; compliance?: number };

export const carrierNames = optionNames<AttachmentCarrier>()("node bone skinnedMesh skin");

const attachmentNames = optionNames<VertexAttachment>()("vertices compliance", carrierNames);

/** Points in the frame of their carrier. */
export interface CarriedPoints {
  /** Places of the points now, world space; undefined if they are the same as at the last call. */
  follow(): Float64Array | undefined;
  /** Some of the points, by their indices in the list. */
  pick(kept: readonly number[]): CarriedPoints;
}

/** An object that carries points. */
export interface Carrier {
  /** the object that is passed to `detach` */
  readonly owner: TransformNode | Bone;
  /** the node whose body, if it has a dynamic one, carries the points rigidly */
  readonly node?: TransformNode | undefined;
  /** the skeleton whose bones carry the points */
  readonly skeleton?: Skeleton | undefined;
  readonly isGone: boolean;
  /** @param positions present places of the points, world space, three numbers each */
  bind(positions: ArrayLike<number>): CarriedPoints;
  /** Calls back when the carrier goes away, until the returned function is called. */
  onGone(callback: () => void): () => void;
}

/** The body whose vertices are to be carried: its solver and its plugin decide whether a dynamic body feels them. */
export interface Burden {
  readonly solver: SolverName;
  readonly plugin: ClothPlugin;
}

/** The plugin's state of a dynamic body, if the body feels the vertices that it carries; undefined otherwise. */
export function feltBy(body: PhysicsBody, { solver, plugin }: Burden): RigidState | undefined {
  return solver === "gpbd" ? plugin._stateOf(body) : undefined;
}

/**
 * The carrier of an attachment.
 *
 * @throws PliantError `disposed` for nodes, bones and skeletons that are gone; `invalid-argument` for a mesh without
 * the bone's skeleton; `unsupported` for a mesh that is not skinned, and for a node of a dynamic body that would not
 * feel the vertices
 */
export function carrierOf(object: string, attachment: AttachmentCarrier, burden: Burden): Carrier {
  const { node, bone, skin, skinnedMesh } = attachment as {
    node?: TransformNode;
    bone?: Bone;
    skin?: AbstractMesh;
    skinnedMesh?: AbstractMesh;
  };
  if (skin) return skinCarrier(object, skin);
  if (bone) return boneCarrier(object, bone, skinnedMesh, burden);
  requireAlive(object, node, "a node, a bone or a skinned mesh");
  return nodeCarrier(object, node!, burden);
}

/** The carrier for an argument of `attach`: a bone, or a node. */
export function nodeOrBone(node: TransformNode | Bone, skinnedMesh: AbstractMesh | undefined): AttachmentCarrier {
  return typeof node === "object" && node && "getSkeleton" in node
    ? { bone: node, ...(skinnedMesh && { skinnedMesh }) }
    : { node };
}

/** @throws PliantError `unsupported` for a node of a dynamic body that would not feel the vertices */
function requireFelt(object: string, node: TransformNode, burden: Burden): void {
  const body = dynamicBodyOf(node);
  if (body && !feltBy(body, burden)) throw unfelt(object, node, body);
}

function nodeCarrier(object: string, node: TransformNode, burden: Burden): Carrier {
  requireFelt(object, node, burden);
  return {
    owner: node,
    node,
    get isGone() {
      return node.isDisposed();
    },
    bind: (positions) => MatrixPoints.at(positions, () => engineMatrixOf(node)),
    onGone: (callback) => {
      const observer = node.onDisposeObservable.add(callback);
      return () => node.onDisposeObservable.remove(observer);
    },
  };
}

/** The node that moves a bone, if it has a body of its own: then that body carries. */
function bodyNodeOf(bone: Bone): TransformNode | undefined {
  const node = bone.getTransformNode();
  return node?.physicsBody ? node : undefined;
}

function boneCarrier(object: string, bone: Bone, given: AbstractMesh | undefined, burden: Burden): Carrier {
  requireKind(object, bone, "getSkeleton", "a bone");
  requireAlive(object, bone, "a bone");
  const skeleton = bone.getSkeleton();
  const mesh = given ?? skeleton.getScene().meshes.find((candidate) => candidate.skeleton === skeleton);
  if (!mesh) throw invalid(object, bone.name, "needs a mesh that its skeleton moves");
  const watch = skeletonWatch(object, mesh, skeleton);
  const node = bodyNodeOf(bone);
  if (node) requireFelt(object, node, burden);
  return {
    owner: bone,
    get node() {
      return bodyNodeOf(bone);
    },
    skeleton,
    get isGone() {
      return bone.isDisposed() || watch.isGone;
    },
    bind: (positions) => MatrixPoints.at(positions, () => boneMatrix(bone, mesh)),
    onGone: (callback) => {
      const stop = watch.onGone(callback);
      const observer = bone.onDisposeObservable.add(callback);
      return () => {
        stop();
        bone.onDisposeObservable.remove(observer);
      };
    },
  };
}

function skinCarrier(object: string, mesh: AbstractMesh): Carrier {
  const skeleton = requireSkinnedMesh(object, mesh);
  const watch = skeletonWatch(object, mesh, skeleton);
  return {
    owner: mesh,
    skeleton,
    get isGone() {
      return watch.isGone;
    },
    bind: (positions) => {
      const skin = new Skin(object, mesh);
      return skin.bind(positions, skin.pose());
    },
    onGone: (callback) => watch.onGone(callback),
  };
}

/** Points that keep their places in a frame. */
class MatrixPoints implements CarriedPoints {
  private constructor(
    private readonly matrix: () => AffineMatrix,
    private readonly offsets: Float64Array,
    private readonly watch: MatrixWatch,
  ) {}

  static at(positions: ArrayLike<number>, matrix: () => AffineMatrix): MatrixPoints {
    const world = matrix();
    const watch = new MatrixWatch();
    watch.changed(world);
    return new MatrixPoints(matrix, transformPoints(positions, world.inverse()), watch);
  }

  follow(): Float64Array | undefined {
    const world = this.matrix();
    return this.watch.changed(world) ? transformPoints(this.offsets, world) : undefined;
  }

  pick(kept: readonly number[]): MatrixPoints {
    return new MatrixPoints(this.matrix, pickTriples(this.offsets, kept), this.watch);
  }
}

/** Triples of a flat list, by their indices. */
export function pickTriples(values: Float64Array, kept: readonly number[]): Float64Array {
  const picked = new Float64Array(3 * kept.length);
  kept.forEach((from, to) => picked.set(values.subarray(3 * from, 3 * from + 3), 3 * to));
  return picked;
}

/**
 * @param verticesOf indices of a choice; may throw
 * @throws PliantError for a vertex with two carriers; also as `carrierOf` and `requireCompliance`
 */
export function carriersOf(
  object: string,
  attachments: readonly VertexAttachment[],
  burden: Burden,
  verticesOf: (choice: VertexChoice) => ArrayLike<number>,
): { carrier: Carrier; vertices: ArrayLike<number>; compliance: number }[] {
  const owners = new Map<number, Carrier["owner"]>();
  return attachments.map((attachment) => {
    checkNames(`${object}.attach`, attachment, attachmentNames);
    const carrier = carrierOf(`${object}.attach`, attachment, burden);
    const { compliance = 0 } = attachment;
    requireCompliance(`${object}.attach`, burden.solver, compliance);
    const vertices = verticesOf(attachment.vertices);
    for (const vertex of Array.from(vertices)) {
      const other = owners.get(vertex);
      if (other !== undefined && other !== carrier.owner)
        throw invalid(
          `${object}.attach vertex ${vertex}`,
          carrier.owner.name,
          `must not be carried by two nodes: it is attached to "${other.name}" too`,
        );
      owners.set(vertex, carrier.owner);
    }
    return { carrier, vertices, compliance };
  });
}
