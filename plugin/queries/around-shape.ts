import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { toQuat, toVec3 } from "../geometry/convert";
import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import type { ShapeData } from "../shape/shape-data";
import type { BodySpace } from "./body-space";
import { compiledShape } from "./compiled-shape";

/** A body near a shape, and the place of the contact. */
export interface Neighbour {
  readonly body: PhysicsBody;
  /** index of the thin instance */
  readonly index: number | undefined;
  /** nearest point on the body */
  readonly point: Vector3;
  /** unit normal, from the body to the shape */
  readonly normal: Vector3;
  /** m, negative for an overlap */
  readonly distance: number;
}

/** The first touch of a shape on its way. */
export interface FirstHit extends Omit<Neighbour, "distance"> {
  /** free part of the way */
  readonly fraction: number;
}

/** A shape at a place, and the bodies that the query considers. */
export interface ShapeQuery {
  readonly data: ShapeData;
  readonly position: Vector3;
  readonly rotation: Quaternion;
  readonly membership: number;
  readonly collideWith: number;
  /** whether to ignore a body; default: none is ignored */
  readonly ignores: (body: PhysicsBody, index: number | undefined) => boolean;
}

/** All contacts of a shape with bodies within a distance [m]; triggers do not count. */
export function neighbours(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: ShapeQuery,
  distance: number,
): Neighbour[] {
  const shape = compiledShape(query.data)?.shape;
  if (!shape) return [];
  space.refresh(bodies);
  const found: Neighbour[] = [];
  const filter = filterOf(space, query);
  space.space.contacts(shape, toVec3(query.position), toQuat(query.rotation), distance, filter, (id, contacts, c) => {
    found.push({
      ...space.bodyOf(id),
      point: Vector3.FromArray(contacts.pointB, 3 * c),
      normal: Vector3.FromArray(contacts.normal, 3 * c).scaleInPlace(-1),
      distance: contacts.separation[c],
    });
  });
  return found;
}

/** Moves a shape along a straight way to its first touch; triggers do not count. */
export function firstHit(
  space: BodySpace,
  bodies: Iterable<PhysicsBody>,
  query: ShapeQuery,
  way: Vector3,
): FirstHit | undefined {
  const shape = compiledShape(query.data)?.shape;
  if (!shape) return undefined;
  space.refresh(bodies);
  const { position, rotation } = query;
  const to = toVec3(position.add(way));
  const found = space.space.shapeCast(shape, toQuat(rotation), toVec3(position), to, filterOf(space, query));
  if (!found) return undefined;
  const { hit, id } = found;
  return {
    ...space.bodyOf(id),
    point: Vector3.FromArray([...hit.point]),
    normal: Vector3.FromArray([...hit.normal]),
    fraction: hit.fraction,
  };
}

function filterOf(
  space: BodySpace,
  { membership, collideWith, ignores }: ShapeQuery,
): { accepts: (id: number, part: number) => boolean } {
  const { accepts } = space.filter({ membership, collideWith });
  return {
    accepts: (id, part) => {
      const { body, index } = space.bodyOf(id);
      return !ignores(body, index) && accepts(id, part);
    },
  };
}
