/** A limit of a coordinate that a step may reach. */
export interface LinkageLimit {
  readonly coordinate: number;
  /** 1 where the coordinate must not fall, −1 where it must not grow */
  readonly side: 1 | -1;
  /** how far off the limit is at the start of the step, negative beyond it [rad or m] */
  readonly gap: number;
  /** velocity of the coordinate at the end of the free step */
  readonly rate: number;
}

/**
 * Bodies that answer to impulses together, in coordinates of their own: the links of a mechanism. Their places have the motion
 * `Motion.linked`, and the solver finds what it calls ũ there in `velocity` of the state: the twists at the end of a step in which
 * nothing touches them.
 *
 * q̇  velocities of the coordinates, M their mass matrix, J what makes the twist of a link of them
 */
export interface Linkage {
  /** number of coordinates */
  readonly size: number;
  /** places of links that others can touch */
  readonly slots: readonly number[];
  /** limits that the step may reach */
  readonly limits: readonly LinkageLimit[];
  /**
   * out += Jᵀ w
   *
   * @param k number of the link in `slots`
   * @param wrench impulse, then its moment about the place of the link: six numbers from `at` on
   * @param out `size` numbers from `to` on
   */
  addForce(k: number, wrench: Float64Array, at: number, out: Float64Array, to: number): void;
  /** x ← M⁻¹ x, in place */
  respond(x: Float64Array): void;
  /**
   * out += J q̇
   *
   * @param out velocity and spin: six numbers from `at` on
   */
  addTwist(k: number, rates: Float64Array, out: Float64Array, at: number): void;
  /**
   * Ends the step that was predicted: poses and velocities of its places are those at its end.
   *
   * @param impulse that constraints gave each coordinate; undefined where nothing touched it
   */
  finish(impulse: Float64Array | undefined): void;
}
