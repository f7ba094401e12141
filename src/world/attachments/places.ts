import { conjugate, turn } from "../../math/quaternions";
import type { Vec3 } from "../../math/types";
import { lengthAt, subtract } from "../../math/vectors";
import { closingPace } from "../../solvers/gpbd/ties/ties";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";

/** The last known positions of a body, particleCount × 3 [m]. */
export function knownPlaces(body: DeformableBody): ArrayLike<number> {
  const { state } = body.stepper as { readonly state?: { readonly positions: ArrayLike<number> } };
  return state?.positions ?? body.latestPositions ?? body.model.positions;
}

export function placesOf(x: ArrayLike<number>, vertices: readonly number[]): Vec3[] {
  return vertices.map((v): Vec3 => [x[3 * v]!, x[3 * v + 1]!, x[3 * v + 2]!]);
}

/** The places of vertices, also of those that are held while a GPU has the others. */
export function placesNow(body: DeformableBody, vertices: ArrayLike<number>): Vec3[] {
  const list = Array.from(vertices);
  if ("state" in body.stepper) return placesOf(knownPlaces(body), list);
  return list.map((v) => (body.isPinned(v) ? body.pinTarget(v) : placesOf(knownPlaces(body), [v])[0]));
}

/** The last known velocities of a body, particleCount × 3 [m/s]; undefined while a GPU has them. */
export function knownVelocities(body: DeformableBody): ArrayLike<number> | undefined {
  return (body.stepper as { readonly state?: { readonly velocities: ArrayLike<number> } }).state?.velocities;
}

export const plus = (a: Vec3, b: ArrayLike<number>): Vec3 => [a[0] + b[0]!, a[1] + b[1]!, a[2] + b[2]!];

/** A place in the axes of a rigid body. */
export function pointOn({ position, rotation }: RigidBody, place: Vec3): Vec3 {
  return turn(conjugate(rotation), subtract(place, position));
}

/** The way from a point of a rigid body to a place. */
export function wayTo({ position, rotation }: RigidBody, point: Vec3, place: Vec3): Vec3 {
  return subtract(subtract(place, position), turn(rotation, point));
}

/** The way from each vertex of a target to that which is attached to it. */
export function waysBetween(
  { body, vertices }: { readonly body: DeformableBody; readonly vertices: ArrayLike<number> },
  target: { readonly body: DeformableBody; readonly vertices: ArrayLike<number> },
): Vec3[] {
  const ends = placesNow(target.body, target.vertices);
  return placesNow(body, vertices).map((place, k) => subtract(place, ends[k]));
}

/** Shortens the way that attached places may still be apart, in a step of dt [s]. */
export function closeIn(away: Float64Array, { gravity }: { readonly gravity: Vec3 }, dt: number): void {
  const [root, pace] = [Math.sqrt(lengthAt(away, 0)), closingPace(gravity, dt)];
  const left = root > pace ? 1 - pace / root : 0;
  for (let c = 0; c < 3; c++) away[c] *= left;
}
