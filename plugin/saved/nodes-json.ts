import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { IAssetContainer } from "@babylonjs/core/IAssetContainer";
import { InstancedMesh } from "@babylonjs/core/Meshes/instancedMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PliantError } from "../../src/errors";

/** Names a node in a `.babylon` file: its `uniqueId` there; for an instance that of its mesh, and its number among the mesh's. */
export type NodeKey = readonly [id: number, instance?: number];

/** The parts of a `.babylon` file that are used. */
export interface BabylonFile {
  readonly meshes?: readonly { readonly uniqueId: number }[];
  readonly transformNodes?: readonly { readonly uniqueId: number }[];
  pliantPhysics?: unknown;
}

/** Numbers the nodes that a file refers to. */
export class NodeList {
  readonly keys: NodeKey[] = [];
  private readonly numbers = new Map<TransformNode, number>();
  private readonly ids: ReadonlySet<number>;

  constructor({ meshes = [], transformNodes = [] }: BabylonFile) {
    this.ids = new Set([...meshes, ...transformNodes].map(({ uniqueId }) => uniqueId));
  }

  /** The number of a node; undefined if the file does not have it. */
  numberOf(node: TransformNode): number | undefined {
    const known = this.numbers.get(node);
    if (known !== undefined) return known;
    const key = this.keyOf(node);
    if (!key) return undefined;
    const number = this.keys.push(key) - 1;
    this.numbers.set(node, number);
    return number;
  }

  private keyOf(node: TransformNode): NodeKey | undefined {
    const source = node instanceof InstancedMesh ? node.sourceMesh : node;
    if (!this.ids.has(source.uniqueId)) return undefined;
    if (!(node instanceof InstancedMesh)) return [source.uniqueId];
    const instance = node.sourceMesh.instances.filter(({ doNotSerialize }) => !doNotSerialize).indexOf(node);
    return instance < 0 ? undefined : [source.uniqueId, instance];
  }
}

/** Finds what was loaded of a file. */
export class LoadedNodes {
  private readonly byId = new Map<number, TransformNode>();

  constructor(
    private readonly object: string,
    { meshes = [], transformNodes = [] }: BabylonFile,
    private readonly container: IAssetContainer,
    private readonly keys: readonly NodeKey[],
  ) {
    // Babylon's loader adds them in the order of the file, each mesh before its instances.
    const own = container.meshes.filter(
      (mesh) => !(mesh instanceof InstancedMesh) && mesh.getClassName() !== "GaussianSplattingPartProxyMesh",
    );
    meshes.forEach(({ uniqueId }, k) => this.byId.set(uniqueId, own[k]));
    transformNodes.forEach(({ uniqueId }, k) => this.byId.set(uniqueId, container.transformNodes[k]));
  }

  /** @throws PliantError for a number without a node */
  at(number: number): TransformNode {
    const [id, instance] = this.keys[number] ?? [];
    const node = this.byId.get(id!);
    const found = instance === undefined ? node : (node as Mesh | undefined)?.instances[instance];
    if (found) return found;
    throw new PliantError("invalid-argument", this.object, number, `must number one of ${this.keys.length} nodes`);
  }

  skeleton(number: number): Skeleton | undefined {
    return this.container.skeletons[number];
  }
}
