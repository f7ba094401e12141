import type { CompiledCoupling } from "../model";

/** Part of the error of a coupling that a step removes: such errors stem from rounding, or from the state at the start. */
export const COUPLING_CORRECTION = 0.2;

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
