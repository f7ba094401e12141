import { edgeKey, nextCorner } from "../../../geometry/surface/twin-sides";
import { type FacesAtVertices, facesAtVertices } from "../../../collision/soft/own-normals";
import { buildEdges } from "../../../geometry/surface/edges";

/** Edges and faces of a surface, which may meet an obstacle as its vertices do. */
export interface SurfaceFeatures extends FacesAtVertices {
  /** triangles, vertices of the body */
  readonly faces: Uint32Array;
  /** two vertices each */
  readonly edges: Uint32Array;
  /** the three edges of each face */
  readonly faceEdges: Uint32Array;
}

/** @param vertices number of the vertices of the body */
export function surfaceFeatures(faces: Uint32Array, vertices: number): SurfaceFeatures {
  const { vertices: edges } = buildEdges(faces);
  const numbers = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 2) numbers.set(edgeKey(edges[e], edges[e + 1]), e / 2);
  const faceEdges = faces.map((vertex, i) => numbers.get(edgeKey(vertex, faces[nextCorner(i)]))!);
  return { faces, edges, faceEdges, ...facesAtVertices(faces, vertices) };
}

/** Places in `faces` of the first vertices of all that have some vertices. */
export function facesWith({ faces, facesFrom, facesAt }: SurfaceFeatures, vertices: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let i = facesFrom[vertices[0]]; i < facesFrom[vertices[0] + 1]; i++) {
    const f = facesAt[i];
    let has = true;
    for (let k = 1; k < vertices.length; k++) {
      const v = vertices[k];
      has &&= faces[f] === v || faces[f + 1] === v || faces[f + 2] === v;
    }
    if (has) out.push(f);
  }
  return out;
}
