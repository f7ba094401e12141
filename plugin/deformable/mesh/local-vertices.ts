import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { engineMatrixOf } from "../../scene-frame";
import type { VertexSkin } from "./vertex-skin";

/** Positions and unit normals of the vertices of a mesh on the CPU, in the frame of the mesh, vertexCount × 3 each. */
export class LocalVertices {
  readonly positions = new Float32Array(3 * this.skin.vertexCount);
  readonly normals = new Float32Array(3 * this.skin.vertexCount);

  constructor(
    private readonly mesh: Mesh,
    private readonly skin: VertexSkin,
  ) {}

  /**
   * @param particles positions of the particles in the engine's world, three numbers each [m]
   * @param frames as of `VertexSkin.spread`
   */
  write(particles: ArrayLike<number>, frames?: ArrayLike<number>): void {
    const matrix = engineMatrixOf(this.mesh);
    const m = matrix.asArray();
    const inverse = matrix.inverse().asArray();
    const { positions, normals, skin } = this;
    skin.spread(particles, positions, frames);
    skin.normals(particles, normals, frames);
    for (let v = 0; v < positions.length; v += 3) {
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      positions[v] = x * inverse[0] + y * inverse[4] + z * inverse[8] + inverse[12];
      positions[v + 1] = x * inverse[1] + y * inverse[5] + z * inverse[9] + inverse[13];
      positions[v + 2] = x * inverse[2] + y * inverse[6] + z * inverse[10] + inverse[14];
      // normals transform by the transposed inverse of the matrix from world to mesh
      const p = normals[v];
      const q = normals[v + 1];
      const r = normals[v + 2];
      const nx = p * m[0] + q * m[1] + r * m[2];
      const ny = p * m[4] + q * m[5] + r * m[6];
      const nz = p * m[8] + q * m[9] + r * m[10];
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
      normals[v] = nx / length;
      normals[v + 1] = ny / length;
      normals[v + 2] = nz / length;
    }
  }
}
