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
  /**
   * Adds to `out` (k × k) the second variation Σᵢ gᵢ d²sᵢ/dx² along k displacements, the rows of `columns` (k × 3 arity): the
   * part of the Hessian of (19) that is left out where this is absent.
   */
  secondVariation?(
    columns: Float64Array,
    gradient: Float64Array,
    rest: Float64Array,
    at: number,
    out: Float64Array,
  ): void;
  /** Whether the element is not turned inside out; strain alone does not tell. Absent: it cannot be. */
  isUpright?(x: Float64Array, rest: Float64Array, at: number): boolean;
}
