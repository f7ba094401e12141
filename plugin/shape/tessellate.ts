import { alongAxis, compose, IDENTITY, transformPoints, type Affine } from "../../src/collision/shape/affine";
import {
  boxPoints,
  capsulePoints,
  cylinderPoints,
  heightfieldTriangles,
  spherePoints,
} from "../../src/collision/shape/tessellation";
import type { ColliderShape } from "../../src/index";
import { hullTriangles } from "./hull-triangles";

/** Triangles, counter-clockwise seen from outside. */
export interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly indices: Uint32Array;
}

/** A shape as triangles, for viewers: round shapes as the hull of points on them. */
export function trianglesOfShape(shape: ColliderShape, map: Affine = IDENTITY): Triangles {
  switch (shape.type) {
    case "sphere":
      return hull(spherePoints(shape.radius), compose(map, shape.center));
    case "box":
      return hull(boxPoints(shape.halfExtents), compose(map, shape.center, shape.rotation));
    case "capsule":
    case "cylinder": {
      const { half, frame } = alongAxis(map, shape);
      return hull((shape.type === "capsule" ? capsulePoints : cylinderPoints)(half, shape.radius), frame);
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
          trianglesOfShape(child, compose(map, position, rotation, scale)),
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
