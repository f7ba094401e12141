/** Intersections of surfaces with one another. */
import { tripleProduct } from "../../geometry/triangles/triangle";
import { ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";
import { distanceBetween } from "../../math/vectors";

/** An edge and a triangle that intersect. */
export interface SurfaceIntersection {
  /** number of the edge in `mesh.edges` */
  readonly edge: number;
  /** number of the triangle in `mesh.faces` */
  readonly face: number;
}

/**
 * Every edge that passes through a triangle with which it shares no vertex: if two surfaces cross, an edge of one meets
 * a triangle of the other. Intersections are found by the signs of volumes in f64; edges that only touch a triangle's
 * border count too.
 *
 * @param x positions, particleCount × 3 [m]
 */
export function surfaceIntersections(
  mesh: Pick<SurfaceMesh, "faces" | "edges">,
  x: ArrayLike<number>,
): SurfaceIntersection[] {
  const { faces, edges } = mesh;
  const count = faces.length / 3;
  const centres = new Float64Array(3 * count);
  for (let i = 0; i < faces.length; i++)
    for (let c = 0; c < 3; c++) centres[3 * Math.floor(i / 3) + c] += x[3 * faces[i] + c] / 3;
  const tree = new ImplicitTree(centres, new Uint8Array(count));
  for (let leaf = 0; leaf < count; leaf++) bound(faces, 3 * tree.order[leaf], 3, x, tree.boxes, 6 * leaf);
  tree.refit();
  const box = new Float64Array(6);
  const result: SurfaceIntersection[] = [];
  for (let e = 0; e < edges.length / 2; e++) {
    bound(edges, 2 * e, 2, x, box, 0);
    tree.query(box, 0);
    for (const leaf of tree.found.subarray(0, tree.foundCount)) {
      const face = tree.order[leaf];
      const [p, q] = [edges[2 * e], edges[2 * e + 1]];
      const [a, b, c] = [faces[3 * face], faces[3 * face + 1], faces[3 * face + 2]];
      if (p === a || p === b || p === c || q === a || q === b || q === c) continue;
      if (passesThrough(x, p, q, a, b, c)) result.push({ edge: e, face });
    }
  }
  return result;
}

/** The ends must lie on opposite sides of the triangle, and all its sides must turn the same way about the edge. */
function passesThrough(x: ArrayLike<number>, p: number, q: number, a: number, b: number, c: number): boolean {
  const [before, after] = [volume(x, a, b, c, p), volume(x, a, b, c, q)];
  // If all points lie in one plane, all of these volumes are rounding.
  const size = Math.max(...[p, q, b, c].map((v) => distanceBetween(x, 3 * a, 3 * v)));
  const flat = 1e-14 * size * size * size;
  if (Math.abs(before) <= flat || Math.abs(after) <= flat || before > 0 === after > 0) return false;
  const s = volume(x, p, q, a, b);
  const t = volume(x, p, q, b, c);
  const u = volume(x, p, q, c, a);
  return (s >= 0 && t >= 0 && u >= 0) || (s <= 0 && t <= 0 && u <= 0);
}

/** Six times the signed volume of a tetrahedron. */
function volume(x: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  return tripleProduct(x, 3 * a, 3 * b, 3 * c, 3 * d);
}

function bound(
  list: Uint32Array,
  at: number,
  arity: number,
  x: ArrayLike<number>,
  out: Float64Array,
  to: number,
): void {
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < arity; k++) {
      const value = x[3 * list[at + k] + c];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    out[to + c] = low;
    out[to + 3 + c] = high;
  }
}
