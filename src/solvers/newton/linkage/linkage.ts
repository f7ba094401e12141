/** A limit of a coordinate that a step may reach. */
export interface LinkageLimit {
  readonly coordinate: number;
  /** 1 if the coordinate must not fall, −1 if it must not grow */
  readonly side: 1 | -1;
  /** distance to the limit at the start of the step, negative beyond it [rad or m] */
  readonly gap: number;
  /** velocity of the coordinate at the end of the free step */
  readonly rate: number;
}

/** Dry friction of a coordinate. The linkage finds its impulse again at the end of the step, from those of all else. */
export interface LinkageFriction {
  readonly coordinate: number;
  /** velocity of the coordinate at the end of the free step, in which friction acts already */
  readonly rate: number;
  /** bounds of the further impulse of friction [N s or N m s] */
  readonly lower: number;
  readonly upper: number;
}

/**
 * Bodies that respond to impulses together, in their own coordinates: the links of a mechanism. Their places have the
 * motion `Motion.linked`. The solver takes its ũ of these bodies from `velocity` of the state: the twists at the end of
 * a step in which nothing touches them.
 *
 * q̇  velocities of the coordinates, M their mass matrix, J maps them to the twist of a link
 */
export interface Linkage {
  /** number of coordinates */
  readonly size: number;
  /** places of links that other bodies can touch */
  readonly slots: readonly number[];
  /** limits that the step may reach */
  readonly limits: readonly LinkageLimit[];
  readonly frictions: readonly LinkageFriction[];
  /**
   * out += Jᵀ w
   *
   * @param k number of the link in `slots`
   * @param wrench impulse, then its moment about the position of the link: six numbers from `at` on
   * @param out `size` numbers from `to` on
   */
  addForce(k: number, wrench: Float64Array, at: number, out: Float64Array, to: number): void;
  /** M, size × size, row-major; constraints cannot move a frozen linkage, whatever its M */
  readonly mass: Float64Array;
  readonly isFrozen: boolean;
  /** x ← M⁻¹ x, in place */
  respond(x: Float64Array): void;
  /**
   * out += J q̇
   *
   * @param out velocity and spin: six numbers from `at` on
   */
  addTwist(k: number, rates: Float64Array, out: Float64Array, at: number): void;
  /**
   * Ends the predicted step: poses and velocities of its places become those at the end of the step.
   *
   * @param impulse impulse of constraints on each coordinate; undefined if nothing touched the mechanism
   */
  finish(impulse: Float64Array | undefined): void;
}
