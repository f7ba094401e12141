import type { Convex } from "./convex";
import type { TriangleSurface } from "../surfaces/triangle-surface";

/** A leaf of a shape, placed in the frame of the body: a convex solid or a surface of triangles. */
export interface ShapePart {
  readonly convex: Convex | undefined;
  readonly surface: TriangleSurface | undefined;
  /** where it is in the frame of the body, see FRAME */
  readonly frame: Float64Array;
  /** the frame is that of the body */
  readonly isPlain: boolean;
  /** box around it in the frame of the body: min x, y, z, max x, y, z [m] */
  readonly bounds: Float64Array;
}

/** A part that is a box or a convex hull, the only one of a shape. */
export interface Polytope extends ShapePart {
  readonly convex: Convex;
  /** as that of the shape */
  readonly reach: number;
}

/** A shape made ready for collisions. Parts are the leaves of the description, containers gone through in order. */
export interface RigidShape {
  readonly parts: readonly ShapePart[];
  /** box around all parts in the frame of the body: min x, y, z, max x, y, z [m]; empty (min > max) without parts */
  readonly bounds: Float64Array;
  /** distance of the furthest point from the origin of the frame [m] */
  readonly reach: number;
  /** where it is one box or one hull */
  readonly polytope: Polytope | undefined;
}
