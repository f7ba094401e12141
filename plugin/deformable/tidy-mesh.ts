import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/**
 * Readies a mesh for vertices that move on their own: vertices it shares with clones become its own, and tangents, which
 * would be those of the rest shape, go (Babylon's materials then derive them where they are needed).
 */
export function tidyMesh(mesh: Mesh): void {
  mesh.makeGeometryUnique();
  if (mesh.isVerticesDataPresent(VertexBuffer.TangentKind)) mesh.removeVerticesData(VertexBuffer.TangentKind);
}
