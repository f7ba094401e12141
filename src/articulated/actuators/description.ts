/**
 * A motor or a servo. Its force on each coordinate is the force times the coefficient of its joint:
 *
 *   f = clamp(gain · u + bias₀ + bias₁ ℓ + bias₂ ℓ̇),   ℓ = Σ coefficient · q
 *
 * A position servo has gain k, bias (0, −k, −d); a velocity servo gain d, bias (0, 0, −d); a motor gain 1, bias 0.
 */
export interface ActuatorDescription {
  readonly name: string;
  /** Joints of one coordinate that it drives. */
  readonly joints: readonly ActuatedJoint[];
  readonly gain: number;
  /** Force at ℓ = 0 and u = 0, and its change with ℓ and with dℓ/dt. */
  readonly bias: readonly [number, number, number];
  /** Bounds of u. Default none. */
  readonly controlRange?: readonly [number, number];
  /** Bounds of f. Default none. */
  readonly forceRange?: readonly [number, number];
}

export interface ActuatedJoint {
  readonly joint: string;
  /** ratio of the gear */
  readonly coefficient: number;
}
