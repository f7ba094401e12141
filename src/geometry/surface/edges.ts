import { edgeKey, nextCorner, oppositeCorner } from "./twin-sides";

/** Edges of a triangle mesh with the vertices opposite to them. */
export interface EdgeList {
  /** edgeCount × 2, in the direction of the first face that has the edge */
  readonly vertices: Uint32Array;
  /** hinges: edge start, edge end, opposite in the first face, opposite in the second; hingeCount × 4 */
  readonly hinges: Uint32Array;
  /** a face of each hinge, hingeCount */
  readonly hingeFaces: Uint32Array;
}

/**
 * Lists every edge once. If more than two faces meet at an edge, each further face makes a hinge with the first. Two
 * faces over the same three vertices, as in a double-sided mesh, make no hinge: their angle cannot change.
 */
export function buildEdges(indices: ArrayLike<number>): EdgeList {
  const seen = new Map<number, { edge: number; opposite: number; face: number }>();
  const vertices: number[] = [];
  const hinges: number[] = [];
  const hingeFaces: number[] = [];
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [indices[i], indices[nextCorner(i)]];
    const opposite = indices[oppositeCorner(i)];
    const first = seen.get(edgeKey(a, b));
    if (!first) {
      seen.set(edgeKey(a, b), { edge: vertices.length, opposite, face: Math.floor(i / 3) });
      vertices.push(a, b);
    } else if (opposite !== first.opposite) {
      hinges.push(vertices[first.edge], vertices[first.edge + 1], first.opposite, opposite);
      hingeFaces.push(first.face);
    }
  }
  return {
    vertices: Uint32Array.from(vertices),
    hinges: Uint32Array.from(hinges),
    hingeFaces: Uint32Array.from(hingeFaces),
  };
}

/** Edges, two vertices each, as triangles that have their second corner twice: so they meet what triangles meet. */
export function facesOfEdges(edges: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: 1.5 * edges.length }, (_, i) => edges[2 * Math.floor(i / 3) + Math.min(1, i % 3)]);
}
