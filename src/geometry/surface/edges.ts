/** Edges of a triangle mesh with the vertices opposite to them. */
export interface EdgeList {
  /** edgeCount × 2, in the direction of the first face that has the edge */
  readonly vertices: Uint32Array;
  /** hinges: edge start, edge end, opposite in the first face, opposite in the second; hingeCount × 4 */
  readonly hinges: Uint32Array;
  /** a face of each hinge, hingeCount */
  readonly hingeFaces: Uint32Array;
  /** edges of one face only */
  readonly boundaryCount: number;
}

/**
 * Lists every edge once. If more than two faces meet at an edge, each further face makes a hinge with the first. Two
 * faces over the same three vertices, as in a double-sided mesh, make no hinge: their angle cannot change.
 */
export function buildEdges(indices: ArrayLike<number>): EdgeList {
  const seen = new Map<string, { edge: number; opposite: number; face: number; faces: number }>();
  const vertices: number[] = [];
  const hinges: number[] = [];
  const hingeFaces: number[] = [];
  for (let f = 0; f < indices.length; f += 3)
    for (let corner = 0; corner < 3; corner++) {
      const a = indices[f + corner];
      const b = indices[f + ((corner + 1) % 3)];
      const opposite = indices[f + ((corner + 2) % 3)];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      const first = seen.get(key);
      if (first) {
        first.faces++;
        if (opposite === first.opposite) continue;
        hinges.push(vertices[2 * first.edge], vertices[2 * first.edge + 1], first.opposite, opposite);
        hingeFaces.push(first.face);
      } else {
        seen.set(key, { edge: vertices.length / 2, opposite, face: f / 3, faces: 1 });
        vertices.push(a, b);
      }
    }
  let boundaryCount = 0;
  for (const { faces } of seen.values()) if (faces === 1) boundaryCount++;
  return {
    vertices: Uint32Array.from(vertices),
    hinges: Uint32Array.from(hinges),
    hingeFaces: Uint32Array.from(hingeFaces),
    boundaryCount,
  };
}

/** Edges, two vertices each, as triangles that have their second corner twice: so they meet what triangles meet. */
export function facesOfEdges(edges: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: 1.5 * edges.length }, (_, i) => edges[2 * Math.floor(i / 3) + Math.min(1, i % 3)]);
}
