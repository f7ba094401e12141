import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { invalid } from "../../src/errors";
import { requireKind } from "../plugin-of";
import { requireFiniteVector, requirePositive } from "../geometry/convert";

/** Whether to select a vertex, given its place in the world [m] and its index; for a rope, a point. */
export type VertexPredicate = (place: Vector3, vertex: number) => boolean;

/** Vertices of a mesh: their indices, or a predicate that is true for them; for a rope, its points. */
export type VertexChoice = ArrayLike<number> | VertexPredicate;

/**
 * @param places world space, three numbers each [m]; read only for a predicate
 * @throws PliantError `invalid-argument` if a predicate is true for no vertex, and for anything but a predicate or a list
 */
export function chosen(object: string, choice: VertexChoice, places: () => ArrayLike<number>): ArrayLike<number> {
  if (typeof choice === "function") return placesWhere(object, places(), choice);
  if (typeof choice?.length !== "number") throw invalid(object, choice, "must be a list of indices, or a predicate");
  return choice;
}

/**
 * @param places world space, three numbers each [m]
 * @throws PliantError `invalid-argument` if the predicate is true for no vertex
 */
export function placesWhere(object: string, places: ArrayLike<number>, predicate: VertexPredicate): number[] {
  requireKind(object, predicate, "call", "a function of a place");
  const found: number[] = [];
  const count = places.length / 3;
  for (let i = 0; i < count; i++)
    if (predicate(new Vector3(places[3 * i], places[3 * i + 1], places[3 * i + 2]), i)) found.push(i);
  if (found.length === 0) throw invalid(object, "the predicate", `must be true for one of ${count} vertices`);
  return found;
}

/**
 * The vertices within a radius of a point.
 *
 * @throws PliantError `invalid-argument` if there is none, with the distance of the nearest one; for a point or radius
 * out of range
 */
export function placesNear(object: string, places: ArrayLike<number>, point: Vector3, radius: number): number[] {
  requireFiniteVector(`${object} point`, point);
  requirePositive(`${object} radius`, radius);
  const found: number[] = [];
  let nearest = Infinity;
  for (let i = 0; i < places.length / 3; i++) {
    const far = Math.hypot(places[3 * i] - point.x, places[3 * i + 1] - point.y, places[3 * i + 2] - point.z);
    nearest = Math.min(nearest, far);
    if (far <= radius) found.push(i);
  }
  if (found.length === 0)
    throw invalid(
      `${object} radius`,
      radius,
      `must be ${Number(nearest.toPrecision(3))} or more to reach the nearest vertex`,
    );
  return found;
}
