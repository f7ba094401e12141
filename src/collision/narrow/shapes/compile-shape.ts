import type { Quat, Vec3 } from "../../../math/types";
import { IDENTITY, NO_TURN } from "../../shape/affine";
import { type ColliderShape, validateShape } from "../../shape/shape";
import { type SolidMaker, solidsOf } from "../../shape/solids";
import { boxConvex, capsuleConvex, type Convex, ConvexKind, cylinderConvex, sphereConvex } from "./convex";
import { frameBounds, frameOf, identityFrame } from "../frame";
import { hullOf } from "./hull-faces";
import { boxAround, Placed } from "./placed";
import type { RigidShape, ShapePart, Polytope } from "./rigid-shape";
import { heightfieldSurface, meshSurface, type PlacedSurface } from "../surfaces/surface-build";
import { lengthOf } from "../../../math/vectors";

/**
 * Makes a shape ready for collisions, as `solidsOf` flattens it.
 *
 * @param object name of the owner of the shape, for messages
 * @throws PliantError as `validateShape`, and `degenerate-geometry` for points on a line or a mesh without area
 */
export function compileRigidShape(shape: ColliderShape, object = "shape"): RigidShape {
  validateShape(shape, object);
  const parts = solidsOf(shape, IDENTITY, object, make);
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

const make: SolidMaker<ShapePart> = {
  sphere: (radius, position) => convexPart(sphereConvex(radius), position, NO_TURN),
  box: ([x, y, z], position, rotation) => convexPart(boxConvex(x, y, z), position, rotation),
  capsule: (half, radius, position, rotation) =>
    convexPart(half > 0 ? capsuleConvex(half, radius) : sphereConvex(radius), position, rotation),
  cylinder: (half, radius, position, rotation) => convexPart(cylinderConvex(half, radius), position, rotation),
  hull: (points, middle, _, object, maxVertices) => convexPart(hullOf(points, object, maxVertices), middle, NO_TURN),
  mesh: (shape, map, object) => surfacePart(meshSurface(shape, map, object)),
  heightfield: (shape, map, object) => surfacePart(heightfieldSurface(shape, map, object)),
};

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
