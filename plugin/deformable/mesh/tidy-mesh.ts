import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { trianglesOf, turnOver } from "../../triangles";

/**
 * Readies a mesh for vertices that move on their own: vertices it shares with clones become its own, and tangents, which
 * would be those of the rest shape, go (Babylon's materials then derive them where they are needed).
 *
 * @param isInsideOut its triangles are to be seen from their other side
 */
export function tidyMesh(mesh: Mesh, isInsideOut: boolean): void {
  mesh.makeGeometryUnique();
  if (mesh.isVerticesDataPresent(VertexBuffer.TangentKind)) mesh.removeVerticesData(VertexBuffer.TangentKind);
  if (!isInsideOut) return;
  const indices = Uint32Array.from(trianglesOf(mesh, mesh.getTotalVertices()));
  turnOver(indices);
  mesh.isUnIndexed = false;
  mesh.setIndices(indices, null, false, true);
}
