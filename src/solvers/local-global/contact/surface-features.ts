import { buildEdges } from "../../../geometry/surface/edges";

/** Edges and faces of a surface, which may meet an obstacle as its vertices do. */
export interface SurfaceFeatures {
  /** triangles, vertices of the body */
  readonly faces: Uint32Array;
  /** two vertices each */
  readonly edges: Uint32Array;
  /** the three edges of each face */
  readonly faceEdges: Uint32Array;
}

export function surfaceFeatures(faces: Uint32Array): SurfaceFeatures {
  const { vertices: edges } = buildEdges(faces);
  const count = faces.reduce((most, vertex) => Math.max(most, vertex + 1), 0);
  const key = (a: number, b: number): number => Math.min(a, b) * count + Math.max(a, b);
  const numbers = new Map<number, number>();
  for (let e = 0; e < edges.length; e += 2) numbers.set(key(edges[e], edges[e + 1]), e / 2);
  const faceEdges = faces.map((vertex, i) => numbers.get(key(vertex, faces[i % 3 === 2 ? i - 2 : i + 1]))!);
  return { faces, edges, faceEdges };
}
