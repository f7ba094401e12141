import type { Vec3 } from "../../math/types";

/**
 * A motor or a servo. Its force on each coordinate is the force times the coefficient of its joint:
 *
 *   f = clamp(gain · u + bias₀ + bias₁ ℓ + bias₂ ℓ̇),   ℓ = Σ coefficient · q + Σ weight · length of a branch
 *
 * A position servo has gain k, bias (0, −k, −d); a velocity servo gain d, bias (0, 0, −d); a motor gain 1, bias 0.
 */
export interface ActuatorDescription {
  readonly name: string;
  /** Joints of one coordinate that it drives. */
  readonly joints: readonly ActuatedJoint[];
  /** A tendon through space that it pulls (or pushes). Default none. */
  readonly path?: readonly TendonBranch[];
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

/** A part of a tendon, straight from point to point. */
export interface TendonBranch {
  /** factor of its length: a gear, or a half behind a pulley */
  readonly weight: number;
  /** two or more */
  readonly points: readonly TendonPoint[];
}

/** A point of a tendon. */
export interface TendonPoint {
  /** Name of its link. Default the world. */
  readonly link?: string;
  /** Place in the axes of the link [m]. Default its origin. */
  readonly position?: Vec3;
}
