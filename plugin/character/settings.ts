import type { Vector3 } from "@babylonjs/core/Maths/math.vector";

/** What of a character its parts need to know; see `CharacterController`. */
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

/** A surface this much off the vertical (sine) is no wall. */
export const UPRIGHT = 0.01;

/** Whether one can stand on a surface with this normal. */
export function isWalkable(settings: CharacterSettings, normal: Vector3): boolean {
  return normal.dot(settings.up) >= Math.max(settings.maxSlopeCosine, 0.1);
}
