/**
 * Complementarity functions of the Newton and the local-global solver (paper 3, section 4 and appendix A; paper 2, appendix B).
 *
 * a  gap, and v the amount of slip: as velocities [m/s] in paper 3, as displacements of a step [m] in paper 2
 * p  normal impulse, f amount of friction [N s], limit µ p; in paper 2 z = h² λ [kg m] in their place
 * r  complementarity preconditioner [1/kg], which brings p to the unit of a: b = r p
 *
 * A Newton row α J Δu + β r Δp = −φ is divided by α = ∂φ/∂a, so that the matrix stays symmetric: J Δu + S Δp = −φ/α
 * with S = β r/α. If α vanishes, the row only determines p.
 */

/** The function that represents complementarity. */
export type NcpFunction = "minimum-map" | "fischer-burmeister";

/** The preconditioner that brings the two sides of a complementarity to one unit (10.2). */
export type NcpPreconditioner = "effective-mass" | "time-step" | "identity";

/** Below this α the contact counts as open. */
const OPEN = 1e-6;

/** Result of a normal row. `isActive` false: p moves by `step`; true: solve J Δu + compliance Δp = −residual. */
export interface NormalRow {
  isActive: boolean;
  step: number;
  compliance: number;
  residual: number;
  /** φ itself, for the merit function */
  phi: number;
}

/** (96)-(98), in paper 2 (46)-(48): the constraint holds with equality if a ≤ r p, otherwise the impulse is zero. */
export function minimumMap(a: number, p: number, r: number, out: NormalRow): void {
  out.isActive = a <= r * p;
  out.step = -p;
  out.compliance = 0;
  out.residual = a;
  out.phi = out.isActive ? a : r * p;
}

/**
 * (93)-(95), in paper 2 (52)-(54).
 *
 * @param corner α for a = p = 0, which no derivative determines: 0 for open, as in (26) and (27), 1 for closed
 */
export function fischerBurmeister(a: number, p: number, r: number, out: NormalRow, corner: 0 | 1 = 0): void {
  const b = r * p;
  const length = Math.sqrt(a * a + b * b);
  const alpha = length > 0 ? 1 - a / length : corner;
  const beta = length > 0 ? 1 - b / length : 1 - corner;
  out.phi = a + b - length;
  out.isActive = alpha > OPEN;
  if (out.isActive) {
    out.compliance = (beta * r) / alpha;
    out.residual = out.phi / alpha;
  } else out.step = -out.phi / (beta * r);
}

/**
 * W of (105), E of (51) in paper 2: zero if the friction is within its cone by more than the slip, otherwise the value
 * that brings it back to the cone.
 */
export function minimumMapSlip(v: number, f: number, limit: number, r: number): number {
  const room = r * (limit - f);
  return v <= room ? 0 : (v - room) / limit;
}

/** W of (103), E of (57) in paper 2: (|v| − ψ) / (|f| + ψ/r) with ψ of (32). */
export function fischerBurmeisterSlip(v: number, f: number, limit: number, r: number): number {
  const room = r * (limit - f);
  const length = Math.sqrt(v * v + room * room);
  const slip = room > 0 ? (v * v) / (length + room) : length - room;
  // v + r µ pₙ − length = r f + ψ; far outside the cone this is no longer a force, and the other map takes over
  const force = v + r * limit - length;
  return force > 0.01 * r * limit ? (r * slip) / force : minimumMapSlip(v, f, limit, r);
}
