import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Observable } from "@babylonjs/core/Misc/observable";
import type { ICharacterControllerCollisionEvent } from "@babylonjs/core/Physics/v2/characterController";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { Neighbour } from "../queries/around-shape";
import { stateOf } from "../rigid/bodies";
import { inverseInertia } from "../rigid/motion";
import type { CharacterSettings } from "./settings";
import { sidesOf } from "./sides";
import { pointVelocity } from "./surfaces";

/** Part of the approach speed that a push removes; the rest keeps the character at the body that it pushes. */
const PUSH = 0.9;
/** Part of an overlap that a step removes. */
const PUSH_OUT = 0.4;

/**
 * Pushes the dynamic bodies that the character walks against, with no more than its strength, and weighs on those that
 * it stands on. In each call it notifies the observable once for each side of a body that the character touches.
 *
 * @param velocity wanted velocity of the character [m/s]
 * @param time length of the step [s]
 */
export function pushBodies(
  settings: CharacterSettings,
  contacts: readonly Neighbour[],
  velocity: Vector3,
  time: number,
  gravity: Vector3,
  observable: Observable<ICharacterControllerCollisionEvent>,
): void {
  for (const contact of sidesOf(contacts)) {
    const { body, index, normal, point, distance } = contact;
    if (body.isDisposed || body.getMotionType(index) !== PhysicsMotionType.DYNAMIC) continue;
    const approach = normal.dot(pointVelocity(contact, point).subtractInPlace(velocity));
    // the character does not reach the body in this step
    if (distance - settings.keepDistance > Math.max(0, approach) * time + 1e-3) continue;
    let speed = PUSH * approach;
    if (distance < 0) speed -= (PUSH_OUT * distance) / time;
    let strength = 0;
    if (speed > 0) strength = Math.min(speed / inverseMassAt(contact), settings.characterStrength * time);
    const weight = -normal.dot(gravity) * time;
    if (weight > 0) strength += settings.characterMass * weight;
    const impulse = normal.scale(-strength);
    observable.notifyObservers({ collider: body, colliderIndex: index ?? 0, impulse, impulsePosition: point });
    if (strength > 0) body.applyImpulse(impulse, point, index);
  }
}

/** Inverse mass of a body at a contact: nᵀ (M⁻¹ + [r]ᵀ I⁻¹ [r]) n [1/kg]. */
function inverseMassAt({ body, index, point, normal }: Neighbour): number {
  const state = stateOf(body, index);
  const { mass } = state.mass;
  if (!(mass > 0)) return Infinity;
  const [xx, yy, zz, xy, xz, yz] = inverseInertia(state);
  const t = point.subtract(state.centre()).cross(normal);
  const turned = new Vector3(
    xx * t.x + xy * t.y + xz * t.z,
    xy * t.x + yy * t.y + yz * t.z,
    xz * t.x + yz * t.y + zz * t.z,
  );
  return 1 / mass + t.dot(turned);
}
