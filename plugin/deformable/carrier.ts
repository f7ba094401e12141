import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PliantError } from "../../src/errors";
import { checkNames, type NamesOf } from "../../src/option-names";
import type { SolverName } from "../../src/index";
import type { AffineMatrix } from "../affine-matrix";
import type { PliantPlugin } from "../pliant-plugin";
import { transformPoints } from "../mesh-transform";
import { MatrixWatch } from "../rigid/node-pose";
import type { RigidState } from "../rigid/rigid-state";
import { engineMatrixOf } from "../scene-frame";
import { boneMatrix, requireSkinnedMesh, Skin, skeletonWatch } from "../skeleton/skin";
import { dynamicBodyOf, unfelt } from "./leading-body";
import { requireCompliance } from "./motion-options";

/**
 * What carries vertices: a node; a bone, with the mesh that its skeleton moves (default: the first one of the scene); or the skin of
 * a mesh, at the points of it that are nearest.
 */
export type AttachmentCarrier =
  { node: TransformNode } | { bone: Bone; skinnedMesh?: AbstractMesh } | { skin: AbstractMesh };

/**
 * Vertices that something carries along.
 *
 * compliance: how far the force of 1 N takes a particle from where it is to be [m/N], default 0. Of solvers `local-global` and `newton`
 */
export type VertexAttachment = AttachmentCarrier & { vertices: ArrayLike<number>; compliance?: number };

export const carrierNames = {
  node: true,
  bone: true,
  skinnedMesh: true,
  skin: true,
} satisfies NamesOf<AttachmentCarrier>;

const attachmentNames = {
  ...carrierNames,
  vertices: true,
  compliance: true,
} satisfies NamesOf<VertexAttachment>;

/** Points in the frame of what carries them. */
export interface CarriedPoints {
  /** Where they are to be now, world space; undefined where that is where it was at the last call. */
  follow(): Float64Array | undefined;
  /** Some of them, by their places in the list. */
  pick(kept: readonly number[]): CarriedPoints;
}

/** Something that carries points. */
export interface Carrier {
  /** what `detach` calls it by */
  readonly owner: TransformNode | Bone;
  /** the node whose body, if it has a dynamic one, carries the points rigidly */
  readonly node?: TransformNode | undefined;
  /** whose bones carry */
  readonly skeleton?: Skeleton | undefined;
  readonly isGone: boolean;
  /** @param positions where the points are now, world space, three numbers each */
  bind(positions: ArrayLike<number>): CarriedPoints;
  /** Calls back when it goes away, until the function that this returns is called. */
  onGone(callback: () => void): () => void;
}

/** What is to be carried: the solver and the owner of a body decide whether the body feels it. */
export interface Burden {
  readonly solver: SolverName;
  readonly plugin: PliantPlugin;
}

/** What the plugin knows of a dynamic body that feels what it carries; undefined for one that would not feel it. */
export function feltBy(body: PhysicsBody, { solver, plugin }: Burden): RigidState | undefined {
  return solver === "gpbd" ? plugin._stateOf(body) : undefined;
}

/**
 * The carrier of an attachment.
 *
 * @throws PliantError `disposed` for nodes, bones and skeletons that are gone; `invalid-argument` for a mesh without the bone's skeleton;
 * `unsupported` for a mesh that is not skinned, and a node that a dynamic body moves which would not feel it
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
  if (node) return nodeCarrier(object, node, burden);
  throw new PliantError("invalid-argument", object, node, "must be a node, a bone or a skinned mesh");
}

/** What `attach` is given: a bone, or a node. */
export function nodeOrBone(node: TransformNode | Bone, skinnedMesh: AbstractMesh | undefined): AttachmentCarrier {
  return node && "getSkeleton" in node ? { bone: node, ...(skinnedMesh && { skinnedMesh }) } : { node };
}

/** @throws PliantError `unsupported` for a node that a dynamic body moves which would not feel what it carries */
function requireFelt(object: string, node: TransformNode, burden: Burden): void {
  const body = dynamicBodyOf(node);
  if (body && !feltBy(body, burden)) throw unfelt(object, node, body);
}

function nodeCarrier(object: string, node: TransformNode, burden: Burden): Carrier {
  if (node.isDisposed()) throw new PliantError("disposed", object, node.name, "needs a node that is not disposed");
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

/** The node that moves a bone, where that has a body of its own: the body carries then. */
function bodyNodeOf(bone: Bone): TransformNode | undefined {
  const node = bone.getTransformNode();
  return node?.physicsBody ? node : undefined;
}

function boneCarrier(object: string, bone: Bone, given: AbstractMesh | undefined, burden: Burden): Carrier {
  const skeleton = bone.getSkeleton();
  if (bone.isDisposed()) throw new PliantError("disposed", object, bone.name, "needs a bone that is not disposed");
  const mesh = given ?? skeleton.getScene().meshes.find((candidate) => candidate.skeleton === skeleton);
  if (!mesh) throw new PliantError("invalid-argument", object, bone.name, "needs a mesh that its skeleton moves");
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

/** Triples of a flat list, by their places. */
export function pickTriples(values: Float64Array, kept: readonly number[]): Float64Array {
  const picked = new Float64Array(3 * kept.length);
  kept.forEach((from, to) => picked.set(values.subarray(3 * from, 3 * from + 3), 3 * to));
  return picked;
}

/** @throws PliantError for a vertex that two are to carry; as `carrierOf` and `requireCompliance` */
export function carriersOf(
  object: string,
  attachments: readonly VertexAttachment[],
  burden: Burden,
): { carrier: Carrier; vertices: ArrayLike<number>; compliance: number }[] {
  const owners = new Map<number, Carrier["owner"]>();
  return attachments.map((attachment) => {
    checkNames(`${object}.attach`, attachment, attachmentNames);
    const carrier = carrierOf(`${object}.attach`, attachment, burden);
    const { compliance = 0 } = attachment;
    requireCompliance(`${object}.attach`, burden.solver, compliance);
    for (const vertex of Array.from(attachment.vertices)) {
      const other = owners.get(vertex);
      if (other !== undefined && other !== carrier.owner)
        throw new PliantError(
          "invalid-argument",
          `${object}.attach vertex ${vertex}`,
          carrier.owner.name,
          `must not be carried by two nodes: it is attached to "${other.name}" too`,
        );
      owners.set(vertex, carrier.owner);
    }
    return { carrier, vertices: attachment.vertices, compliance };
  });
}
