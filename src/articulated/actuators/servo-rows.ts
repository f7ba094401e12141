/**
 * Servos that several joints share, as rows of the contact problem. With ℓ̇ = c · q̇ and κ = −Δt (b₂ + Δt b₁), their impulse
 * f = F − κ ℓ̇' with F = Δt (g u + b₀ + b₁ ℓ) is a row with the compliance 1/κ,
 *
 *   ℓ̇' + f/κ − F/κ = 0,   within Δt times the bounds of the force,
 *
 * so that any gain is stable, joints move freely where ℓ does not change, and bounds count at the end of the step, with contacts. Rows are
 * scaled by s = κ a / (1 + κ a), a ≈ c M⁻¹ cᵀ, so that weak servos do not fill b with large numbers.
 */
import { RowClass, type BoxedLcp } from "../lcp/problem";
import { RowPart, type ConstraintRows } from "../step/constraint-rows";
import { damperOf, isShared, type CompiledActuator } from "./actuators";

/** Adds a row for each servo that joints share, and that any of them moves. */
export function addServoRows(servos: readonly CompiledActuator[], rows: ConstraintRows): void {
  servos.forEach((servo, i) => {
    if (isShared(servo) && servo.coefficients.some((c) => c !== 0)) rows.addJointRow(i, RowPart.Servo);
  });
}

/** Fills the rows of J, by M of the step. */
export function scaleServoRows(
  servos: readonly CompiledActuator[],
  rows: ConstraintRows,
  mass: Float64Array,
  timeStep: number,
): void {
  const { nv, jacobian } = rows;
  for (let r = 0; r < rows.count; r++) {
    if (rows.part[r] !== RowPart.Servo) continue;
    const servo = servos[rows.dof[r]];
    const { dofs, coefficients } = servo;
    const mobility = dofs.reduce((sum, dof, j) => sum + coefficients[j] ** 2 / mass[dof * (nv + 1)], 0);
    const pull = damperOf(servo, timeStep) * mobility;
    servo.scale = pull / (1 + pull);
    jacobian.fill(0, r * nv, (r + 1) * nv);
    dofs.forEach((dof, j) => (jacobian[r * nv + dof] += servo.scale * coefficients[j]));
  }
}

/** Fills the bounds, b and the compliance of a row. @param free its velocity without impulses */
export function fillServoRow(
  servo: CompiledActuator,
  rows: ConstraintRows,
  lcp: BoxedLcp,
  r: number,
  free: number,
  timeStep: number,
): void {
  const { gain, u, bias, length, force, scale } = servo;
  const damper = damperOf(servo, timeStep);
  lcp.lo[r] = (timeStep * force[0]) / scale;
  lcp.hi[r] = (timeStep * force[1]) / scale;
  lcp.b[r] = free - (scale / damper) * timeStep * (gain * u + bias[0] + bias[1] * length);
  lcp.a[r * (rows.count + 1)] += (scale * scale) / damper;
}

/** Notes which servos are at bounds. */
export function readServoRows(servos: readonly CompiledActuator[], rows: ConstraintRows, lcp: BoxedLcp): void {
  for (let r = 0; r < rows.count; r++)
    if (rows.part[r] === RowPart.Servo) servos[rows.dof[r]].isBounded = lcp.classes[r] !== RowClass.Clamping;
}
