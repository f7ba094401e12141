import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { spreadToParts, type Subdivision } from "../../../src/geometry/triangles/subdivide";

/** Triangles in place of those of a mesh: triangle t becomes triangles[t] … triangles[t + 1] − 1. */
type Triangles = Pick<Subdivision, "vertexCount" | "indices" | "triangles">;

/**
 * Gives a mesh the finer triangles of a subdivision. Texture coordinates, colors, normals and all other data of its
 * vertices are refined as well, and submeshes keep their materials.
 */
export function refineMesh(mesh: Mesh, subdivision: Subdivision): void {
  replaceTriangles(mesh, subdivision, (values, size) => Float32Array.from(spreadToParts(subdivision, values, size)));
}

/**
 * Gives a mesh other triangles; submeshes keep their materials.
 *
 * @param spread data of the new vertices from those of the old ones, `size` numbers each
 */
export function replaceTriangles(
  mesh: Mesh,
  { vertexCount, indices, triangles }: Triangles,
  spread: (values: ArrayLike<number>, size: number) => Float32Array,
): void {
  const parts = mesh.subMeshes.map(({ materialIndex, indexStart, indexCount }) => ({
    materialIndex,
    start: triangles[Math.floor(indexStart / 3)],
    end: triangles[Math.floor((indexStart + indexCount) / 3)],
  }));
  // all data are read before the first are written, since positions change the number of vertices
  const finer = mesh.getVerticesDataKinds().flatMap((kind) => {
    const buffer = mesh.getVertexBuffer(kind);
    const values = mesh.getVerticesData(kind);
    if (!buffer || buffer.getIsInstanced() || !values) return [];
    const size = buffer.getSize();
    return [{ kind, size, data: spread(values, size) }];
  });
  for (const { kind, size, data } of finer) {
    if (kind === VertexBuffer.NormalKind) normalise(data);
    mesh.setVerticesData(kind, data, true, size);
  }
  mesh.isUnIndexed = false;
  mesh.setIndices(indices, vertexCount, false, true);
  mesh.releaseSubMeshes();
  for (const { materialIndex, start, end } of parts)
    new SubMesh(materialIndex, 0, vertexCount, 3 * start, 3 * (end - start), mesh);
}

/** Scales vectors, n × 3, to unit length. */
function normalise(vectors: Float32Array): void {
  for (let i = 0; i < vectors.length; i += 3) {
    const length = Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]);
    if (length > 0) for (let c = i; c < i + 3; c++) vectors[c] /= length;
  }
}
