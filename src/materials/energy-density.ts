/**
 * An energy density ψ(s) of a k-dimensional strain s. An element's energy is its measure (area, stiffness, inverse
 * compliance) times ψ; paper 1, section 3: U(x) = Û(s(x)).
 *
 * `m` holds the material parameters in the order that each density documents.
 */
export interface EnergyDensity {
  /** k */
  readonly dimension: number;
  value(s: ArrayLike<number>, m: ArrayLike<number>): number;
  /** dψ/ds into `out`, k numbers */
  gradient(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void;
  /** d²ψ/ds² into `out`, k × k, symmetric */
  hessian(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void;
}
