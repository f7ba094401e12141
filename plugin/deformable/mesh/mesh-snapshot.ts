import type { FloatArray } from "@babylonjs/core/types";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";

interface Attribute {
  readonly kind: string;
  readonly data: FloatArray;
  /** numbers a vertex */
  readonly size: number;
  readonly updatable: boolean;
}

const EXTENT = ["materialIndex", "verticesStart", "verticesCount", "indexStart", "indexCount"] as const;
type Extent = Record<(typeof EXTENT)[number], number>;

/** Vertices, triangles and submeshes of a mesh at a moment. */
export class MeshSnapshot {
  readonly attributes: readonly Attribute[];
  readonly indices: ArrayLike<number> | null = this.mesh.getIndices(false, true);
  private readonly subMeshes: readonly Extent[] = this.mesh.subMeshes.map(extentOf);
  readonly vertexCount: number = this.mesh.getTotalVertices();
  private readonly isUnIndexed: boolean = this.mesh.isUnIndexed;

  constructor(private readonly mesh: Mesh) {
    this.attributes = ownKinds(mesh).flatMap((kind) => {
      const data = mesh.getVerticesData(kind, false, true);
      const buffer = mesh.getVertexBuffer(kind)!;
      return data ? [{ kind, data, size: buffer.getSize(), updatable: buffer.isUpdatable() }] : [];
    });
  }

  /** Gives the mesh its old data back. */
  restore(): void {
    const { mesh, attributes, indices, vertexCount } = this;
    if (mesh.isDisposed()) return;
    mesh.isUnIndexed = this.isUnIndexed;
    for (const kind of ownKinds(mesh))
      if (!attributes.some((attribute) => attribute.kind === kind)) mesh.removeVerticesData(kind);
    for (const { kind, data, size, updatable } of attributes) mesh.setVerticesData(kind, data, updatable, size);
    if (indices) mesh.setIndices(Uint32Array.from(indices), vertexCount, false, true);
    const same = mesh.subMeshes.length === this.subMeshes.length;
    if (!same || mesh.subMeshes.some((subMesh, i) => EXTENT.some((key) => subMesh[key] !== this.subMeshes[i][key]))) {
      mesh.releaseSubMeshes();
      for (const part of this.subMeshes)
        new SubMesh(part.materialIndex, part.verticesStart, part.verticesCount, part.indexStart, part.indexCount, mesh);
    }
    mesh.refreshBoundingInfo();
  }
}

/** Kinds of vertex data of the mesh itself, not of its instances. */
function ownKinds(mesh: Mesh): string[] {
  return mesh.getVerticesDataKinds().filter((kind) => !mesh.getVertexBuffer(kind)?.getIsInstanced());
}

function extentOf({ materialIndex, verticesStart, verticesCount, indexStart, indexCount }: SubMesh): Extent {
  return { materialIndex, verticesStart, verticesCount, indexStart, indexCount };
}
