import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Neighbour } from "../queries/around-shape";
import { stateOf } from "../rigid/bodies";
import { closestVelocity, type Plane } from "./planes";
import { type CharacterSettings, isWalkable, UPRIGHT } from "./settings";

/** A surface near the character as a plane that it may not pass. */
export interface Surface extends Plane {
  /** velocity of the surface near the character, m/s */
  readonly velocity: Vector3;
  readonly contact: Neighbour;
  /** whether the surface is the wall that stands for a slope that is too steep or a step that is too high */
  readonly isWall: boolean;
}

/** Velocity of the point of a body at a place [m/s]. */
export function pointVelocity({ body, index }: Pick<Neighbour, "body" | "index">, point: Vector3): Vector3 {
  const state = stateOf(body, index);
  if (state.motionType === PhysicsMotionType.STATIC) return Vector3.Zero();
  return state.angularVelocity.cross(point.subtract(state.centre())).addInPlace(state.linearVelocity);
}

/**
 * The surfaces of contacts. The character may approach each of them up to `keepDistance` within `time`, and is pushed
 * back if it is nearer. A slope that is too steep to walk on gets an upright wall beside it, so that the character does
 * not rise by walking into it; a step higher than `maxStepHeight` gets one as well.
 *
 * @param position of the character [m]
 * @param time [s]
 */
export function surfacesOf(
  settings: CharacterSettings,
  contacts: readonly Neighbour[],
  position: Vector3,
  time: number,
): Surface[] {
  const { up, keepDistance, penetrationRecoverySpeed, maxCharacterSpeedForSolver: fastest } = settings;
  const surfaces: Surface[] = [];
  for (const contact of contacts) {
    const velocity = pointVelocity(contact, contact.point);
    const speed = velocity.length();
    if (speed > fastest) velocity.scaleInPlace(fastest / speed);
    const add = (normal: Vector3, room: number, isWall: boolean): void => {
      const approach = room >= 0 ? -room / time : Math.min(penetrationRecoverySpeed, -room / time);
      surfaces.push({ normal, bound: normal.dot(velocity) + approach, velocity, contact, isWall });
    };
    const room = contact.distance - keepDistance;
    add(contact.normal, room, false);
    const upward = contact.normal.dot(up);
    if (upward <= UPRIGHT || upward >= 1 - 1e-3) continue;
    if (isWalkable(settings, contact.normal) && !isTooHigh(settings, contact.point, position)) continue;
    const level = contact.normal.subtract(up.scale(upward)).normalize();
    // in the horizontal direction the surface is further away
    add(level, room >= 0 ? room / contact.normal.dot(level) : room, true);
  }
  return surfaces;
}

/** Whether a point is higher above the foot than the highest step. */
export function isTooHigh(
  { maxStepHeight, footOffset, up }: CharacterSettings,
  point: Vector3,
  position: Vector3,
): boolean {
  return maxStepHeight > 0 && point.subtract(position).dot(up) + footOffset > maxStepHeight;
}

/**
 * The velocity that the surfaces leave of the wanted one. Static friction holds the character if the velocity into the
 * surface is large enough; with dynamic friction below 1 the character keeps part of the speed that the surface would
 * take.
 */
export function slide(settings: CharacterSettings, surfaces: readonly Surface[], wanted: Vector3): Vector3 {
  const velocity = closestVelocity(surfaces, wanted);
  const { staticFriction, dynamicFriction } = settings;
  if (staticFriction === 0 && dynamicFriction >= 1) return velocity;
  const touched = surfaces.filter(
    ({ normal, bound }) => normal.dot(wanted) < bound && normal.dot(velocity) < bound + 1e-6,
  );
  if (touched.length !== 1) return velocity;
  const [{ normal, velocity: ground, bound }] = touched;
  const relative = wanted.subtract(ground);
  const pressed = -relative.dot(normal);
  const along = relative.add(normal.scale(pressed));
  const left = along.length();
  if (pressed <= 0) return velocity;
  const away = normal.scale(bound - normal.dot(ground));
  if (staticFriction * pressed >= left) return ground.add(away);
  const kept = dynamicFriction + (1 - dynamicFriction) * (relative.length() / left);
  return along.scaleInPlace(kept).addInPlace(ground).addInPlace(away);
}

/**
 * Velocity after the move: surfaces that are reached take part of it, and the speed of the approach to them is not
 * included.
 */
export function velocityAtRest(surfaces: readonly Surface[], keepDistance: number, velocity: Vector3): Vector3 {
  const reached = surfaces
    .filter(({ contact }) => contact.distance < keepDistance * (1 + 1e-3))
    .map(({ normal, velocity: ground }) => ({ normal, bound: normal.dot(ground) }));
  return closestVelocity(reached, velocity);
}
