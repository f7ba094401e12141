import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** Keeps a mesh's own vertex colors while others are shown. */
export class OwnColours {
  private readonly own: Float32Array | undefined;

  constructor(private readonly mesh: Mesh) {
    const colours = mesh.getVerticesData(VertexBuffer.ColorKind);
    this.own = colours ? Float32Array.from(colours) : undefined;
  }

  giveBack(): void {
    const { mesh, own } = this;
    if (mesh.isDisposed()) return;
    if (own) mesh.setVerticesData(VertexBuffer.ColorKind, own);
    else mesh.removeVerticesData(VertexBuffer.ColorKind);
    // Babylon does not notice that an attribute is gone and would draw black; it does notice a change of this property
    mesh.useVertexColors = !mesh.useVertexColors;
    mesh.useVertexColors = !mesh.useVertexColors;
  }
}
