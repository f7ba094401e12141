import { PliantError } from "../../errors";
import type { Actuators, CompiledActuator } from "./actuators";

/**
 * A number of a motor or servo, see `ActuatorDescription`.
 *
 * - `actuator-gain`, and `actuator-bias` of one component (0, 1, 2)
 * - `servo-stiffness`, N m/rad or N/m: k of a position servo, so its gain and −bias₁ together
 * - `servo-damping`, N m s/rad or N s/m: d of a position servo, −bias₂; of a velocity servo its gain and −bias₂ together
 */
export type ActuatorParameter =
  | { readonly kind: "actuator-gain" | "servo-stiffness" | "servo-damping"; readonly actuator: string }
  | { readonly kind: "actuator-bias"; readonly actuator: string; readonly component: 0 | 1 | 2 };

export function isActuatorParameter(parameter: { readonly kind: string }): parameter is ActuatorParameter {
  return parameter.kind.startsWith("actuator-") || parameter.kind.startsWith("servo-");
}

/** Changes of gain and biases for a unit of a parameter. */
export interface ActuatorRates {
  readonly index: number;
  readonly gain: number;
  readonly bias: readonly [number, number, number];
}

/** @throws PliantError for an actuator that does not exist, or a component out of range */
export function actuatorRates(actuators: Actuators, parameter: ActuatorParameter): ActuatorRates {
  const index = actuators.indexOf(parameter.actuator);
  const { gain, bias } = actuators.compiled[index];
  switch (parameter.kind) {
    case "actuator-gain":
      return { index, gain: 1, bias: [0, 0, 0] };
    case "servo-stiffness":
      if (gain !== 0 - bias[1])
        throw new PliantError("invalid-argument", `actuator "${parameter.actuator}"`, gain, "must be a position servo");
      return { index, gain: 1, bias: [0, -1, 0] };
    case "servo-damping":
      return { index, gain: bias[1] === 0 && gain === -bias[2] ? 1 : 0, bias: [0, 0, -1] };
    case "actuator-bias": {
      const { component } = parameter;
      if (!Number.isInteger(component) || component < 0 || component > 2)
        throw new PliantError("invalid-argument", "parameter.component", component, "must be from 0 to 2");
      return { index, gain: 0, bias: [0, 1, 2].map((c) => (c === component ? 1 : 0)) as [number, number, number] };
    }
  }
}

export function actuatorValue(actuators: Actuators, parameter: ActuatorParameter): number {
  const { gain, bias } = actuators.compiled[actuators.indexOf(parameter.actuator)];
  if (parameter.kind === "actuator-gain") return gain;
  if (parameter.kind === "actuator-bias") return bias[parameter.component];
  return 0 - bias[parameter.kind === "servo-stiffness" ? 1 : 2];
}

/** @throws PliantError if the actuator would push away from its position or speed; nothing is changed then */
export function shiftActuator(actuators: Actuators, parameter: ActuatorParameter, change: number): void {
  const { index, gain, bias } = actuatorRates(actuators, parameter);
  const actuator = actuators.compiled[index];
  const next = actuator.bias.map((value, c) => value + bias[c] * change);
  const object = `actuator "${parameter.actuator}"`;
  if (!next.every(Number.isFinite) || !Number.isFinite(actuator.gain + gain * change))
    throw new PliantError("non-finite", object, change, "must have a finite gain and finite biases");
  if (next[1] > 0 || next[2] > 0)
    throw new PliantError("invalid-argument", object, next, "must not push away from its position or speed");
  actuator.gain += gain * change;
  for (let c = 0; c < 3; c++) actuator.bias[c] = next[c];
}

/**
 * Calls `add` with the derivatives of a step's impulse and of its damper (its part of M over Δt) on each coordinate that the
 * actuator drives. With v = q̇' the force c (g u + b₀ + b₁ ℓ + b₂ ℓ̇), less c² times the change of b₁ (q + Δt v) + b₂ v
 * that is implicit:
 *
 *   ∂impulse/∂p = Δt (c (∂g u + ∂b₀ + ∂b₁ ℓ + ∂b₂ ℓ̇) + c² (∂b₁ Δt v + ∂b₂ (v − q̇))),   ∂damper/∂p = −c² (∂b₂ + Δt ∂b₁)
 *
 * @param after velocities after the step, as they were solved for
 * @param before velocities before the step
 */
export function eachActuatorDerivative(
  actuator: CompiledActuator,
  { gain, bias }: ActuatorRates,
  timeStep: number,
  before: Float64Array,
  after: (dof: number) => number,
  add: (dof: number, impulse: number, damper: number) => void,
): void {
  const { u, length, speed, isBounded, dofs, coefficients } = actuator;
  if (isBounded) return;
  dofs.forEach((dof, j) => {
    const c = coefficients[j];
    const force = c * (gain * u + bias[0] + bias[1] * length + bias[2] * speed);
    const implicit = c * c * (bias[1] * timeStep * after(dof) + bias[2] * (after(dof) - before[dof]));
    add(dof, timeStep * (force + implicit), -c * c * (bias[2] + timeStep * bias[1]));
  });
}
