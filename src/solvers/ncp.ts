/**
 * Complementarity functions of the Newton and the local-global solver (paper 3, section 4 and appendix A; paper 2, appendix B).
 *
 * a  gap, and v the amount of slip: as velocities [m/s] in paper 3, as displacements of a step [m] in paper 2
 * p  normal impulse, f amount of friction [N s], limit µ p; in paper 2 z = h² λ [kg m] in their place
 * r  complementarity preconditioner [1/kg], which brings p to the unit of a: b = r p
 *
 * A Newton row α J Δu + β r Δp = −φ is divided by α = ∂φ/∂a, so that the matrix stays symmetric:
 * J Δu + S Δp = −φ/α with S = β r/α. Where α vanishes the row only says what p becomes.
 */

/** Which function stands for complementarity. */
export type NcpFunction = "minimum-map" | "fischer-burmeister";

/** How the two sides of a complementarity are brought to one unit (10.2). */
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

/** (96)-(98), of paper 2 (46)-(48): the constraint holds with equality where a ≤ r p, else there is no impulse. */
export function minimumMap(a: number, p: number, r: number, out: NormalRow): void {
  out.isActive = a <= r * p;
  out.step = -p;
  out.compliance = 0;
  out.residual = a;
  out.phi = out.isActive ? a : r * p;
}

/**
 * (93)-(95), of paper 2 (52)-(54).
 *
 * @param corner α where both a and p are 0, which no derivative tells: 0, as (26) and (27), for open, 1 for closed
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
 * W of (105), E of (51) in paper 2: none while the friction is within its cone by more than the slip, else what brings it back
 * to the cone.
 */
export function minimumMapSlip(v: number, f: number, limit: number, r: number): number {
  const room = r * (limit - f);
  return v <= room ? 0 : (v - room) / limit;
}

/** W of (103), E of (57) in paper 2: |v| − ψ over |f| + ψ/r with ψ of (32). */
export function fischerBurmeisterSlip(v: number, f: number, limit: number, r: number): number {
  const room = r * (limit - f);
  const length = Math.sqrt(v * v + room * room);
  const slip = room > 0 ? (v * v) / (length + room) : length - room;
  // v + r µ pₙ − length = r f + ψ; far outside of the cone it is no force any more, and the other map takes over
  const force = v + r * limit - length;
  return force > 0.01 * r * limit ? (r * slip) / force : minimumMapSlip(v, f, limit, r);
}
