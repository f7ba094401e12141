import { quickhull } from "../../src/collision/hull/quickhull";

/**
 * Triangles of the convex hull of points (n × 3), counter-clockwise seen from outside: indices and points, which may
 * differ from the given ones if these are flat.
 *
 * @throws PliantError `degenerate-geometry` if the points lie on a line or are one point
 */
export function hullTriangles(
  given: ArrayLike<number>,
  maxVertices?: number,
): { points: ArrayLike<number>; indices: Uint32Array } {
  const { points, facets } = quickhull(given, "convex hull", maxVertices);
  return { points, indices: Uint32Array.from(facets.flatMap(({ corners }) => corners)) };
}
