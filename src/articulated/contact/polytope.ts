import { cross, dot, normalised, subtract } from "../../math/vectors";
import { convexHullPlanes } from "../../collision/convex-hull";
import { boxConvex, hullConvex, type Convex } from "../../collision/narrow/convex";
import type { Vec3 } from "../../math/types";

/** Sides of the prism that stands for a cylinder. */
const CYLINDER_SIDES = 16;

/**
 * A box with its corners and normals carried by an affine map without scale or shear. Exact for boxes of any proportions.
 *
 * @param rotation 3 × 3, row-major
 */
export function boxPolytope(half: Vec3, rotation: readonly number[], position: Vec3): Convex {
  const box = boxConvex(half[0], half[1], half[2]);
  const turn = (list: Float64Array, shift: Vec3): Float64Array =>
    list.map((_, at) => {
      const [i, c] = [at - (at % 3), at % 3];
      return (
        rotation[3 * c] * list[i] + rotation[3 * c + 1] * list[i + 1] + rotation[3 * c + 2] * list[i + 2] + shift[c]
      );
    });
  const normals = turn(box.faceNormals, [0, 0, 0]);
  const offsets = box.faceOffsets.map(
    (offset, f) => offset + dot([normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]], position),
  );
  const loops = Array.from(offsets, (_, f) => [...box.faceVertices.subarray(box.faceStart[f], box.faceStart[f + 1])]);
  return hullConvex(turn(box.vertices, position), loops, normals, offsets);
}

/**
 * Convex hull of points (n × 3) as a polytope with whole faces: coplanar triangles are one face.
 *
 * @throws PliantError `degenerate-geometry` where the points lie in a plane
 */
export function hullPolytope(points: ArrayLike<number>, object: string): Convex {
  const planes = convexHullPlanes(points, object);
  const count = points.length / 3;
  let size = 0;
  for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i] - points[i % 3]));
  const place = new Map<number, number>();
  const vertices: number[] = [];
  const loops: number[][] = [];
  const normals: number[] = [];
  const offsets: number[] = [];
  for (let f = 0; f < planes.length; f += 4) {
    const n: Vec3 = [planes[f], planes[f + 1], planes[f + 2]];
    const on: number[] = [];
    for (let i = 0; i < count; i++) {
      const below = planes[f + 3] - n[0] * points[3 * i] - n[1] * points[3 * i + 1] - n[2] * points[3 * i + 2];
      if (below < 4e-6 * size && !on.some((other) => distance(points, i, other) < 1e-9 * size)) on.push(i);
    }
    // Bevel planes of sharp ridges touch along an edge or at a corner only.
    const loop = around(points, on, n);
    if (loop.length < 3) continue;
    loops.push(
      loop.map((i) => {
        const known = [...place.keys()].find((other) => distance(points, i, other) < 1e-9 * size);
        if (known !== undefined) return place.get(known)!;
        place.set(i, place.size);
        vertices.push(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
        return place.size - 1;
      }),
    );
    normals.push(...n);
    offsets.push(planes[f + 3]);
  }
  return hullConvex(Float64Array.from(vertices), loops, Float64Array.from(normals), Float64Array.from(offsets));
}

/** A cylinder between two points, as a prism whose corners lie on it. */
export function cylinderPolytope(pointA: Vec3, pointB: Vec3, radius: number, object: string): Convex {
  const d = normalised(subtract(pointB, pointA));
  const e: Vec3 = Math.abs(d[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const u = normalised(cross(d, e));
  const v = cross(d, u);
  const points: number[] = [];
  for (let i = 0; i < CYLINDER_SIDES; i++) {
    const angle = (2 * Math.PI * i) / CYLINDER_SIDES;
    for (const end of [pointA, pointB]) {
      for (let c = 0; c < 3; c++) points.push(end[c] + radius * (Math.cos(angle) * u[c] + Math.sin(angle) * v[c]));
    }
  }
  return hullPolytope(points, object);
}

/** Corners of the hull of coplanar points, counter-clockwise about n. Points within an edge are left out. */
function around(points: ArrayLike<number>, on: readonly number[], n: Vec3): number[] {
  if (on.length < 3) return [];
  const e: Vec3 = Math.abs(n[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const u = normalised(cross(e, n));
  const v = cross(n, u);
  const flat = on
    .map((i) => {
      const p: Vec3 = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
      return { i, x: dot(p, u), y: dot(p, v) };
    })
    .sort((a, b) => a.x - b.x || a.y - b.y);
  const extent = Math.max(...flat.map((p) => Math.hypot(p.x - flat[0].x, p.y - flat[0].y)));
  // Andrew's monotone chain.
  const half = (list: typeof flat): typeof flat => {
    const chain: typeof flat = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 1e-9 * extent * extent) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(flat), ...half([...flat].reverse())].map((p) => p.i);
}

function distance(points: ArrayLike<number>, i: number, j: number): number {
  return Math.hypot(
    points[3 * i] - points[3 * j],
    points[3 * i + 1] - points[3 * j + 1],
    points[3 * i + 2] - points[3 * j + 2],
  );
}
