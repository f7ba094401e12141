import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsRaycastResult, type IRaycastQuery } from "@babylonjs/core/Physics/physicsRaycastResult";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { compose, IDENTITY } from "../src/collision/affine";
import { requireFiniteVector, toQuat, toVec3 } from "./convert";
import { statesOf } from "./rigid/bodies";
import { castRay, type Ray, type RayHit } from "./shape/ray";
import { wholeGeometry, type ShapeData } from "./shape/shape-data";

/** A body that a ray meets. */
interface BodyHit extends RayHit {
  readonly body: PhysicsBody;
  readonly index: number | undefined;
}

/**
 * Casts a ray against the shapes of rigid bodies, not against cloth. Results come nearest first: as many as the array has
 * places, or all for an empty array.
 *
 * @throws PliantError when an end of the ray is not finite
 */
export function raycast(
  bodies: Iterable<PhysicsBody>,
  from: Vector3,
  to: Vector3,
  result: PhysicsRaycastResult | PhysicsRaycastResult[],
  query: IRaycastQuery = {},
): void {
  requireFiniteVector("raycast from", from);
  requireFiniteVector("raycast to", to);
  const results = Array.isArray(result) ? result : [result];
  for (const single of results) single.reset(from, to);
  const along = to.subtract(from);
  const length = along.length();
  if (length === 0) return;
  const ray: Ray = { origin: toVec3(from), direction: toVec3(along.scale(1 / length)), length };
  const hits: BodyHit[] = [];
  for (const body of bodies) if (body !== query.ignoreBody) hits.push(...hitsOf(body, ray, query));
  hits.sort((a, b) => a.distance - b.distance);
  if (results.length === 0) results.push(...hits.map(() => emptyResult(from, to)));
  hits.slice(0, results.length).forEach((hit, i) => {
    const { distance, normal, triangle, body, index } = hit;
    const point = from.add(along.scale(distance / length));
    const out = results[i];
    out.setHitData({ x: normal[0], y: normal[1], z: normal[2] }, point, triangle);
    out.setHitDistance(distance);
    out.body = body;
    out.bodyIndex = index;
    out.shape = body.shape ?? undefined;
  });
}

function emptyResult(from: Vector3, to: Vector3): PhysicsRaycastResult {
  const result = new PhysicsRaycastResult();
  result.reset(from, to);
  return result;
}

function hitsOf(body: PhysicsBody, ray: Ray, query: IRaycastQuery): BodyHit[] {
  const data = body.shape?._pluginData as ShapeData | undefined;
  const { membership = ~0, collideWith = ~0 } = query;
  if (!data || !(membership & data.collideMask) || !(collideWith & data.membershipMask)) return [];
  const geometry = wholeGeometry(data);
  if (!geometry) return [];
  return statesOf(body).flatMap((state) => {
    const map = compose(IDENTITY, toVec3(state.position), toQuat(state.rotation), state.scale);
    const hit = castRay(ray, geometry, map);
    return hit ? [{ ...hit, body, index: state.index }] : [];
  });
}
