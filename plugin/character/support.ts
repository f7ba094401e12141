import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { CharacterSupportedState, CharacterSurfaceInfo } from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { closestVelocity } from "./planes";
import { type CharacterSettings, isWalkable } from "./settings";
import type { Surface } from "./surfaces";

/** The values of Babylon's `CharacterSupportedState`; importing its module would bring in the whole controller. */
export const Support = { unsupported: 0, sliding: 1, supported: 2 } as const satisfies Record<
  string,
  CharacterSupportedState
>;

/** Surfaces that face against the direction by this much (cosine) hold the character. */
const HOLDS = 0.08;

/**
 * Finds how surfaces hold the character against a direction, most often that of gravity, from the part of a move in
 * that direction that they allow. If they allow nothing, or a way down a walkable slope, the character is supported; on
 * a steeper way it slides.
 *
 * @param surfaces near the character
 * @param direction unit vector
 */
export function supportOf(
  settings: CharacterSettings,
  surfaces: readonly Surface[],
  direction: Vector3,
  info: CharacterSurfaceInfo,
): void {
  info.isSurfaceDynamic = false;
  info.averageSurfaceNormal.setAll(0);
  info.averageSurfaceVelocity.setAll(0);
  info.averageAngularSurfaceVelocity.setAll(0);
  // as if nothing moved and all near surfaces were touched
  const left = closestVelocity(
    surfaces.map(({ normal }) => ({ normal, bound: 0 })),
    direction,
  );
  info.supportedState = stateOfRest(settings, left, direction);
  if (info.supportedState === (Support.unsupported as CharacterSupportedState)) return;
  const holding = holdingOf(settings, surfaces, direction);
  if (holding.length === 0) return;
  for (const { normal, velocity, contact } of holding) {
    info.averageSurfaceNormal.addInPlace(normal);
    info.averageSurfaceVelocity.addInPlace(velocity);
    if (contact.body.getMotionType(contact.index) !== PhysicsMotionType.STATIC)
      info.averageAngularSurfaceVelocity.addInPlace(contact.body.getAngularVelocity(contact.index));
  }
  info.averageSurfaceNormal.normalize();
  info.averageSurfaceVelocity.scaleInPlace(1 / holding.length);
  info.averageAngularSurfaceVelocity.scaleInPlace(1 / holding.length);
  info.isSurfaceDynamic =
    info.supportedState === (Support.supported as CharacterSupportedState) &&
    holding.some(({ contact }) => contact.body.getMotionType(contact.index) === PhysicsMotionType.DYNAMIC);
}

/**
 * The surfaces that hold the character. If it can stand on one of them, a steep slope beside it does not count: a
 * character that walks along the mean of both would rise.
 */
function holdingOf(settings: CharacterSettings, surfaces: readonly Surface[], direction: Vector3): readonly Surface[] {
  const holding = surfaces.filter(({ isWall, normal }) => !isWall && normal.dot(direction) < -HOLDS);
  const ground = holding.filter(({ normal }) => isWalkable(settings, normal));
  return ground.length > 0 ? ground : holding;
}

/** Speed at which a standing character comes down to its distance from the nearest ground [m/s]. */
export function descentSpeed(settings: CharacterSettings, surfaces: readonly Surface[], time: number): number {
  let gap = Infinity;
  for (const { isWall, normal, contact } of surfaces)
    if (!isWall && isWalkable(settings, normal)) gap = Math.min(gap, contact.distance - settings.keepDistance);
  return gap > 0 && gap < Infinity ? Math.min(gap / time, settings.penetrationRecoverySpeed) : 0;
}

function stateOfRest({ maxSlopeCosine }: CharacterSettings, left: Vector3, direction: Vector3): number {
  if (left.equalsWithEpsilon(direction, 1e-4)) return Support.unsupported;
  const speed = left.length();
  if (speed < 1e-2) return Support.supported;
  // sine of the angle of the remaining way
  const sine = left.dot(direction) / speed;
  return 1 - sine * sine < maxSlopeCosine * maxSlopeCosine ? Support.sliding : Support.supported;
}
