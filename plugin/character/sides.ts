import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Neighbour } from "../queries/around-shape";

/** Cosine of the largest angle between the normals of one side of a body. */
const SAME_NORMAL = 0.99;
/** Sine of that angle: the line between two contacts of one side may leave the side by so much. */
const SAME_PLANE = Math.sqrt(1 - SAME_NORMAL ** 2);

/**
 * The sides of bodies with contacts: contacts of one body with the same normal in one plane make one contact, in their
 * middle, at the distance of the nearest one. Rounding may decide which corner of a side is the nearest. A push at that
 * corner would tip a crate over, or lift it, unlike pressure on the whole side.
 */
export function sidesOf(contacts: readonly Neighbour[]): Neighbour[] {
  const sides: { first: Neighbour; points: Vector3[]; distance: number }[] = [];
  for (const contact of contacts) {
    const side = sides.find(({ first }) => areOneSide(first, contact));
    if (!side) sides.push({ first: contact, points: [contact.point], distance: contact.distance });
    else {
      side.points.push(contact.point);
      side.distance = Math.min(side.distance, contact.distance);
    }
  }
  return sides.map(({ first, points, distance }) => {
    const middle = points.reduce((sum, point) => sum.addInPlace(point), Vector3.Zero()).scaleInPlace(1 / points.length);
    return { ...first, point: middle, distance };
  });
}

function areOneSide(a: Neighbour, b: Neighbour): boolean {
  if (a.body !== b.body || a.index !== b.index || a.normal.dot(b.normal) <= SAME_NORMAL) return false;
  const between = b.point.subtract(a.point);
  return Math.abs(between.dot(a.normal)) <= SAME_PLANE * between.length();
}
