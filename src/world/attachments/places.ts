import { conjugate, turn } from "../../math/quaternions";
import type { Vec3 } from "../../math/types";
import { subtract } from "../../math/vectors";
import { CLOSING_SPEED } from "../../solvers/gpbd/ties/ties";
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

/** Shortens the way that attached places may still be apart, in a step of dt [s]. */
export function closeIn(away: Float64Array, dt: number): void {
  const length = Math.hypot(away[0], away[1], away[2]);
  const left = length > CLOSING_SPEED * dt ? 1 - (CLOSING_SPEED * dt) / length : 0;
  for (let c = 0; c < 3; c++) away[c] *= left;
}
