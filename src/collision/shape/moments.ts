import { sidesOfEdges, nextCorner } from "../../geometry/surface/twin-sides";
import { cross } from "../../math/vectors";
import { weldVertices } from "../../geometry/surface/weld";
import type { Vec3 } from "../../math/types";
import { determinant } from "../../math/determinant";
import { type Affine, alongAxis, compose, IDENTITY, transformPoint } from "./affine";
import { hullOf } from "../narrow/shapes/hull-faces";
import type { ColliderShape, ConvexHullShape } from "./shape";
import { shapeBounds } from "./shape-bounds";

/**
 * Moments of a solid of density one. Glossary: V volume [m³], f = ∫ x dV [m⁴], C = ∫ x xᵀ dV [m⁵] (row-major). Unlike
 * the inertia tensor they map simply under x = A y + t, as scaled children of containers require.
 */
export interface Moments {
  readonly volume: number;
  readonly first: Vec3;
  readonly second: readonly number[];
}

/** Adds solids up, each with its density. */
export function sumMoments(parts: readonly { moments: Moments; density: number }[]): Moments {
  const total = { volume: 0, first: [0, 0, 0] as [number, number, number], second: new Array<number>(9).fill(0) };
  for (const { moments, density } of parts) {
    total.volume += density * moments.volume;
    moments.first.forEach((value, i) => (total.first[i] += density * value));
    moments.second.forEach((value, i) => (total.second[i] += density * value));
  }
  return total;
}

/**
 * Moments of a shape that `map` takes to another frame. An open mesh or a heightfield counts as its bounding box: it
 * has no inside of its own.
 */
export function shapeMoments(shape: ColliderShape, map: Affine = IDENTITY): Moments {
  switch (shape.type) {
    case "sphere": {
      const volume = (4 / 3) * Math.PI * shape.radius * shape.radius * shape.radius;
      return mapped(diagonal(volume, (shape.radius * shape.radius) / 5), compose(map, shape.center));
    }
    case "box": {
      const [a, b, c] = shape.halfExtents;
      const moments = diagonal(8 * a * b * c, (a * a) / 3, (b * b) / 3, (c * c) / 3);
      return mapped(moments, compose(map, shape.center, shape.rotation));
    }
    case "capsule":
    case "cylinder": {
      const { half, frame } = alongAxis(map, shape);
      return mapped((shape.type === "cylinder" ? cylinder : capsule)(shape.radius, half), frame);
    }
    case "convex-hull":
      return mapped(hullMoments(shape), map);
    case "mesh":
      return mapped(solidMoments(shape.positions, shape.indices) ?? box(shape), map);
    case "heightfield":
      return mapped(box(shape), map);
    case "container":
      return sumMoments(
        shape.children.map(({ shape: child, position, rotation, scale }) => ({
          moments: shapeMoments(child, compose(map, position, rotation, scale)),
          density: 1,
        })),
      );
  }
}

/** Solid centered on the origin with mean squares xx, yy, zz of its coordinates. */
function diagonal(volume: number, xx: number, yy = xx, zz = xx): Moments {
  return { volume, first: [0, 0, 0], second: [volume * xx, 0, 0, 0, volume * yy, 0, 0, 0, volume * zz] };
}

function hullMoments({ positions, maxVertices }: ConvexHullShape): Moments {
  const { vertices, faceStart, faceVertices, faceCount } = hullOf(positions, "convex hull", maxVertices);
  const triangles: number[] = [];
  for (let f = 0; f < faceCount; f++)
    for (let i = faceStart[f] + 2; i < faceStart[f + 1]; i++)
      triangles.push(faceVertices[faceStart[f]], faceVertices[i - 1], faceVertices[i]);
  return solidInside(vertices, triangles);
}

/** Along y, half height h. */
function cylinder(r: number, h: number): Moments {
  return diagonal(2 * Math.PI * r * r * h, (r * r) / 4, (h * h) / 3, (r * r) / 4);
}

