import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { CharacterSurfaceInfo, PhysicsCharacterController } from "@babylonjs/core/Physics/v2/characterController";

/** Frame time of a character [s]. */
export const dt = 1 / 60;
export const down = new Vector3(0, -1, 0);
export const gravity = new Vector3(0, -10, 0);
/** `CharacterSupportedState.SUPPORTED` */
export const SUPPORTED = 2;

/** Methods of a controller, Babylon's or Pliant's. */
export type Controller = Pick<PhysicsCharacterController, keyof PhysicsCharacterController>;

/** Does the work of Babylon's examples before a frame: the character walks on ground and falls without it. */
export function stepCharacter(controller: Controller, speed: Vector3): CharacterSurfaceInfo {
  const forward = speed.length() > 0 ? speed.normalizeToNew() : Vector3.Right();
  const support = controller.checkSupport(dt, down);
  const velocity = controller.getVelocity().clone();
  if ((support.supportedState as number) === SUPPORTED)
    controller.setVelocity(
      controller.calculateMovement(
        dt,
        forward,
        support.averageSurfaceNormal,
        velocity,
        support.averageSurfaceVelocity,
        speed,
        controller.up,
      ),
    );
  else controller.setVelocity(velocity.add(gravity.scale(dt)));
  controller.integrate(dt, support, gravity);
  return support;
}
