import { ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";

/** A tree over the triangles of a surface. */
export function faceTree(mesh: SurfaceMesh): ImplicitTree {
  return treeOver(mesh, mesh.faces, 3);
}

/** A tree over its edges. */
export function edgeTree(mesh: SurfaceMesh): ImplicitTree {
  return treeOver(mesh, mesh.edges, 2);
}

/** A tree over its vertices. */
export function vertexTree(mesh: SurfaceMesh): ImplicitTree {
  return treeOver(mesh, mesh.vertices, 1);
}

function treeOver(mesh: SurfaceMesh, list: Uint32Array, arity: number): ImplicitTree {
  const count = list.length / arity;
  const centres = new Float64Array(3 * count);
  for (let i = 0; i < list.length; i++)
    for (let c = 0; c < 3; c++) centres[3 * Math.floor(i / arity) + c] += mesh.restPositions[3 * list[i] + c] / arity;
  return new ImplicitTree(
    centres,
    Uint32Array.from({ length: count }, (_, k) => mesh.partOf[list[arity * k]]),
  );
}
