import type { CompiledCoupling } from "../model";

/** Largest part of an error that a step removes, and the time in which errors fall to 1/e [s]. */
const [MOST, TIME] = [0.2, 0.05];

/**
 * Speed at which an error of a coupling or a loop is removed, for each unit of it [1/s]. Such errors stem from rounding,
 * from large steps, or from the state at the start: a loop that is open by half a meter must not snap shut in a step.
 */
export function correctionRate(timeStep: number): number {
  return Math.min(MOST / timeStep, 1 / TIME);
}

/** Value, slope and second derivative of the polynomial of a coupling at the coordinate of its driver. */
export function polynomialAt({ driver, coefficients }: CompiledCoupling, q: Float64Array): [number, number, number] {
  const x = driver < 0 ? 0 : q[driver];
  let [value, slope, curvature] = [0, 0, 0];
  for (let k = coefficients.length - 1; k >= 0; k--) {
    curvature = curvature * x + 2 * slope;
    slope = slope * x + value;
    value = value * x + coefficients[k];
  }
  return driver < 0 ? [coefficients[0], 0, 0] : [value, slope, curvature];
}
