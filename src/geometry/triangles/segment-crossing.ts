import type { TriangleTree } from "./bvh";

/** A segment beyond a triangle's border by no more than this (barycentric) meets it: triangles leave no gaps. */
const BORDER = 1e-9;

const stack = new Uint32Array(128);

/**
 * The first point at which a segment meets the triangles of a tree.
 *
 * @param x coordinates; the segment runs from the point at `from` to the point at `to`
 * @returns part of the way, in [0, 1]; Infinity if it meets none
 */
export function firstCrossing(tree: TriangleTree, x: ArrayLike<number>, from: number, to: number): number {
  const { boxes, second, first, end, corners } = tree;
  const [ox, oy, oz] = [x[from], x[from + 1], x[from + 2]];
  const [dx, dy, dz] = [x[to] - ox, x[to + 1] - oy, x[to + 2] - oz];
  let nearest = Infinity;
  let top = 0;
  stack[0] = 0;
  while (top >= 0) {
    const node = stack[top--];
    if (!meetsBox(boxes, 6 * node, ox, oy, oz, dx, dy, dz, Math.min(1, nearest))) continue;
    if (second[node] !== 0) {
      stack[++top] = second[node];
      stack[++top] = node + 1;
      continue;
    }
    for (let triangle = first[node]; triangle < end[node]; triangle++)
      nearest = Math.min(nearest, crossTriangle(corners, 9 * triangle, ox, oy, oz, dx, dy, dz));
  }
  return nearest;
}

function meetsBox(
  boxes: Float64Array,
  i: number,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  until: number,
): boolean {
  let low = 0;
  let high = until;
  for (let c = 0; c < 3; c++) {
    const o = c === 0 ? ox : c === 1 ? oy : oz;
    const d = c === 0 ? dx : c === 1 ? dy : dz;
    // wider by a rounding error: a box may be flat
    const slack = 1e-12 * (Math.abs(boxes[i + c]) + Math.abs(boxes[i + 3 + c]) + Math.abs(o));
    const a = boxes[i + c] - slack - o;
    const b = boxes[i + 3 + c] + slack - o;
    if (d === 0) {
      if (a > 0 || b < 0) return false;
      continue;
    }
    low = Math.max(low, Math.min(a / d, b / d));
    high = Math.min(high, Math.max(a / d, b / d));
  }
  return low <= high;
}

/** Intersects a segment with a triangle, from either side (Möller and Trumbore 1997). */
function crossTriangle(
  t: Float64Array,
  i: number,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const [ux, uy, uz] = [t[i + 3] - t[i], t[i + 4] - t[i + 1], t[i + 5] - t[i + 2]];
  const [vx, vy, vz] = [t[i + 6] - t[i], t[i + 7] - t[i + 1], t[i + 8] - t[i + 2]];
  const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
  const determinant = ux * px + uy * py + uz * pz;
  if (determinant === 0) return Infinity;
  const [sx, sy, sz] = [ox - t[i], oy - t[i + 1], oz - t[i + 2]];
  const u = (sx * px + sy * py + sz * pz) / determinant;
  const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
  const v = (dx * qx + dy * qy + dz * qz) / determinant;
  const along = (vx * qx + vy * qy + vz * qz) / determinant;
  const meets = u >= -BORDER && v >= -BORDER && u + v <= 1 + BORDER && along >= 0 && along <= 1;
  return meets ? along : Infinity;
}
