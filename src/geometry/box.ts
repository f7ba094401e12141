import type { Vec3 } from "../math/types";

/** Lowest and highest corner [m]. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

const corners = new Float64Array(6);

/** @param positions count × 3 [m] */
export function boxOf(positions: ArrayLike<number>): Box {
  corners.fill(Infinity, 0, 3);
  corners.fill(-Infinity, 3);
  for (let i = 0; i < positions.length; i++) {
    const x = positions[i];
    const c = i % 3;
    corners[c] = Math.min(corners[c], x);
    corners[3 + c] = Math.max(corners[3 + c], x);
  }
  return { min: [corners[0], corners[1], corners[2]], max: [corners[3], corners[4], corners[5]] };
}

/** Longest side [m]. */
export function sizeOf({ min, max }: Box): number {
  return Math.max(...[0, 1, 2].map((c) => max[c] - min[c]));
}

/** A box grown by `margin` on every side [m]. */
export function grown({ min, max }: Box, margin: number): Box {
  return {
    min: [min[0] - margin, min[1] - margin, min[2] - margin],
    max: [max[0] + margin, max[1] + margin, max[2] + margin],
  };
}

/** The least box that holds two. */
export function union(a: Box, b: Box): Box {
  const [p, q] = [a.min, a.max];
  return {
    min: [Math.min(p[0], b.min[0]), Math.min(p[1], b.min[1]), Math.min(p[2], b.min[2])],
    max: [Math.max(q[0], b.max[0]), Math.max(q[1], b.max[1]), Math.max(q[2], b.max[2])],
  };
}

/** Whether two boxes do not intersect. */
export function areApart(a: Box, b: Box): boolean {
  for (let c = 0; c < 3; c++) if (a.min[c] > b.max[c] || b.min[c] > a.max[c]) return true;
  return false;
}

/** The intersection of two boxes; undefined if they are apart. */
export function intersection(a: Box, b: Box): Box | undefined {
  if (areApart(a, b)) return undefined;
  const [p, q] = [a.min, a.max];
  return {
    min: [Math.max(p[0], b.min[0]), Math.max(p[1], b.min[1]), Math.max(p[2], b.min[2])],
    max: [Math.min(q[0], b.max[0]), Math.min(q[1], b.max[1]), Math.min(q[2], b.max[2])],
  };
}
