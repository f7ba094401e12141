import type { Convex } from "./convex";

/** Triangles of a mesh or of a heightfield, found by place. */
export interface TriangleSurface {
  readonly triangleCount: number;
  /** box around all: min x, y, z, max x, y, z [m] */
  readonly bounds: Float64Array;
  /**
   * Triangles whose boxes meet a box.
   *
   * @param out receives them, and is returned enlarged where they do not fit
   * @returns how many
   */
  query(box: Float64Array, out: TriangleList): number;
  /** Writes a triangle into a convex. */
  fetch(triangle: number, out: Convex): void;
}

/** Numbers of triangles, in a list that grows. */
export interface TriangleList {
  count: number;
  items: Uint32Array;
}
