import { convexHullPlanes } from "../../src/collision/convex-hull";

/** A point this part of the hull's size off a plane still counts as on it. */
const ON_PLANE = 1e-6;

/**
 * Triangles of the convex hull of points (n × 3), as point indices, counter-clockwise seen from outside: a fan for each
 * plane of the hull that has three points or more.
 *
 * @throws PliantError `degenerate-geometry` where the points lie in a plane
 */
export function hullTriangles(points: ArrayLike<number>): Uint32Array {
  const planes = convexHullPlanes(points);
  let size = 0;
  for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i] - points[i % 3]));
  const triangles: number[] = [];
  for (let p = 0; p < planes.length; p += 4) {
    const normal = [planes[p], planes[p + 1], planes[p + 2]] as const;
    const face = cornersOn(points, normal, planes[p + 3] - ON_PLANE * size);
    for (let i = 2; i < face.length; i++) triangles.push(face[0], face[i - 1], face[i]);
  }
  return Uint32Array.from(triangles);
}

/** Points with n·x ≥ offset, without doubles, in counter-clockwise order around n. */
function cornersOn(points: ArrayLike<number>, n: readonly [number, number, number], offset: number): number[] {
  const seen = new Set<string>();
  const corners: number[] = [];
  for (let i = 0; i < points.length / 3; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    if (n[0] * x + n[1] * y + n[2] * z < offset || seen.has(`${x},${y},${z}`)) continue;
    seen.add(`${x},${y},${z}`);
    corners.push(i);
  }
  if (corners.length < 3) return [];
  const u = tangent(n);
  const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
  const planar = corners.map((i) => ({
    i,
    u: points[3 * i] * u[0] + points[3 * i + 1] * u[1] + points[3 * i + 2] * u[2],
    v: points[3 * i] * v[0] + points[3 * i + 1] * v[1] + points[3 * i + 2] * v[2],
  }));
  const centre = { u: mean(planar.map((c) => c.u)), v: mean(planar.map((c) => c.v)) };
  const angle = (c: { u: number; v: number }): number => Math.atan2(c.v - centre.v, c.u - centre.u);
  return planar.sort((a, b) => angle(a) - angle(b)).map((c) => c.i);
}

/** A unit vector at right angles to n. */
function tangent(n: readonly [number, number, number]): number[] {
  const smallest = Math.min(...n.map(Math.abs));
  const axis = n.findIndex((value) => Math.abs(value) === smallest);
  const t = n.map((value, i) => (i === axis ? 1 : 0) - value * n[axis]);
  const length = Math.hypot(...t);
  return t.map((value) => value / length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
