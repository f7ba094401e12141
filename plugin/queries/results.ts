import { type Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { CastingResult } from "@babylonjs/core/Physics/castingResult";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { rotated } from "../geometry/convert";
import type { BodySpace } from "./body-space";

type Triple = ArrayLike<number>;

/** Writes the body and the place of a hit into a result. The triangle is −1 except for meshes and heightfields. */
export function writeHit(
  result: CastingResult,
  space: BodySpace,
  id: number,
  part: number,
  point: Triple,
  normal: Triple,
  triangle: number,
): void {
  const { body, index } = space.bodyOf(id);
  setPlace(result, point, normal, triangle);
  result.body = body;
  result.bodyIndex = index ?? 0;
  result.shape = space.shapeOf(id, part);
}

/** Writes the side of the query's own shape, in the shape's space: it belongs to no body. */
export function writeInput(
  result: CastingResult,
  { shape, rotation }: { shape: PhysicsShape; rotation: Quaternion },
  position: Vector3,
  point: Triple,
  normal: Triple,
): void {
  const back = rotation.normalizeToNew().conjugateInPlace();
  const inShape = rotated(new Vector3(point[0], point[1], point[2]).subtractInPlace(position), back);
  setPlace(result, inShape.asArray(), rotated(new Vector3(normal[0], normal[1], normal[2]), back).asArray(), -1);
  result.body = undefined;
  result.bodyIndex = undefined;
  result.shape = shape;
}

function setPlace(result: CastingResult, point: Triple, normal: Triple, triangle: number): void {
  result.setHitData({ x: normal[0], y: normal[1], z: normal[2] }, { x: point[0], y: point[1], z: point[2] }, triangle);
}
