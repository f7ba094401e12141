import { checkFinite, checkPoints } from "../../../src/checks";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { degenerate, unsupported } from "../../../src/errors";
import { transformPoints } from "../../geometry/mesh-transform";
import { worldMatrixOf } from "../../rigid/node-pose";
import { engineMatrixOf } from "../../scene-frame";
import { trianglesOf, turnOver, windsClockwise } from "../../geometry/triangles";

/** A mesh in the engine's form: in its world, in meters, counter-clockwise seen from the side of the normals. */
export interface MeshSource {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly uvs: ArrayLike<number> | undefined;
}

/**
 * Reads the vertices of a mesh at its place. The mesh is not changed.
 *
 * @param isInsideOut whether its normals point the wrong way
 * @throws PliantError naming the mesh if it is an instance or has instances, is skinned or morphed, is empty, or has no
 * volume after scaling
 */
export function readMesh(object: string, mesh: AbstractMesh, isInsideOut = false): MeshSource {
  if (!(mesh instanceof Mesh)) refuse(object, mesh.getClassName(), "must be a Mesh with vertices of its own");
  if (mesh.hasInstances || mesh.hasThinInstances)
    refuse(object, "instances", "must not have instances, which would share its moving vertices");
  if (mesh.skeleton || mesh.morphTargetManager)
    refuse(object, mesh.skeleton ? "skeleton" : "morph targets", "must not be deformed by anything else");
  const local = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (!local || local.length === 0) throw degenerate(object, "0 vertices", "must have triangles");
  // checked here, because a matrix makes NaN of an infinity
  checkPoints(local, `${object} vertex`);
  const world = worldMatrixOf(mesh);
  const determinant = world.determinant();
  checkFinite(determinant, `${object} world matrix`);
  if (Math.abs(determinant) < 1e-20)
    throw degenerate(`${object} scaling`, mesh.absoluteScaling.asArray(), "no factor may be zero, of parents either");
  const positions = transformPoints(local, engineMatrixOf(mesh));
  const triangles = trianglesOf(mesh, local.length / 3);
  const indices = Uint32Array.from(triangles);
  if (windsClockwise(mesh, positions, triangles, world) !== isInsideOut) turnOver(indices);
  return { positions, indices, uvs: mesh.getVerticesData(VertexBuffer.UVKind) ?? undefined };
}

function refuse(object: string, value: unknown, rule: string): never {
  throw unsupported(object, value, rule);
}
