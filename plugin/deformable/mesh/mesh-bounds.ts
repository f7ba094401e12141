import { BoundingInfo } from "@babylonjs/core/Culling/boundingInfo";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Vec3 } from "../../../src/index";
import { engineMatrixOf } from "../../scene-frame";

/**
 * Gives a mesh and its submeshes the box of their vertices, in the engine's world. Babylon computes such boxes from
 * vertices on the CPU, but vertices of a deformable body are not there; culling and shadow maps need the boxes.
 */
export function setWorldBounds(mesh: Mesh, min: Vec3, max: Vec3): void {
  const world = mesh.getWorldMatrix();
  const m = engineMatrixOf(mesh).inverse().asArray();
  const box = [0, 0, 0, 0, 0, 0];
  for (let c = 0; c < 3; c++) {
    // Each side of the box in the mesh comes from the corner that takes it furthest.
    for (let k = 0; k < 3; k++) {
      const a = min[k] * m[4 * k + c];
      const b = max[k] * m[4 * k + c];
      box[c] += Math.min(a, b);
      box[3 + c] += Math.max(a, b);
    }
    box[c] += m[12 + c];
    box[3 + c] += m[12 + c];
    if (!Number.isFinite(box[3 + c] - box[c])) return;
  }
  const low = Vector3.FromArray(box);
  const high = Vector3.FromArray(box, 3);
  const info = mesh.getBoundingInfo();
  info.reConstruct(low, high, world);
  for (const subMesh of mesh.subMeshes) {
    if (subMesh.IsGlobal) continue;
    // each submesh gets a box of its own, since Babylon changes it in place
    const own = subMesh.getBoundingInfo();
    if (own && own !== info) own.reConstruct(low, high, world);
    else subMesh.setBoundingInfo(new BoundingInfo(low, high, world));
  }
}
