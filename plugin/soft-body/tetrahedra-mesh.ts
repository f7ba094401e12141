import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import type { TetMesh } from "../../src/index";
import { boundaryTriangles, validateTetMesh } from "../../src/geometry/tetrahedra/tet-mesh";

/**
 * A mesh of the surface of tetrahedra, shaded smoothly.
 *
 * @throws PliantError for tetrahedra that `validateTetMesh` refuses
 */
export function tetrahedraMesh(name: string, mesh: TetMesh, scene: Scene): Mesh {
  validateTetMesh(`tetrahedra of "${name}"`, mesh);
  const faces = boundaryTriangles(mesh.tetrahedra);
  const numbers = new Map<number, number>();
  const indices = Array.from(faces, (vertex) => {
    const known = numbers.get(vertex) ?? numbers.size;
    numbers.set(vertex, known);
    return known;
  });
  // Faces are Babylon's front faces in a left-handed scene.
  if (scene.useRightHandedSystem) indices.reverse();
  const data = new VertexData();
  data.indices = indices;
  data.positions = [...numbers.keys()].flatMap((v) => Array.from(mesh.positions.subarray(3 * v, 3 * v + 3)));
  data.normals = [];
  VertexData.ComputeNormals(data.positions, data.indices, data.normals, {
    useRightHandedSystem: scene.useRightHandedSystem,
  });
  const result = new Mesh(name, scene);
  data.applyToMesh(result, true);
  return result;
}
