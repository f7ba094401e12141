import type { Quat, Vec3 } from "../../../math/types";
import { boxOf } from "../../../geometry/box";
import {
  type Affine,
  alongAxis,
  compose,
  decompose,
  IDENTITY,
  nearlyEqual,
  NO_TURN,
  transformPoint,
  transformPoints,
} from "../../shape/affine";
import { type ColliderShape, validateShape } from "../../shape/shape";
import { boxPoints, capsulePoints, cylinderPoints, spherePoints } from "../../shape/tessellation";
import { boxConvex, capsuleConvex, type Convex, ConvexKind, cylinderConvex, sphereConvex } from "./convex";
import { frameBounds, frameOf, identityFrame } from "../frame";
import { hullOf } from "./hull-faces";
import { boxAround, Placed } from "./placed";
import type { RigidShape, ShapePart, Polytope } from "./rigid-shape";
import { heightfieldSurface, meshSurface, type PlacedSurface } from "../surfaces/surface-build";
import { lengthOf } from "../../../math/vectors";

/**
 * Makes a shape ready for collisions. The geometry takes over scales of containers. If the scaled shape is none of the
 * basic kinds (a ball with unequal factors, a sheared box), a convex hull of points on its surface replaces it.
 *
 * @param object name of the owner of the shape, for messages
 * @throws PliantError as `validateShape`, and `degenerate-geometry` for points on a line or a mesh without area
 */
export function compileRigidShape(shape: ColliderShape, object = "shape"): RigidShape {
  validateShape(shape, object);
  const parts = compile(shape, IDENTITY, object);
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const part of parts)
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], part.bounds[k]);
      bounds[3 + k] = Math.max(bounds[3 + k], part.bounds[3 + k]);
    }
  const far = (k: number): number => Math.max(0, Math.abs(bounds[k]), Math.abs(bounds[3 + k]));
  const reach = parts.length > 0 ? lengthOf(far(0), far(1), far(2)) : 0;
  const thickness = Math.max(
    Math.min(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]),
    0.5 * reach,
  );
  return { parts, bounds, reach, thickness, polytope: parts.length === 1 ? polytopeOf(parts[0], reach) : undefined };
}

function polytopeOf(part: ShapePart, reach: number): Polytope | undefined {
  const { convex } = part;
  if (!convex || (convex.kind !== ConvexKind.box && convex.kind !== ConvexKind.hull)) return undefined;
  return { ...part, convex, reach };
}

function compile(shape: ColliderShape, map: Affine, object: string): ShapePart[] {
  switch (shape.type) {
    case "sphere": {
      const at: Affine = { a: map.a, t: transformPoint(map, shape.center ?? [0, 0, 0]) };
      const scale = uniformScale(at);
      if (scale === undefined) return [hullPart(transformPoints(at, spherePoints(shape.radius)), object)];
      return [convexPart(sphereConvex(shape.radius * scale), at.t, NO_TURN)];
    }
    case "box": {
      const frame = compose(map, shape.center, shape.rotation);
      const split = decompose(frame);
      if (!split) return [hullPart(transformPoints(frame, boxPoints(shape.halfExtents)), object)];
      const h = split.scale.map((factor, axis) => Math.abs(factor) * shape.halfExtents[axis]);
      return [convexPart(boxConvex(h[0], h[1], h[2]), frame.t, split.rotation)];
    }
    case "capsule":
    case "cylinder":
      return [roundPart(shape, map, object)];
    case "convex-hull":
      return [hullPart(transformPoints(map, shape.positions), object, shape.maxVertices)];
    case "mesh":
      return [surfacePart(meshSurface(shape, map, object))];
    case "heightfield":
      return [surfacePart(heightfieldSurface(shape, map, object))];
    case "container":
      return shape.children.flatMap((child, index) => {
        const local = compose(map, child.position, child.rotation, child.scale);
        return compile(child.shape, local, `${object}.children[${index}]`);
      });
  }
}

function roundPart(shape: ColliderShape & { type: "capsule" | "cylinder" }, map: Affine, object: string): ShapePart {
  const { radius } = shape;
  const { half, frame } = alongAxis(map, shape);
  const split = decompose(frame);
  const [sx, sy, sz] = split?.scale.map(Math.abs) ?? [0, 0, 1];
  const isRound = split !== undefined && nearlyEqual(sx, sz);
  if (shape.type === "cylinder") {
    if (!isRound) return hullPart(transformPoints(frame, cylinderPoints(half, radius)), object);
    return convexPart(cylinderConvex(half * sy, radius * sx), frame.t, split.rotation);
  }
  if (!isRound || !nearlyEqual(sx, sy)) return hullPart(transformPoints(frame, capsulePoints(half, radius)), object);
  const convex = half > 0 ? capsuleConvex(half * sx, radius * sx) : sphereConvex(radius * sx);
  return convexPart(convex, frame.t, split.rotation);
}

/** The factor of a map that scales all directions alike, otherwise undefined. */
function uniformScale(map: Affine): number | undefined {
  const scale = decompose(map)?.scale.map(Math.abs);
  return scale && nearlyEqual(scale[0], scale[1]) && nearlyEqual(scale[0], scale[2]) ? scale[0] : undefined;
}

/** A hull is described relative to the middle of its box. */
function hullPart(points: Float64Array, object: string, maxVertices?: number): ShapePart {
  const { min, max } = boxOf(points);
  const middle = min.map((low, k) => (low + max[k]) / 2);
  const hull = hullOf(
    points.map((value, i) => value - middle[i % 3]),
    object,
    maxVertices,
  );
  return convexPart(hull, [middle[0], middle[1], middle[2]], NO_TURN);
}

function convexPart(convex: Convex, position: Vec3, rotation: Quat): ShapePart {
  const frame = frameOf(position, rotation);
  const placed = new Placed();
  placed.setAt(convex, frame);
  const bounds = boxAround(placed, convex.radius, new Float64Array(6));
  return { convex, surface: undefined, frame, isPlain: isIdentity(frame), bounds };
}

function surfacePart({ surface, position, rotation }: PlacedSurface): ShapePart {
  const frame = frameOf(position, rotation);
  const bounds = new Float64Array(6);
  frameBounds(surface.bounds, frame, bounds);
  return { convex: undefined, surface, frame, isPlain: isIdentity(frame), bounds };
}

function isIdentity(frame: Float64Array): boolean {
  return identityFrame().every((value, i) => frame[i] === value);
}
