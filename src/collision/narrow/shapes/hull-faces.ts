import { facesOf } from "../../hull/faces";
import { quickhull } from "../../hull/quickhull";
import { type Convex, hullConvex } from "./convex";

/**
 * The convex hull of points (n × 3) as a polytope: coplanar facets become one face, and points inside faces and edges
 * are removed. A flat set of points gets a thickness.
 *
 * @param maxVertices the polytope has no more corners, see `quickhull`
 * @throws PliantError `degenerate-geometry` if the points lie on a line or coincide
 */
export function hullOf(given: ArrayLike<number>, object = "convex hull", maxVertices = Infinity): Convex {
  const hull = quickhull(given, object, maxVertices);
  const { points } = hull;
  const faces = facesOf(hull);
  const used = [...new Set(faces.flatMap(({ loop }) => loop))].sort((a, b) => a - b);
  const place = new Map(used.map((point, i) => [point, i]));
  const vertices = Float64Array.from(used.flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]));
  return hullConvex(
    vertices,
    faces.map(({ loop }) => loop.map((point) => place.get(point)!)),
    Float64Array.from(faces.flatMap(({ normal }) => [...normal])),
    Float64Array.from(faces, ({ offset }) => offset),
  );
}
