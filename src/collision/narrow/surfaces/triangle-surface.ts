import type { IdList } from "../../../math/arrays";
import { type Convex, triangleConvex } from "../shapes/convex";

/** State of an edge: the neighbor on its other side. */
export const EdgeState = {
  /** a face in the same plane, or one that leans in: the edge alone can touch nothing */
  inactive: 0,
  /** a face that leans away */
  convex: 1,
  /** no single face: the surface ends here, or more than two faces meet */
  rim: 2,
} as const;
export type EdgeState = (typeof EdgeState)[keyof typeof EdgeState];

/** One triangle of a surface, with the needed data of its neighbors. */
export class SurfaceTriangle {
  /** number of the triangle in the surface */
  index = 0;
  readonly convex: Convex = triangleConvex();
  /** state of the edge from corner k to corner k + 1, see EdgeState */
  readonly edges = new Uint8Array(3);
  /** unit normals of the faces across these edges, 3 numbers each */
  readonly across = new Float64Array(9);
  /**
   * 1 for an edge or a corner that is counted with this triangle; each is counted with exactly one of the triangles
   * that share it
   */
  readonly ownsEdge = new Uint8Array(3);
  readonly ownsCorner = new Uint8Array(3);
}

/** Triangles of a mesh or heightfield, found by position. From the front, their corners run counter-clockwise. */
export interface TriangleSurface {
  readonly triangleCount: number;
  /** box around all: min x, y, z, max x, y, z [m] */
  readonly bounds: Float64Array;
  /** Whether the surface is solid to any depth behind its faces. */
  readonly isBottomless: boolean;
  /** Whether some of its triangles are, or may be, slender: see SLENDER. */
  readonly isSlender: boolean;
  /** Whether the surface is the skin of a solid: every edge has a face on each side. */
  readonly isClosed: boolean;
  /** Appends all triangles whose boxes meet a box (min, max), in an order that depends on the surface alone. */
  query(box: Float64Array, out: IdList): void;
  /** Appends all triangles that a ray (start, unit direction, length) may meet, as `query` does. */
  queryRay(start: Float64Array, direction: Float64Array, length: number, out: IdList): void;
  /**
   * Whether a corner (0 to 2) of a triangle is further along d (unit) than the ends of all edges from it, within
   * `slack` of their lengths. A corner pushes only along such directions: along others, its surroundings touch first.
   */
  isExtreme(triangle: number, corner: number, dx: number, dy: number, dz: number, slack: number): boolean;
  /** Writes a triangle and its neighborhood. */
  fetch(triangle: number, out: SurfaceTriangle): void;
  /** The user's number of a triangle: place in the indices / 3. */
  source(triangle: number): number;
  /** Distance of a point from the closest one of the surface [m], infinite where that is more than `most`. Not all surfaces know it. */
  distance?(point: Float64Array, most: number): number;
}

/** Most that the square of the longest edge of a triangle is of twice its area, if it is not slender. */
export const SLENDER = 20;

/** Sine of the largest angle between faces that count as coplanar. */
const FLAT = 1e-4;

/**
 * State of an edge between two faces.
 *
 * @param n normals; from place `i` on, that of the face that the edge runs around counter-clockwise
 * @param m normals; from place `j` on, that of the face across
 * @param ex direction of the edge
 */
export function edgeState(
  n: ArrayLike<number>,
  i: number,
  m: ArrayLike<number>,
  j: number,
  ex: number,
  ey: number,
  ez: number,
): EdgeState {
  // n × m points along the edge if the faces lean away from each other.
  const cx = n[i + 1] * m[j + 2] - n[i + 2] * m[j + 1];
  const cy = n[i + 2] * m[j] - n[i] * m[j + 2];
  const cz = n[i] * m[j + 1] - n[i + 1] * m[j];
  const along = cx * ex + cy * ey + cz * ez;
  return along > FLAT * Math.sqrt(ex * ex + ey * ey + ez * ez) ? EdgeState.convex : EdgeState.inactive;
}
