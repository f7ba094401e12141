/**
 * The XPBD update of paper 1, section 3.1, verbatim: the reference for GPBD. Vectors are flat, three numbers per
 * vertex.
 */
export interface XpbdConstraint {
  /** c(x) */
  readonly value: number;
  /** ∇c(x) */
  readonly gradient: ArrayLike<number>;
  /** α */
  readonly compliance: number;
  /** M⁻¹, one number per vertex [1/kg] */
  readonly inverseMasses: ArrayLike<number>;
  /** λ so far */
  readonly multiplier: number;
  /** Δt [s] */
  readonly dt: number;
}

/** Δx = M⁻¹ Δλ ∇c with Δλ of equation (11), which is (24) of Appendix A; equations (25) and (26). */
export function xpbdUpdate(constraint: XpbdConstraint): Float64Array {
  const { value, gradient, compliance, inverseMasses, multiplier, dt } = constraint;
  const scaled = compliance / dt ** 2;
  let denominator = scaled;
  for (let c = 0; c < gradient.length; c++) denominator += inverseMasses[Math.floor(c / 3)] * gradient[c] ** 2;
  const change = denominator === 0 ? 0 : -(value + scaled * multiplier) / denominator;
  return displacementBy(change, constraint);
}

/** d = M⁻¹ λ ∇c: the history of a constraint whose multiplier is λ. */
export function displacementBy(
  multiplier: number,
  { gradient, inverseMasses }: Pick<XpbdConstraint, "gradient" | "inverseMasses">,
): Float64Array {
  return Float64Array.from(gradient, (g, c) => inverseMasses[Math.floor(c / 3)] * multiplier * g);
}
