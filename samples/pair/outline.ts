import { buildTriangleTree, closestTriangle } from "../../src/geometry/triangles/bvh";
import { triangleCorners } from "../../src/geometry/triangles/closed-surface";
import { buildWindingTree, windingNumber } from "../../src/geometry/triangles/winding-number";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { forEachSample, uniqueEdges } from "../metrics";

/** Points of a surface, in the world. */
export interface Outline {
  /** n × 3 [m] */
  readonly positions: ArrayLike<number>;
  /** triangles, three points each; none for a rope */
  readonly faces: Uint32Array;
  /** whether it has an inside */
  readonly isClosed: boolean;
}

/**
 * The depth to which one of two surfaces reaches into the other, if one of them has an inside [m]; otherwise the number of edges of one that pass through
 * triangles of the other.
 */
export function overlap(a: Outline, b: Outline): { depth: number; crossings: number } {
  if (!a.isClosed && !b.isClosed) return { depth: 0, crossings: crossings(a, b) };
  return { depth: Math.max(depthIn(a, b), depthIn(b, a)), crossings: 0 };
}

/** Depth of particles, midpoints of edges and centroids in a closed surface [m]. */
function depthIn(a: Outline, b: Outline): number {
  if (!b.isClosed) return 0;
  const corners = triangleCorners(b.positions, b.faces);
  const tree = buildTriangleTree(corners);
  const dipoles = buildWindingTree(tree);
  let deepest = 0;
  const closest = new Float64Array(6);
  forEachSample(a.positions, a.faces, (x, y, z) => {
    if (Math.abs(windingNumber(tree, dipoles, x, y, z)) < 0.5) return;
    closestTriangle(tree, x, y, z, Infinity, -1, closest);
    deepest = Math.max(deepest, Math.hypot(closest[0] - x, closest[1] - y, closest[2] - z));
  });
  return deepest;
}

function crossings(a: Outline, b: Outline): number {
  const [first, second] = [chainOrEdges(a), chainOrEdges(b)];
  const shift = a.positions.length / 3;
  const positions = [...Array.from(a.positions), ...Array.from(b.positions)];
  const through = (edges: ArrayLike<number>, faces: ArrayLike<number>, edgeShift: number, faceShift: number): number =>
    surfaceIntersections(
      {
        edges: Uint32Array.from(edges, (v) => v + edgeShift),
        faces: Uint32Array.from(faces, (v) => v + faceShift),
      },
      positions,
    ).length;
  return through(first, b.faces, 0, shift) + through(second, a.faces, shift, 0);
}

/** Edges of the triangles, or of the rope itself. */
function chainOrEdges({ positions, faces }: Outline): Uint32Array {
  if (faces.length > 0) return uniqueEdges(faces);
  const count = positions.length / 3 - 1;
  return Uint32Array.from({ length: 2 * count }, (_, i) => (i + 1) >> 1);
}
