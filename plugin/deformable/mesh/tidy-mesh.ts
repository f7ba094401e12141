import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { trianglesOf, turnOver } from "../../geometry/triangles";

/**
 * Prepares a mesh for vertices that move individually: vertices that it shares with clones become its own. Tangents,
 * which would be those of the rest shape, are removed (Babylon's materials then derive them if they need them).
 *
 * @param isInsideOut whether its triangles are to be seen from the back
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
