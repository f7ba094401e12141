import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsRaycastResult, type IRaycastQuery } from "@babylonjs/core/Physics/physicsRaycastResult";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { requireFiniteVector, toVec3 } from "../geometry/convert";
import type { BodySpace } from "./body-space";
import { writeHit } from "./results";

/**
 * Casts a ray against the shapes of rigid bodies, not against cloth. Results come nearest first: as many as the array has
 * places, or all for an empty array, `mostHits` at most. Each part of a container may be hit once.
 *
 * @throws PliantError if an end of the ray is not finite
 */
export function raycast(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  from: Vector3,
  to: Vector3,
  result: PhysicsRaycastResult | PhysicsRaycastResult[],
  mostHits: number,
  query: IRaycastQuery = {},
): void {
  requireFiniteVector("raycast from", from);
  requireFiniteVector("raycast to", to);
  const results = Array.isArray(result) ? result : [result];
  for (const single of results) single.reset(from, to);
  const along = to.subtract(from);
  const length = along.length();
  if (length === 0) return;
  const direction = toVec3(along.scaleInPlace(1 / length));
  space.refresh(bodies);
  const filter = space.filter(query);
  const origin = toVec3(from);
  const isSingle = results.length === 1;
  const nearest = isSingle ? space.space.raycast(origin, direction, length, filter) : undefined;
  const all = isSingle ? (nearest ? [nearest] : []) : space.space.raycastAll(origin, direction, length, filter);
  const hits = all.slice(0, mostHits);
  if (results.length === 0) results.push(...hits.map(() => emptyResult(from, to)));
  hits.slice(0, results.length).forEach((hit, i) => {
    writeHit(results[i], space, hit.id, hit.part, hit.point, hit.normal, hit.triangle);
    results[i].setHitDistance(hit.distance);
  });
}

function emptyResult(from: Vector3, to: Vector3): PhysicsRaycastResult {
  const result = new PhysicsRaycastResult();
  result.reset(from, to);
  return result;
}
