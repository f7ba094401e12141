import { BoundingInfo } from "@babylonjs/core/Culling/boundingInfo";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Vec3 } from "../../../src/index";
import { transformPoints } from "../../geometry/mesh-transform";
import { engineMatrixOf } from "../../scene-frame";

/**
 * Gives a mesh and its submeshes the box of their vertices, in the engine's world. Babylon computes such boxes from
 * vertices on the CPU, but vertices of a deformable body are not there; culling and shadow maps need the boxes.
 */
export function setWorldBounds(mesh: Mesh, min: Vec3, max: Vec3): void {
  if (![...min, ...max].every(Number.isFinite)) return;
  const world = mesh.getWorldMatrix();
  const corners = [min[0], max[0]].flatMap((x) =>
    [min[1], max[1]].flatMap((y) => [min[2], max[2]].flatMap((z) => [x, y, z])),
  );
  const local = transformPoints(corners, engineMatrixOf(mesh).inverse());
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  for (let i = 0; i < local.length; i += 3) {
    low.minimizeInPlaceFromFloats(local[i], local[i + 1], local[i + 2]);
    high.maximizeInPlaceFromFloats(local[i], local[i + 1], local[i + 2]);
  }
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
