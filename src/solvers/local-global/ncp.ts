/**
 * Complementarity functions and their derivatives (appendix B), in displacements: δ and r λ are both in metres, with the
 * impulse-like unknown z = h² λ [kg m] in place of λ, so that W z is a displacement and r = W_jj (28) has no h in it.
 *
 * ω  ∂φ/∂δ, the non-smooth indicator that (24)-(25) split out of J = Ω H
 * E  ∂φ/∂z
 *
 * A Newton row ω (W Δz) + E Δz = −φ (17) is divided by ω, so that the system stays symmetric with W as it is:
 * (W + E/ω) Δz = −φ/ω. Where ω vanishes the row only says what z becomes.
 */
import type { Complementarity } from "./options";

/** Below this ω the contact counts as open. */
const OPEN = 1e-6;

/** A linearised row: z moves by `step` where it is not active, else it is (W Δz) + compliance Δz = −residual. */
export interface Row {
  isActive: boolean;
  step: number;
  compliance: number;
  residual: number;
}

/**
 * Normal row: 0 ≤ δ ⊥ z ≥ 0, (46)-(48) or (52)-(54).
 *
 * @param delta gap δ [m]
 * @param z ≥ 0 or not [kg m]
 * @param r scale [1/kg]
 */
export function normalRow(kind: Complementarity, delta: number, z: number, r: number, out: Row): void {
  if (kind === "minimum-map") {
    out.isActive = delta <= r * z;
    out.step = -z;
    out.compliance = 0;
    out.residual = delta;
    return;
  }
  const rz = r * z;
  const length = Math.sqrt(delta * delta + rz * rz);
  // at the corner, which no derivative tells, the contact counts as closed
  const omega = length > 0 ? 1 - delta / length : 1;
  const e = length > 0 ? 1 - rz / length : 0;
  const phi = delta + rz - length;
  out.isActive = omega > OPEN;
  if (out.isActive) {
    out.compliance = (e * r) / omega;
    out.residual = phi / omega;
  } else out.step = -phi / (e * r);
}

/** φ of a normal row [m], whatever function the iteration uses: the residual that is told. */
export function complementarityError(delta: number, z: number, r: number): number {
  return Math.abs(Math.min(delta, r * z));
}

/**
 * Compliance of the two friction rows of a contact with z > 0, (51) or (57): what makes s + E z_f = 0 Coulomb's law.
 *
 * @param slip ‖s‖, tangential displacement of the step [m]
 * @param force ‖z_f‖ [kg m]
 * @param limit µ zₙ [kg m], positive
 * @param r scale [1/kg]
 */
export function slipCompliance(kind: Complementarity, slip: number, force: number, limit: number, r: number): number {
  const room = r * (limit - force);
  if (kind === "fischer-burmeister") {
    const length = Math.sqrt(slip * slip + room * room);
    const inside = room > 0 ? (slip * slip) / (length + room) : length - room;
    const outside = slip + r * limit - length;
    // far outside of the cone it says nothing any more, and the other function takes over
    if (outside > 0.01 * r * limit) return (r * inside) / outside;
  }
  return slip <= room ? 0 : (slip - room) / limit;
}
