import { edgeKey, sidesOfEdges, nextCorner } from "../../geometry/surface/twin-sides";
import { cross, dot, subtract } from "../../math/vectors";
import type { TriangleTree } from "../../geometry/triangles/bvh";
import { acos } from "../../math/deterministic";

/** Closest points with a barycentric coordinate below this lie on an edge or a corner. */
const ON_EDGE = 1e-9;

/** Normals of the faces, edges and corners of each triangle of a tree, with marks for those on the rim of the mesh. */
export interface Pseudonormals {
  /** 7 × 3 for each triangle: face, corners 0..2, then the edges opposite to them */
  readonly normals: Float64Array;
  /** 7 for each triangle, in that order: 1 on the rim */
  readonly rim: Uint8Array;
}

/**
 * Angle-weighted pseudonormals (Baerentzen & Aanaes 2005, "Signed distance computation using the angle weighted
 * pseudonormal"): the normal of a corner is the sum of the normals around it, each times the angle of its triangle
 * there; the normal of an edge is the sum of its two. The sign of (p - closest point) · pseudonormal then gives the
 * side of p, even if the closest point is on an edge or a corner. Vertices at the same place count as one.
 */
export function buildPseudonormals(tree: TriangleTree): Pseudonormals {
  const { corners, triangleCount } = tree;
  const vertexOf = weld(corners);
  const vertexSums = new Map<number, number[]>();
  const edgeSums = new Map<number, { normal: number[]; count: number }>();
  const faces: number[][] = [];
  const oppositeKey = (t: number, k: number): number =>
    edgeKey(vertexOf[3 * t + ((k + 1) % 3)], vertexOf[3 * t + ((k + 2) % 3)]);
  for (let t = 0; t < triangleCount; t++) {
    const p = [0, 1, 2].map((k) => Array.from(corners.subarray(9 * t + 3 * k, 9 * t + 3 * k + 3)));
    const normal = unit(cross(subtract(p[1], p[0]), subtract(p[2], p[0])));
    faces.push(normal);
    for (let k = 0; k < 3; k++) {
      const u = unit(subtract(p[(k + 1) % 3], p[k]));
      const v = unit(subtract(p[(k + 2) % 3], p[k]));
      const angle = acos(Math.min(1, Math.max(-1, dot(u, v))));
      const vertex = vertexOf[3 * t + k];
      vertexSums.set(vertex, add(vertexSums.get(vertex) ?? [0, 0, 0], normal, angle));
      const key = oppositeKey(t, k);
      const edge = edgeSums.get(key) ?? { normal: [0, 0, 0], count: 0 };
      edgeSums.set(key, { normal: add(edge.normal, normal, 1), count: edge.count + 1 });
    }
  }
  const rimVertices = new Set<number>();
  for (const [i, other] of sidesOfEdges(vertexOf).values())
    if (other === undefined) rimVertices.add(vertexOf[i]).add(vertexOf[nextCorner(i)]);
  const normals = new Float64Array(21 * triangleCount);
  const rim = new Uint8Array(7 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    normals.set(faces[t], 21 * t);
    for (let k = 0; k < 3; k++) {
      const vertex = vertexOf[3 * t + k];
      const edge = edgeSums.get(oppositeKey(t, k))!;
      normals.set(vertexSums.get(vertex)!, 21 * t + 3 * (1 + k));
      normals.set(edge.normal, 21 * t + 3 * (4 + k));
      rim[7 * t + 1 + k] = rimVertices.has(vertex) ? 1 : 0;
      rim[7 * t + 4 + k] = edge.count === 1 ? 1 : 0;
    }
  }
  return { normals, rim };
}

/**
 * Whether a point is behind the surface. No point past the rim is: the solid ends there.
 *
 * @param closest closest point on the triangle, then its barycentric coordinates
 */
export function isBehind(
  { normals, rim }: Pseudonormals,
  triangle: number,
  closest: Float64Array,
  x: number,
  y: number,
  z: number,
): boolean {
  const feature = featureOf(closest);
  const i = 21 * triangle + 3 * feature;
  const side = (x - closest[0]) * normals[i] + (y - closest[1]) * normals[i + 1] + (z - closest[2]) * normals[i + 2];
  return side < 0 && rim[7 * triangle + feature] === 0;
}

/** The place of a closest point's face, corner or edge in `Pseudonormals`. */
export function featureOf(closest: Float64Array): number {
  const zeros = [3, 4, 5].filter((k) => closest[k] < ON_EDGE).map((k) => k - 3);
  // One zero: the point is on the edge opposite to that corner. Two zeros: it is on the remaining corner.
  return zeros.length === 0 ? 0 : zeros.length === 1 ? 4 + zeros[0] : 1 + (3 - zeros[0] - zeros[1]);
}

function weld(corners: Float64Array): Uint32Array {
  const known = new Map<string, number>();
  return Uint32Array.from({ length: corners.length / 3 }, (_, i) => {
    const key = `${corners[3 * i]},${corners[3 * i + 1]},${corners[3 * i + 2]}`;
    const vertex = known.get(key) ?? known.size;
    known.set(key, vertex);
    return vertex;
  });
}

const add = (a: number[], b: number[], factor: number): number[] => a.map((value, i) => value + factor * b[i]);
const unit = (a: number[]): number[] => {
  const length = Math.sqrt(dot(a, a));
  return a.map((value) => value / length);
};
