import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import type { INode } from "@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces";
import { PliantError } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { ClothAggregate } from "../cloth/cloth-aggregate";
import type { AttachmentCarrier } from "../deformable/carrier";
import { worldMatrixOf } from "../rigid/node-pose";
import { RopeAggregate } from "../rope/rope-aggregate";
import { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import { directions } from "./frames";

export const DEFORMABLES = "PLIANT_deformables";

/** A carrier of vertices in a file: the number of a node, or of one whose skinned mesh carries them. */
type CarrierJson = { readonly node: number } | { readonly skin: number };

/** Options as the aggregates have them; vectors are lists of three numbers, and carriers numbers of nodes. */
type OptionsJson = Readonly<Record<string, unknown>> & {
  readonly wind?: readonly number[];
  readonly attach?: readonly (CarrierJson & Readonly<Record<string, unknown>>)[];
};

/** `extensions.PLIANT_deformables` of a node: one of its parts. */
interface DeformableNode {
  readonly cloth?: OptionsJson;
  readonly softBody?: OptionsJson;
  /** points in the frame of the node */
  readonly rope?: OptionsJson & { readonly path: readonly (readonly number[])[] };
}

const PARTS = { cloth: true, softBody: true, rope: true } as const;

/**
 * Loads `PLIANT_deformables`: the mesh of a node becomes cloth or a soft body, or a node gets a rope. Options are those of
 * `ClothOptions`, `SoftBodyOptions` and `RopeOptions` that JSON can hold.
 */
export class DeformablesLoader implements IGLTFLoaderExtension {
  readonly name = DEFORMABLES;
  /** after rigid bodies, which may carry vertices */
  readonly order = 1001;
  enabled: boolean;

  constructor(private readonly loader: GLTFLoader) {
    this.enabled = loader.isExtensionUsed(DEFORMABLES);
  }

  dispose(): void {
    this.enabled = false;
  }

  /** @throws PliantError as the aggregates do; it names the node */
  onReady(): void {
    for (const node of this.loader.gltf.nodes ?? []) {
      const extension = node.extensions?.[DEFORMABLES] as DeformableNode | undefined;
      if (!extension) continue;
      const object = `${DEFORMABLES} of node ${node.index} "${node.name ?? ""}"`;
      checkNames(object, extension, PARTS);
      const scene = this.loader.babylonScene;
      const { cloth, softBody, rope } = extension;
      if (cloth) new ClothAggregate(meshOf(object, node), this.optionsOf(object, cloth), scene);
      if (softBody) new SoftBodyAggregate(meshOf(object, node), this.optionsOf(object, softBody), scene);
      if (rope) this.addRope(object, node, rope);
    }
  }

  private addRope(object: string, node: INode, { path, ...rest }: NonNullable<DeformableNode["rope"]>): void {
    if (!Array.isArray(path))
      throw new PliantError("invalid-argument", `${object}.rope.path`, path, "must be a list of points");
    const toWorld = worldMatrixOf(node._babylonTransformNode!);
    const points = path.map((point) => Vector3.TransformCoordinates(vectorOf(`${object}.rope.path`, point), toWorld));
    const options = this.optionsOf(object, rest);
    new RopeAggregate({ path: points, name: node.name ?? "rope" }, options, this.loader.babylonScene);
  }

  /** Options of an aggregate, which checks their names and values. */
  private optionsOf(object: string, { wind, attach, ...rest }: OptionsJson): object {
    return {
      ...rest,
      ...(wind ? { wind: this.inScene(vectorOf(`${object}.wind`, wind)) } : {}),
      ...(attach ? { attach: attach.map((one) => this.attachmentOf(object, one)) } : {}),
    };
  }

  /** A direction of the file: Babylon mirrors files into left-handed scenes. */
  private inScene(direction: Vector3): Vector3 {
    const root = this.loader.rootBabylonMesh;
    return root ? Vector3.TransformNormal(direction, directions(root)) : direction;
  }

  private attachmentOf(object: string, one: CarrierJson & Readonly<Record<string, unknown>>): AttachmentCarrier {
    const isSkin = "skin" in one;
    const number = isSkin ? one.skin : one.node;
    const node = this.loader.gltf.nodes?.[number as number];
    if (!node?._babylonTransformNode)
      throw new PliantError("invalid-argument", `${object}.attach`, number, "must be the number of a node");
    return isSkin ? { ...one, skin: meshOf(object, node) } : { ...one, node: node._babylonTransformNode };
  }
}

function meshOf(object: string, node: INode): AbstractMesh {
  const meshes = node._primitiveBabylonMeshes ?? [];
  if (meshes.length !== 1)
    throw new PliantError("invalid-argument", object, meshes.length, "needs a node with a mesh of one primitive");
  return meshes[0];
}

function vectorOf(object: string, value: readonly number[]): Vector3 {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
    throw new PliantError("invalid-argument", object, value, "must be a list of three finite numbers");
  return Vector3.FromArray(value);
}
