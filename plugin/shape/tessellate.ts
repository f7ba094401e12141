import { compose, IDENTITY, rotationFromY, transformPoints, type Affine } from "../../src/collision/shape/affine";
import {
  boxPoints,
  capsulePoints,
  cylinderPoints,
  heightfieldTriangles,
  spherePoints,
} from "../../src/collision/shape/tessellation";
import type { ColliderShape, Vec3 } from "../../src/index";
import { hullTriangles } from "./hull-triangles";

/** Triangles, counter-clockwise seen from outside. */
export interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly indices: Uint32Array;
}

const NO_TURN = [0, 0, 0, 1] as const;

/** A shape as triangles, for viewers: round shapes as the hull of points on them. */
export function trianglesOfShape(shape: ColliderShape, map: Affine = IDENTITY): Triangles {
  switch (shape.type) {
    case "sphere":
      return hull(spherePoints(shape.radius), compose(map, shape.center ?? [0, 0, 0], NO_TURN));
    case "box":
      return hull(boxPoints(shape.halfExtents), compose(map, shape.center ?? [0, 0, 0], shape.rotation ?? NO_TURN));
    case "capsule":
    case "cylinder": {
      const { pointA: a, pointB: b, radius } = shape;
      const axis: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
      const middle: Vec3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
      const half = Math.hypot(...axis) / 2;
      const points = shape.type === "capsule" ? capsulePoints(half, radius) : cylinderPoints(half, radius);
      return hull(points, compose(map, middle, rotationFromY(axis)));
    }
    case "convex-hull":
      return hull(shape.positions, map, shape.maxVertices);
    case "mesh":
      return { positions: transformPoints(map, shape.positions), indices: Uint32Array.from(shape.indices) };
    case "heightfield": {
      const { positions, indices } = heightfieldTriangles(shape);
      return { positions: transformPoints(map, positions), indices };
    }
    case "container":
      return merge(
        shape.children.map(({ shape: child, position, rotation, scale }) =>
          trianglesOfShape(child, compose(map, position ?? [0, 0, 0], rotation ?? NO_TURN, scale)),
        ),
      );
  }
}

function hull(given: ArrayLike<number>, map: Affine, maxVertices?: number): Triangles {
  const { points, indices } = hullTriangles(given, maxVertices);
  return { positions: transformPoints(map, points), indices };
}

function merge(parts: readonly Triangles[]): Triangles {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const offset = positions.length / 3;
    for (let i = 0; i < part.positions.length; i++) positions.push(part.positions[i]);
    for (const index of part.indices) indices.push(offset + index);
  }
  return { positions, indices: Uint32Array.from(indices) };
}
