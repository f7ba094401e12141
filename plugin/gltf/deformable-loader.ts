import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import { PliantError } from "../../src/errors";
import type { AttachmentCarrier } from "../deformable/carrier";
import { makeDeformable, type DeformableJson } from "../saved/make-deformable";
import { directions } from "./frames";

export const DEFORMABLES = "PLIANT_deformables";

/**
 * Loads `PLIANT_deformables`: the mesh of a node becomes cloth or a soft body, or a node gets a rope. Options are those of
 * `ClothOptions`, `SoftBodyOptions` and `RopeOptions` that JSON can hold. A carrier of vertices is the number of a node (`node`), or of one
 * whose skinned mesh carries them (`skin`).
 */
export class DeformablesLoader implements IGLTFLoaderExtension {
  readonly name = DEFORMABLES;
  /** after rigid bodies, which may carry vertices */
  readonly order = 1001;
  enabled: boolean = this.loader.isExtensionUsed(DEFORMABLES);

  constructor(private readonly loader: GLTFLoader) {}

  dispose(): void {
    this.enabled = false;
  }

  /** @throws PliantError as the aggregates do; it names the node */
  onReady(): void {
    for (const node of this.loader.gltf.nodes ?? []) {
      const extension = node.extensions?.[DEFORMABLES] as DeformableJson | undefined;
      if (!extension) continue;
      const object = `${DEFORMABLES} of node ${node.index} "${node.name ?? ""}"`;
      const site = {
        object,
        scene: this.loader.babylonScene,
        node: node._babylonTransformNode!,
        meshes: node._primitiveBabylonMeshes ?? [],
        carrier: (one: Readonly<Record<string, unknown>>) => this.carrierOf(object, one),
        direction: (direction: Vector3) => this.inScene(direction),
      };
      makeDeformable(site, extension);
    }
  }

  /** A direction of the file: Babylon mirrors files into left-handed scenes. */
  private inScene(direction: Vector3): Vector3 {
    const root = this.loader.rootBabylonMesh;
    return root ? Vector3.TransformNormal(direction, directions(root)) : direction;
  }

  private carrierOf(object: string, one: Readonly<Record<string, unknown>>): AttachmentCarrier {
    const isSkin = "skin" in one;
    const number = isSkin ? one.skin : one.node;
    const node = this.loader.gltf.nodes?.[number as number];
    if (!node?._babylonTransformNode)
      throw new PliantError("invalid-argument", `${object}.attach`, number, "must be the number of a node");
    if (!isSkin) return { node: node._babylonTransformNode };
    const meshes = node._primitiveBabylonMeshes ?? [];
    if (meshes.length === 1) return { skin: meshes[0] };
    throw new PliantError("invalid-argument", object, meshes.length, "needs a node with a mesh of one primitive");
  }
}
