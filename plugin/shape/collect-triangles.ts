import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { InstancedMesh } from "@babylonjs/core/Meshes/instancedMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { degenerate } from "../../src/errors";
import { transformPoints } from "../geometry/mesh-transform";
import { trianglesOf, windsClockwise } from "../geometry/triangles";

/** Triangles in the frame of a body: in meters, scaled as drawn, counter-clockwise seen from outside. */
export interface BodySpaceMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/**
 * Collects the triangles of a mesh in the frame of its body. Bodies move rigidly, so the scaling of the node (and of
 * its parents) is baked into the vertices.
 *
 * @param includeChildren whether to include meshes below it that have no body of their own
 * @param onlyPoints whether a mesh without triangles is allowed
 * @throws PliantError naming the mesh if there is no triangle, or a coordinate or an index is wrong
 */
export function collectTriangles(mesh: AbstractMesh, includeChildren: boolean, onlyPoints = false): BodySpaceMesh {
  mesh.computeWorldMatrix(true);
  const scaling = mesh.absoluteScaling;
  const scaled = Matrix.Scaling(scaling.x, scaling.y, scaling.z);
  const positions: number[] = [];
  const indices: number[] = [];
  append(mesh, scaled, positions, indices);
  if (includeChildren) {
    const worldToBody = Matrix.Invert(mesh.getWorldMatrix()).multiply(scaled);
    for (const child of mesh.getChildMeshes(false)) {
      if (child.physicsBody) continue;
      append(child, child.computeWorldMatrix(true).multiply(worldToBody), positions, indices);
    }
  }
  if (indices.length === 0 && !onlyPoints)
    throw degenerate(`mesh "${mesh.name}"`, 0, "must have triangles to make a shape of");
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

function append(mesh: AbstractMesh, toBody: Matrix, positions: number[], indices: number[]): void {
  const local = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (!local || local.length === 0) return;
  const offset = positions.length / 3;
  const points = transformPoints(local, toBody);
  for (const value of points) positions.push(value);
  if (!isMadeOfTriangles(mesh)) return;
  const triangles = trianglesOf(mesh, local.length / 3);
  const flip = windsClockwise(mesh, points, triangles, toBody);
  for (let f = 0; f < triangles.length; f += 3) {
    indices.push(offset + triangles[f]);
    indices.push(offset + triangles[f + (flip ? 2 : 1)]);
    indices.push(offset + triangles[f + (flip ? 1 : 2)]);
  }
}

/** Without an index list, vertices are triangles in their order if the mesh says so; otherwise they are points. */
function isMadeOfTriangles(mesh: AbstractMesh): boolean {
  if ((mesh.getIndices()?.length ?? 0) > 0) return true;
  const source = mesh instanceof InstancedMesh ? mesh.sourceMesh : mesh;
  return source instanceof Mesh && source.isUnIndexed;
}
