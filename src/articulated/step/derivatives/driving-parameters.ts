/**
 * Derivatives of a step by numbers of joints and actuators. With δ = q̇' − q̇ − Δq̇ as solved for and v = q̇ + δ, the step is
 *
 *   M₀ δ = Δt (τ − c − k (q − q₀)) − Δt d v + Jᵀ f,   M₀ with the armature a on its diagonal
 *
 * so that P_p (`StepParameterDerivatives`) of a coordinate is −Δt v by d, −δ by a, −Δt (q − q₀) by k and Δt k by q₀. Dry friction that
 * slips is a constant force ± Δt f. For `KernelTerm`, M = M₀ + Δt d.
 */
import { eachActuatorDerivative, type ActuatorRates } from "../../actuators/actuator-parameters";
import { RowClass } from "../../lcp/problem";
import { RowPart } from "../constraint-rows";
import type { ContactStep } from "../contact-step";
import { jointNumbers, type JointParameter } from "../joint-parameters";

/** A parameter of a joint or an actuator, and its column. */
export type DrivingTerm =
  | { readonly column: number; readonly kind: JointParameter["kind"]; readonly dof: number }
  | { readonly column: number; readonly kind: "actuator"; readonly rates: ActuatorRates };

/** out += P_p, nv × count. */
export function addDriving(step: ContactStep, terms: readonly DrivingTerm[], out: Float64Array, count: number): void {
  const { rawQd, shift, scratch, options, actuators } = step;
  const dt = options.timeStep;
  const after = (dof: number): number => rawQd[dof] - shift[dof];
  for (const term of terms) {
    if (term.kind === "actuator") {
      const actuator = actuators!.compiled[term.rates.index];
      eachActuatorDerivative(actuator, term.rates, dt, scratch.qd, after, (dof, impulse) => {
        out[dof * count + term.column] += impulse;
      });
      continue;
    }
    out[term.dof * count + term.column] += jointImpulse(step, term.kind, term.dof, after(term.dof));
  }
}

/** ∂impulse/∂p on the coordinate itself. */
function jointImpulse(step: ContactStep, kind: JointParameter["kind"], dof: number, after: number): number {
  const { scratch, options } = step;
  const dt = options.timeStep;
  switch (kind) {
    case "damping":
      return -dt * after;
    case "armature":
      return scratch.qd[dof] - after;
    case "stiffness":
      return -dt * (scratch.q[dof] - jointNumbers(step, "rest-position")[dof]);
    case "rest-position":
      return dt * jointNumbers(step, "stiffness")[dof];
    case "friction-loss":
      return dt * slipSign(step, dof);
  }
}

/** Sign of the dry friction of a coordinate that slips, otherwise 0. */
function slipSign({ rows, lcp }: ContactStep, dof: number): number {
  for (let r = 0; r < rows.count; r++)
    if (rows.part[r] === RowPart.JointFriction && rows.dof[r] === dof)
      return lcp.classes[r] === RowClass.Clamping ? 0 : Math.sign(lcp.f[r]);
  return 0;
}

/** out −= ∂M/∂p g, nv × count. */
export function addDrivingInertia(
  step: ContactStep,
  terms: readonly DrivingTerm[],
  g: Float64Array,
  out: Float64Array,
  count: number,
): void {
  const { options, actuators, scratch } = step;
  const dt = options.timeStep;
  for (const term of terms)
    if (term.kind === "actuator") {
      const actuator = actuators!.compiled[term.rates.index];
      eachActuatorDerivative(
        actuator,
        term.rates,
        dt,
        scratch.qd,
        () => 0,
        (dof, _impulse, damper) => {
          out[dof * count + term.column] -= dt * damper * g[dof];
        },
      );
    } else if (term.kind === "armature") out[term.dof * count + term.column] -= g[term.dof];
    else if (term.kind === "damping") out[term.dof * count + term.column] -= dt * g[term.dof];
}
