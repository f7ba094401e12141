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
  readonly linkRotation: Float64Array;
  /** Origin of each link in the world [m], 3 a link. */
  readonly linkPosition: Float64Array;
  /** Motion S by a unit velocity of each degree of freedom, 6 a degree of freedom. */
  readonly motion: Float64Array;
  /** Frame in which a rotation vector acts, 9 and 3 a segment; only for such segments. */
  readonly segmentRotation: Float64Array;
  readonly segmentPosition: Float64Array;
  /** Coordinates of the last `updatePositions`. */
  readonly q: Float64Array;

  // updateVelocities
  /** Twist of each link, 6 a link. */
  readonly velocity: Float64Array;
  /** dS/dt, 6 a degree of freedom. */
  readonly motionRate: Float64Array;
  /** Velocities of the last `updateVelocities`. */
  readonly qd: Float64Array;

  // updateInertias
  /** Ten numbers a link (see spatial.ts). */
  readonly inertia: Float64Array;
  /** Center of mass of each link in the world [m], 3 a link. */
  readonly massCentre: Float64Array;
  // updateCompositeInertias
  /** Inertia of each link with all links behind it. */
  readonly composite: Float64Array;

  // inverseDynamics and its derivatives
  /** Acceleration of each link minus gravity, 6 a link. */
  readonly acceleration: Float64Array;
  /** Force on each link, then summed over the links behind it, 6 a link. */
  readonly force: Float64Array;

  // addWrenchDerivatives
  /** External forces, summed over the links behind each link, 6 a link. */
  readonly wrenchSum: Float64Array;

  // massMatrix, factorMassMatrix
  /** M, nv × nv. */
  readonly mass: Float64Array;
  /** Unit lower triangle L of M = Lᵀ D L, nv × nv; only entries of `support` are used. */
  readonly factor: Float64Array;
  /** 1 / D */
  readonly inversePivot: Float64Array;

  constructor(readonly model: ArticulatedModel) {
    const { linkCount: n, nv } = model;
    const segments = model.segmentKind.length;
    this.linkRotation = new Float64Array(9 * n);
    this.linkPosition = new Float64Array(3 * n);
    this.motion = new Float64Array(6 * nv);
    this.segmentRotation = new Float64Array(9 * segments);
    this.segmentPosition = new Float64Array(3 * segments);
    this.q = new Float64Array(nv);
    this.velocity = new Float64Array(6 * n);
    this.motionRate = new Float64Array(6 * nv);
    this.qd = new Float64Array(nv);
    this.inertia = new Float64Array(10 * n);
    this.massCentre = new Float64Array(3 * n);
    this.composite = new Float64Array(10 * n);
    this.acceleration = new Float64Array(6 * n);
    this.force = new Float64Array(6 * n);
    this.wrenchSum = new Float64Array(6 * n);
    this.mass = new Float64Array(nv * nv);
    this.factor = new Float64Array(nv * nv);
    this.inversePivot = new Float64Array(nv);
  }
}
