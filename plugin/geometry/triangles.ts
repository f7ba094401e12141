import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { InstancedMesh } from "@babylonjs/core/Meshes/instancedMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { triangleNormal } from "../../src/geometry/triangles/triangle";

/** Vertex indices of a mesh, three a triangle; a mesh without an index list uses its vertices in order. */
export function trianglesOf(mesh: AbstractMesh, vertexCount: number): ArrayLike<number> {
  const indices = mesh.getIndices();
  if (indices && indices.length > 0) return indices;
  return Array.from({ length: vertexCount - (vertexCount % 3) }, (_, i) => i);
}

/** Reverses the winding of all triangles. */
export function turnOver(indices: Uint32Array): void {
  for (let f = 0; f + 2 < indices.length; f += 3) [indices[f + 1], indices[f + 2]] = [indices[f + 2], indices[f + 1]];
}

/**
 * Whether Babylon draws those triangles of a mesh that wind clockwise: it does for its own meshes, in scenes of either
 * handedness. Loaders of files set the other side orientation.
 */
export function drawsClockwise(mesh: AbstractMesh): boolean {
  const source = mesh instanceof InstancedMesh ? mesh.sourceMesh : mesh;
  const { useRightHandedSystem } = mesh.getScene();
  return !(source instanceof Mesh) || source.sideOrientation === (useRightHandedSystem ? 0 : 1);
}

/**
 * Whether the triangles of a mesh wind clockwise seen from outside. Babylon's own meshes do, meshes of imported files may
 * not, and a mirroring transform swaps both. The vertex normals of the mesh decide; without normals the side that Babylon
 * draws does.
 *
 * @param points vertices after `transform`
 */
export function windsClockwise(
  mesh: AbstractMesh,
  points: ArrayLike<number>,
  triangles: ArrayLike<number>,
  transform: Matrix,
): boolean {
  const mirrored = transform.determinant() < 0;
  const normals = mesh.getVerticesData(VertexBuffer.NormalKind);
  const agreement = normals && normals.length === points.length ? winding(points, triangles, normals, transform) : 0;
  if (agreement !== 0) return agreement < 0;
  return drawsClockwise(mesh) !== mirrored;
}

/**
 * Σ over triangles of (cross product of two edges) · (normal at the first vertex): positive if they agree. Normals
 * transform by the cofactor matrix, here det(M) M⁻ᵀ up to a positive factor.
 */
function winding(
  p: ArrayLike<number>,
  triangles: ArrayLike<number>,
  normals: ArrayLike<number>,
  transform: Matrix,
): number {
  const inverse = transform.clone().invert().asArray();
  const face = new Float64Array(3);
  let sum = 0;
  for (let f = 0; f + 2 < triangles.length; f += 3) {
    const a = 3 * triangles[f];
    triangleNormal(p, a, 3 * triangles[f + 1], 3 * triangles[f + 2], face);
    // row vectors: n' = n M⁻ᵀ
    const nx = normals[a] * inverse[0] + normals[a + 1] * inverse[1] + normals[a + 2] * inverse[2];
    const ny = normals[a] * inverse[4] + normals[a + 1] * inverse[5] + normals[a + 2] * inverse[6];
    const nz = normals[a] * inverse[8] + normals[a + 1] * inverse[9] + normals[a + 2] * inverse[10];
    const term = face[0] * nx + face[1] * ny + face[2] * nz;
    if (Number.isFinite(term)) sum += term;
  }
  return sum;
}
