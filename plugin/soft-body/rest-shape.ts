import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { checkList } from "../../src/checks";
import { tetVolume, validateTetMesh } from "../../src/geometry/tetrahedra/tet-mesh";
import { embedSurface, solidMesh, type Embedding, type TetMesh } from "../../src/index";
import { transformPoints } from "../geometry/mesh-transform";
import type { MeshSource } from "../deformable/mesh/read-mesh";
import { worldMatrixOf } from "../rigid/node-pose";
import { engineMatrixOf } from "../scene-frame";
import { drawsClockwise, trianglesOf } from "../geometry/triangles";
import type { SoftBodyOptions } from "./soft-body-options";

/** A body at rest, in the engine's world. */
export interface RestShape extends TetMesh {
  /** embedding of the vertices of the mesh */
  readonly embedding: Embedding;
  /** factor of the density, see `SolidMesh` */
  readonly volumeRatio: number;
}

/** @throws PliantError for a mesh or tetrahedra that do not form a body */
export function restShapeOf(
  object: string,
  mesh: AbstractMesh,
  source: MeshSource,
  options: SoftBodyOptions,
): RestShape {
  const { tetrahedra, resolution } = options;
  const { positions, indices } = source;
  if (!tetrahedra) return solidMesh({ positions, indices, resolution, name: object });
  checkList(tetrahedra.positions, `${object}.tetrahedra.positions`);
  const placed = transformPoints(tetrahedra.positions, engineMatrixOf(mesh));
  const own = tetMeshOf(object, { ...tetrahedra, positions: placed });
  return { ...own, embedding: embedSurface(own, positions), volumeRatio: 1 };
}

/**
 * Tetrahedra of a user. Those with a negative volume are turned: a mirrored mesh inverts them, and not every program
 * writes corners in this order.
 *
 * @throws PliantError for lists that are none, and for tetrahedra that `validateTetMesh` refuses
 */
export function tetMeshOf(object: string, given: NonNullable<SoftBodyOptions["tetrahedra"]>): TetMesh {
  checkList(given?.positions, `${object}.positions`);
  checkList(given?.tetrahedra, `${object}.tetrahedra`);
  const positions = Float64Array.from(given.positions);
  const tetrahedra = Uint32Array.from(given.tetrahedra);
  for (let t = 0; t < Math.floor(tetrahedra.length / 4); t++)
    if (tetVolume(positions, tetrahedra, t) < 0)
      [tetrahedra[4 * t + 2], tetrahedra[4 * t + 3]] = [tetrahedra[4 * t + 3], tetrahedra[4 * t + 2]];
  const own = { positions, tetrahedra };
  validateTetMesh(object, own);
  return own;
}

/** Normals of the vertices of a mesh in world space, of any length; computed if the mesh has none. */
export function worldNormals(mesh: AbstractMesh): Float64Array {
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  let normals = mesh.getVerticesData(VertexBuffer.NormalKind);
  if (!normals || normals.length !== positions.length) {
    const computed: number[] = [];
    VertexData.ComputeNormals(positions, [...Array.from(trianglesOf(mesh, positions.length / 3))], computed, {
      useRightHandedSystem: !drawsClockwise(mesh),
    });
    normals = computed;
  }
  return turned(normals, worldMatrixOf(mesh));
}

/** Transforms normals as row vectors: n' = n M⁻ᵀ. */
function turned(normals: ArrayLike<number>, world: Matrix): Float64Array {
  const m = world.clone().invert().asArray();
  return Float64Array.from({ length: normals.length }, (_, i) => {
    const n = i - (i % 3);
    const row = 4 * (i % 3);
    return normals[n] * m[row] + normals[n + 1] * m[row + 1] + normals[n + 2] * m[row + 2];
  });
}
