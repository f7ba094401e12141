import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { FirstHit, Neighbour } from "../queries/around-shape";
import { type CharacterSettings, isWalkable } from "./settings";
import { isTooHigh, type Surface } from "./surfaces";

/** The queries of the world that a step uses. */
export interface StepSurroundings {
  cast(from: Vector3, way: Vector3): FirstHit | undefined;
  contacts(at: Vector3): readonly Neighbour[];
}

/** shorter ways count as zero, m */
const SHORT = 1e-4;

/**
 * Climbs a step in the way of the character: up as far as there is room, forward, and down onto ground to stand on.
 * Only steps that stand still or that the scene moves are climbed, not dynamic bodies.
 *
 * @param wanted velocity before the step was met [m/s]
 * @param left the part of it that surfaces allow [m/s]
 * @param time rest of the frame [s]
 * @returns the new position of the character, and the time that it took; undefined if there is no step
 */
export function stepUp(
  settings: CharacterSettings,
  around: StepSurroundings,
  surfaces: readonly Surface[],
  position: Vector3,
  wanted: Vector3,
  left: Vector3,
  time: number,
): { position: Vector3; time: number } | undefined {
  const { up, maxStepHeight, keepDistance } = settings;
  const level = wanted.subtract(up.scale(wanted.dot(up)));
  const length = level.length() * time;
  if (maxStepHeight <= 0 || length <= SHORT) return undefined;
  const ahead = level.normalizeToNew();
  if (!isBlocked(settings, surfaces, ahead, left)) return undefined;
  const rise = reach(around, position, up, maxStepHeight, keepDistance);
  if (rise === undefined || rise <= SHORT) return undefined;
  const raised = position.add(up.scale(rise));
  // A slow character stands before the step at its distance, and has to move far enough to come down on the step.
  for (const least of [0, 2, 4]) {
    const way = reach(around, raised, ahead, Math.max(length, least * keepDistance), keepDistance);
    if (way === undefined || way <= SHORT) return undefined;
    const landing = comeDown(settings, around, position, raised.add(ahead.scale(way)), rise);
    // a thin wall with the same floor behind it is not a step
    if (landing && landing.subtract(position).dot(up) >= SHORT)
      return { position: landing, time: Math.min(time, (time * way) / length) };
  }
  return undefined;
}

/** The position of the character when it comes down from the height of its step; undefined if it cannot stand there. */
function comeDown(
  settings: CharacterSettings,
  around: StepSurroundings,
  before: Vector3,
  from: Vector3,
  rise: number,
): Vector3 | undefined {
  const { up, keepDistance } = settings;
  const fall = rise + 2 * keepDistance;
  const ground = around.cast(from, up.scale(-fall));
  if (!ground || isDynamic(ground) || !isWalkable(settings, ground.normal)) return undefined;
  // the round foot comes to rest on edges higher than the rise of the step
  if (isTooHigh(settings, ground.point, before)) return undefined;
  const landing = from.subtract(up.scale(ground.fraction * fall - keepDistance));
  const isStuck = around
    .contacts(landing)
    .some(({ normal, distance }) => !isWalkable(settings, normal) && distance < -keepDistance);
  return isStuck ? undefined : landing;
}

/** Whether a surface that the character cannot walk on reduces its speed ahead. */
function isBlocked(settings: CharacterSettings, surfaces: readonly Surface[], ahead: Vector3, left: Vector3): boolean {
  return surfaces.some(
    ({ normal, bound, isWall, contact }) =>
      (isWall || !isWalkable(settings, normal)) &&
      normal.dot(ahead) < -0.1 &&
      normal.dot(left) < bound + 1e-4 &&
      !isDynamic(contact),
  );
}

/** Longest way of the character in a direction up to a body that stands still; undefined for a dynamic body. */
function reach(
  around: StepSurroundings,
  from: Vector3,
  direction: Vector3,
  length: number,
  keepDistance: number,
): number | undefined {
  const hit = around.cast(from, direction.scale(length));
  if (!hit) return length;
  return isDynamic(hit) ? undefined : Math.max(0, hit.fraction * length - keepDistance);
}

function isDynamic({ body, index }: Pick<Neighbour, "body" | "index">): boolean {
  return body.getMotionType(index) === PhysicsMotionType.DYNAMIC;
}