/** Along y; a half ball has its points at h + s with mean s = 3r/8 and mean s² = r²/5. */
function capsule(r: number, h: number): Moments {
  const ball = (4 / 3) * Math.PI * r * r * r;
  const ends = diagonal(ball, (r * r) / 5, h * h + (3 / 4) * h * r + (r * r) / 5, (r * r) / 5);
  return sumMoments([
    { moments: cylinder(r, h), density: 1 },
    { moments: ends, density: 1 },
  ]);
}

function box(shape: ColliderShape): Moments {
  const { min, max } = shapeBounds(shape);
  const half = [0, 1, 2].map((i) => Math.max((max[i] - min[i]) / 2, 1e-3));
  const centre: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const halfExtents: Vec3 = [half[0], half[1], half[2]];
  return shapeMoments({ type: "box", halfExtents, center: centre });
}

/**
 * Moments of the solid inside closed triangles, by signed tetrahedra from the first vertex: with corners a, b, c and
 * d = a·(b × c), V = d/6, f = V (a+b+c)/4, C = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ), s = a+b+c. Undefined for open surfaces.
 */
function solidMoments(p: ArrayLike<number>, triangles: ArrayLike<number>): Moments | undefined {
  if (!isClosed(p, triangles)) return undefined;
  const moments = solidInside(p, triangles);
  return moments.volume > 0 ? moments : undefined;
}

/** As `solidMoments`, for triangles that are known to be closed. */
function solidInside(p: ArrayLike<number>, triangles: ArrayLike<number>): Moments {
  const origin: Vec3 = [p[0], p[1], p[2]];
  let volume = 0;
  const first: [number, number, number] = [0, 0, 0];
  const second = new Array<number>(9).fill(0);
  for (let f = 0; f + 2 < triangles.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const i = 3 * triangles[f + k];
      return [p[i] - origin[0], p[i + 1] - origin[1], p[i + 2] - origin[2]] as const;
    }) as [Vec3, Vec3, Vec3];
    const bc = cross(b, c);
    const d = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    const s: Vec3 = [a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]];
    volume += d / 6;
    for (let i = 0; i < 3; i++) {
      first[i] += (d / 24) * s[i];
      for (let j = 0; j < 3; j++)
        second[3 * i + j] += (d / 120) * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  const sign = volume < 0 ? -1 : 1;
  const inward = { volume: sign * volume, first: first.map((v) => sign * v), second: second.map((v) => sign * v) };
  return mapped({ ...inward, first: inward.first as [number, number, number] }, { a: IDENTITY.a, t: origin });
}

/** Whether every edge is traversed equally often in both directions. Coincident vertices count as one. */
function isClosed(p: ArrayLike<number>, triangles: ArrayLike<number>): boolean {
  const { indices } = weldVertices(p, triangles);
  const way = (i: number): number => Math.sign(indices[nextCorner(i)] - indices[i]);
  return [...sidesOfEdges(indices).values()].every((sides) => sides.reduce((sum, i) => sum + way(i), 0) === 0);
}

/** x = A y + t: V' = |A| V, f' = |A| (A f + V t), C' = |A| (A C Aᵀ + (A f) tᵀ + t (A f)ᵀ + V t tᵀ). */
function mapped(moments: Moments, map: Affine): Moments {
  const { a, t } = map;
  const scale = Math.abs(determinant(a));
  const { volume, second } = moments;
  const af = transformPoint({ a, t: [0, 0, 0] }, moments.first);
  const first = [0, 1, 2].map((i) => scale * (af[i] + volume * t[i])) as [number, number, number];
  const out = new Array<number>(9).fill(0);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = af[i] * t[j] + t[i] * af[j] + volume * t[i] * t[j];
      for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += a[3 * i + k] * second[3 * k + l] * a[3 * j + l];
      out[3 * i + j] = scale * sum;
    }
  return { volume: scale * volume, first, second: out };
}
