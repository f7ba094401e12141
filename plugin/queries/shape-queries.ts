import type { IPhysicsPointProximityQuery } from "@babylonjs/core/Physics/physicsPointProximityQuery";
import type { IPhysicsShapeCastQuery } from "@babylonjs/core/Physics/physicsShapeCastQuery";
import type { IPhysicsShapeProximityCastQuery } from "@babylonjs/core/Physics/physicsShapeProximityCastQuery";
import type { ProximityCastResult } from "@babylonjs/core/Physics/proximityCastResult";
import type { ShapeCastResult } from "@babylonjs/core/Physics/shapeCastResult";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { unsupported } from "../../src/errors";
import { requireAtLeast, requireFiniteVector, requireRotation, toQuat, toVec3 } from "../geometry/convert";
import { masksOf } from "../shape/leaves";
import { dataOf } from "../shape/shape-data";
import type { BodySpace } from "./body-space";
import { compiledShape } from "./compiled-shape";
import { writeHit, writeInput } from "./results";

const reversed = (v: ArrayLike<number>): number[] => [-v[0], -v[1], -v[2]];

function filterOf(
  space: BodySpace,
  { shouldHitTriggers, ignoreBody }: Pick<IPhysicsShapeCastQuery, "shouldHitTriggers" | "ignoreBody">,
  { membership, collideWith }: { readonly membership?: number; readonly collideWith?: number },
): ReturnType<BodySpace["filter"]> {
  return space.filter({ membership, collideWith, shouldHitTriggers, ignoreBody });
}

/**
 * The shape, rotation and filter of a query; undefined for a shape without parts. Results are made empty.
 *
 * @throws PliantError `unsupported` for meshes and heightfields: surfaces have no inside that could touch anything; `disposed`,
 * `invalid-argument`
 */
function begin(
  object: string,
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: IPhysicsShapeCastQuery | IPhysicsShapeProximityCastQuery,
  results: readonly (ShapeCastResult | ProximityCastResult)[],
) {
  const data = dataOf(query.shape);
  const compiled = compiledShape(data)?.shape;
  if (compiled?.parts.some((part) => part.surface))
    throw unsupported(`${object}.shape`, "a mesh or heightfield", "must be made of convex shapes");
  for (const result of results) result.reset();
  if (!compiled) return undefined;
  space.refresh(bodies);
  const filter = filterOf(space, query, masksOf(data));
  return { compiled, filter, rotation: toQuat(query.rotation.normalizeToNew()) };
}

/**
 * Moves a shape along a straight way, without turning, to its first touch. Both results contain the free fraction of
 * the way, 0 if the shape touches something at the start, and the point of contact: that of the input shape in its own
 * space, as in Babylon, and that of the body in the world. Each normal points out of its shape.
 *
 * @throws PliantError `non-finite` or `invalid-argument` for an invalid place, `unsupported` for a shape that is not
 * convex
 */
export function shapeCast(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: IPhysicsShapeCastQuery,
  inputShapeResult: ShapeCastResult,
  hitShapeResult: ShapeCastResult,
): void {
  requireFiniteVector("shapeCast startPosition", query.startPosition);
  requireFiniteVector("shapeCast endPosition", query.endPosition);
  requireRotation("shapeCast rotation", query.rotation);
  const asked = begin("shapeCast", space, bodies, query, [inputShapeResult, hitShapeResult]);
  if (!asked) return;
  const { compiled, rotation, filter } = asked;
  const [from, to] = [toVec3(query.startPosition), toVec3(query.endPosition)];
  const found = space.space.shapeCast(compiled, rotation, from, to, filter);
  if (!found) return;
  const { hit, id } = found;
  writeHit(hitShapeResult, space, id, hit.partB, hit.point, hit.normal, hit.triangleB);
  const place = Vector3.Lerp(query.startPosition, query.endPosition, hit.fraction);
  writeInput(inputShapeResult, query, place, hit.point, reversed(hit.normal));
  inputShapeResult.setHitFraction(hit.fraction);
  hitShapeResult.setHitFraction(hit.fraction);
}

/**
 * Finds the body closest to a shape. Both results contain the distance, negative for an overlap; each point is on its
 * shape, and each normal points out of it: for the input shape in its own space, for the body in the world.
 *
 * @throws PliantError as `shapeCast`, and for a negative `maxDistance`
 */
export function shapeProximity(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: IPhysicsShapeProximityCastQuery,
  inputShapeResult: ProximityCastResult,
  hitShapeResult: ProximityCastResult,
): void {
  requireFiniteVector("shapeProximity position", query.position);
  requireRotation("shapeProximity rotation", query.rotation);
  requireAtLeast("shapeProximity maxDistance", query.maxDistance, 0);
  const asked = begin("shapeProximity", space, bodies, query, [inputShapeResult, hitShapeResult]);
  if (!asked) return;
  const { compiled, rotation, filter } = asked;
  const found = space.space.shapeProximity(compiled, toVec3(query.position), rotation, query.maxDistance, filter);
  if (!found) return;
  const { id, proximity } = found;
  writeInput(inputShapeResult, query, query.position, proximity.pointA, proximity.normal);
  writeHit(
    hitShapeResult,
    space,
    id,
    proximity.partB,
    proximity.pointB,
    reversed(proximity.normal),
    proximity.triangleB,
  );
  inputShapeResult.setHitDistance(proximity.distance);
  hitShapeResult.setHitDistance(proximity.distance);
}

/**
 * Finds the body closest to a point: its distance, negative if the point is inside, the point on the shape, and the
 * normal that points out of the shape.
 *
 * @throws PliantError for a point that is not finite or a negative `maxDistance`
 */
export function pointProximity(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: IPhysicsPointProximityQuery,
  result: ProximityCastResult,
): void {
  requireFiniteVector("pointProximity position", query.position);
  requireAtLeast("pointProximity maxDistance", query.maxDistance, 0);
  result.reset();
  space.refresh(bodies);
  // Babylon's type requires the filter, but queries that were written for its other plugin leave it out.
  const masks = (query.collisionFilter as IPhysicsPointProximityQuery["collisionFilter"] | undefined) ?? {};
  const filter = filterOf(space, query, masks);
  const found = space.space.pointProximity(toVec3(query.position), query.maxDistance, filter);
  if (!found) return;
  const { id, proximity } = found;
  writeHit(result, space, id, proximity.partB, proximity.pointB, reversed(proximity.normal), proximity.triangleB);
  result.setHitDistance(proximity.distance);
}
