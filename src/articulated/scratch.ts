import type { ArticulatedModel } from "./model";

/**
 * All data computed from a model and a state q, q̇, allocated once. Spatial vectors (see spatial.ts) are in world axes
 * about the world's origin. Fields are valid after the function named above them, until the state changes.
 */
export class ArticulatedScratch {
  /** Acceleration of free fall [m/s²], three numbers; set by the user. Default (0, -9.81, 0). */
  readonly gravity = Float64Array.of(0, -9.81, 0);

  // updatePositions
  /** Rotation of each link, 9 a link, row-major: x_world = R x_link + p. */
  readonly linkRotation = new Float64Array(9 * this.model.linkCount);
  /** Origin of each link in the world [m], 3 a link. */
  readonly linkPosition = new Float64Array(3 * this.model.linkCount);
  /** Motion S by a unit velocity of each degree of freedom, 6 a degree of freedom. */
  readonly motion = new Float64Array(6 * this.model.nv);
  /** Frame in which a rotation vector acts, 9 and 3 a segment; only for such segments. */
  readonly segmentRotation = new Float64Array(9 * this.model.segmentKind.length);
  readonly segmentPosition = new Float64Array(3 * this.model.segmentKind.length);
  /** Coordinates of the last `updatePositions`. */
  readonly q = new Float64Array(this.model.nv);

  // updateVelocities
  /** Twist of each link, 6 a link. */
  readonly velocity = new Float64Array(6 * this.model.linkCount);
  /** dS/dt, 6 a degree of freedom. */
  readonly motionRate = new Float64Array(6 * this.model.nv);
  /** Velocities of the last `updateVelocities`. */
  readonly qd = new Float64Array(this.model.nv);

  // updateInertias
  /** Ten numbers a link (see spatial.ts). */
  readonly inertia = new Float64Array(10 * this.model.linkCount);
  /** Center of mass of each link in the world [m], 3 a link. */
  readonly massCentre = new Float64Array(3 * this.model.linkCount);
  // updateCompositeInertias
  /** Inertia of each link with all links behind it. */
  readonly composite = new Float64Array(10 * this.model.linkCount);

  // inverseDynamics and its derivatives
  /** Acceleration of each link minus gravity, 6 a link. */
  readonly acceleration = new Float64Array(6 * this.model.linkCount);
  /** Force on each link, then summed over the links behind it, 6 a link. */
  readonly force = new Float64Array(6 * this.model.linkCount);

  // addWrenchDerivatives
  /** External forces, summed over the links behind each link, 6 a link. */
  readonly wrenchSum = new Float64Array(6 * this.model.linkCount);

  // massMatrix, factorMassMatrix
  /** M, nv × nv. */
  readonly mass = new Float64Array(this.model.nv * this.model.nv);
  /** Unit lower triangle L of M = Lᵀ D L, nv × nv; only entries of `support` are used. */
  readonly factor = new Float64Array(this.model.nv * this.model.nv);
  /** 1 / D */
  readonly inversePivot = new Float64Array(this.model.nv);

  constructor(readonly model: ArticulatedModel) {}
}
