/** A strain measure s(x) ∈ ℝᵏ of a few vertices, with its Jacobian S = ds/dx (paper 1, section 3). */
export interface StrainMeasure {
  /** vertices of an element */
  readonly arity: number;
  /** k */
  readonly dimension: number;
  /**
   * @param x the element's vertices, arity × 3 [m]
   * @param rest rest data of all elements; this element's starts at `at`
   * @param s k numbers out
   */
  strain(x: Float64Array, rest: Float64Array, at: number, s: Float64Array): void;
  /** @param jacobian k × (3 arity) out, row-major */
  jacobian(x: Float64Array, rest: Float64Array, at: number, jacobian: Float64Array): void;
}
