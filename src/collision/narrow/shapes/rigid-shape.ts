import type { Convex } from "./convex";
import type { TriangleSurface } from "../surfaces/triangle-surface";

/** A leaf of a shape, placed in the frame of the body: a convex solid or a surface of triangles. */
export interface ShapePart {
  readonly convex: Convex | undefined;
  readonly surface: TriangleSurface | undefined;
  /** frame of the part in the frame of the body, see FRAME */
  readonly frame: Float64Array;
  /** whether the part's frame is that of the body */
  readonly isPlain: boolean;
  /** box around the part in the frame of the body: min x, y, z, max x, y, z [m] */
  readonly bounds: Float64Array;
}

/** The only part of a shape, if it is a box or a convex hull. */
export interface Polytope extends ShapePart {
  readonly convex: Convex;
  /** reach of the shape */
  readonly reach: number;
}

/** A shape made ready for collisions. Parts are the leaves of the description in the order of its containers. */
export interface RigidShape {
  readonly parts: readonly ShapePart[];
  /** box around all parts in the frame of the body: min x, y, z, max x, y, z [m]; empty (min > max) without parts */
  readonly bounds: Float64Array;
  /** distance of the furthest point from the origin of the frame [m] */
  readonly reach: number;
  /** least extent of the bounds, or half of the reach if that is more: a disc that rolls along is no reason for short steps [m] */
  readonly thickness: number;
  /** the part of a shape that is one box or one hull */
  readonly polytope: Polytope | undefined;
}
