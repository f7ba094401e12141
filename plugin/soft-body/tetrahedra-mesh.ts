import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { boundaryTriangles } from "../../src/geometry/tetrahedra/tet-mesh";
import { tetMeshOf } from "./rest-shape";
import type { SoftBodyOptions } from "./soft-body-options";

/** A mesh of the surface of tetrahedra, shaded smoothly. @throws PliantError as `tetMeshOf` */
export function tetrahedraMesh(name: string, given: NonNullable<SoftBodyOptions["tetrahedra"]>, scene: Scene): Mesh {
  const { positions, tetrahedra } = tetMeshOf(`tetrahedra of "${name}"`, given);
  const faces = boundaryTriangles(tetrahedra);
  const numbers = new Map<number, number>();
  const indices = Array.from(faces, (vertex) => {
    const known = numbers.get(vertex) ?? numbers.size;
    numbers.set(vertex, known);
    return known;
  });
  // Babylon draws triangles that wind clockwise, as these do, in scenes of either handedness.
  const data = new VertexData();
  data.indices = indices;
  data.positions = [...numbers.keys()].flatMap((v) => Array.from(positions.subarray(3 * v, 3 * v + 3)));
  data.normals = [];
  VertexData.ComputeNormals(data.positions, data.indices, data.normals);
  const result = new Mesh(name, scene);
  data.applyToMesh(result, true);
  return result;
}
