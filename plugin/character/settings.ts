import type { Vector3 } from "@babylonjs/core/Maths/math.vector";

/** The settings of a character that its parts use; see `CharacterController`. */
export interface CharacterSettings {
  readonly keepDistance: number;
  readonly keepContactTolerance: number;
  readonly maxCastIterations: number;
  readonly penetrationRecoverySpeed: number;
  readonly staticFriction: number;
  readonly dynamicFriction: number;
  readonly maxSlopeCosine: number;
  readonly maxStepHeight: number;
  readonly footOffset: number;
  readonly maxCharacterSpeedForSolver: number;
  readonly up: Vector3;
  readonly characterStrength: number;
  readonly acceleration: number;
  readonly maxAcceleration: number;
  readonly characterMass: number;
}

/** Sine of the least angle between a surface and the vertical; steeper surfaces are walls. */
export const UPRIGHT = 0.01;

/** Whether a character can stand on a surface with this normal. */
export function isWalkable(settings: CharacterSettings, normal: Vector3): boolean {
  return normal.dot(settings.up) >= Math.max(settings.maxSlopeCosine, 0.1);
}
