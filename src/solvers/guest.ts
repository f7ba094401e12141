/**
 * Bodies of solvers that take one implicit step a frame, as bodies of other solvers meet them: they make their step first, by themselves, and
 * then yield to what they meet by the linear answer of that step.
 *
 * j   impulses at the particles [N s];  A  the matrix of the step, M + h² K and what else it has;  A⁻¹ j  the answer [m/s]
 */
import type { Vec3 } from "../math/types";
import type { DeformableModel } from "./deformable";

/** A contact with something that does not move, in the step that was made: normal and two directions of friction. */
export interface HeldContact {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
  /** unit: normal, then two across it */
  readonly directions: readonly [Vec3, Vec3, Vec3];
  /** of the step, along them [N s] */
  readonly impulse: Vec3;
  readonly friction: number;
  /** speed of the particles there along them, less that of what they touch [m/s] */
  readonly slip: Vec3;
}

export interface Guest {
  /** faces of quadratic elements are those between all of their particles */
  readonly model: DeformableModel;
  /** where nothing is stressed, particleCount × 3 [m] */
  readonly restPositions: Float64Array;
  /** edges that belong to no face, two particles each */
  readonly edges: Uint32Array | undefined;
  /** where the frame began, particleCount × 3 [m] */
  readonly start: Float64Array;
  /** as its solver left it, and others after that */
  readonly state: { readonly positions: Float64Array; readonly velocities: Float64Array };
  /** impulses of others over the frame that its solver made its step with, as a force, particleCount × 3 [N] */
  readonly push: Float64Array;
  /** how near others of its kind may come [m] */
  readonly distance: number;
  readonly friction: number;
  readonly bodyCollision: boolean;
  /** whether it made a step in this frame: one that turned non-finite stands, and so does one that waits for its factor */
  readonly isStepped: boolean;
  /** counts what was put somewhere from outside */
  readonly revision: number;
  isFixed(particle: number): boolean;
  /** out = A⁻¹ j, particleCount × 3 each; zero at what is fixed. */
  answer(j: Float64Array, out: Float64Array): void;
  /** Contacts of its last step that carry something. */
  heldContacts(): readonly HeldContact[];
}

/** Methods of a solver on the CPU that takes one implicit step a frame. */
export interface GuestSolver {
  /** as bodies of other solvers meet its body, after its step */
  readonly guest?: Guest | undefined;
}
