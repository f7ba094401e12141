import type { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { StepJacobians } from "../../../src/articulated/step/derivatives/step-jacobians";
import { riddersJacobian } from "../ridders";

/** Jacobians of a step by differences: rows (q', q̇'), columns (q, q̇, τ, parameters). */
export function stepDifferences(simulation: ArticulatedSimulation, h = 1e-3): Float64Array {
  const { nv, parameters } = simulation;
  const x = new Float64Array(3 * nv + parameters.length);
  x.set(simulation.q);
  x.set(simulation.qd, nv);
  x.set(simulation.control, 2 * nv);
  const shifted = new Float64Array(parameters.length);
  const outQ = new Float64Array(nv);
  const outQd = new Float64Array(nv);
  const step = (values: Float64Array, out: Float64Array): void => {
    parameters.forEach((parameter, i) => {
      simulation.shiftParameter(parameter, values[3 * nv + i] - shifted[i]);
      shifted[i] = values[3 * nv + i];
    });
    const [q, qd, tau] = [0, 1, 2].map((part) => values.slice(part * nv, (part + 1) * nv));
    simulation.advance(q, qd, tau, outQ, outQd);
    out.set(outQ);
    out.set(outQd, nv);
  };
  const result = riddersJacobian(step, x, 2 * nv, h);
  parameters.forEach((parameter, i) => simulation.shiftParameter(parameter, -shifted[i]));
  simulation.advance(simulation.q, simulation.qd, simulation.control, outQ, outQd);
  return result;
}

/** Analytic Jacobians in the same layout. */
export function stackJacobians(jacobians: StepJacobians, nv: number): Float64Array {
  const parameters = jacobians.velocityByParameter.length / nv;
  const width = 3 * nv + parameters;
  const out = new Float64Array(2 * nv * width);
  const put = (block: Float64Array, row: number, column: number, columns: number): void => {
    for (let i = 0; i < nv; i++) out.set(block.subarray(i * columns, (i + 1) * columns), (row + i) * width + column);
  };
  put(jacobians.positionByPosition, 0, 0, nv);
  put(jacobians.positionByVelocity, 0, nv, nv);
  put(jacobians.positionByControl, 0, 2 * nv, nv);
  put(jacobians.positionByParameter, 0, 3 * nv, parameters);
  put(jacobians.velocityByPosition, nv, 0, nv);
  put(jacobians.velocityByVelocity, nv, nv, nv);
  put(jacobians.velocityByControl, nv, 2 * nv, nv);
  put(jacobians.velocityByParameter, nv, 3 * nv, parameters);
  return out;
}

/** Largest difference of two Jacobians, each block relative to its largest entry (or 1e-4, if that is larger). */
export function blockError(analytic: Float64Array, numeric: Float64Array, nv: number): number {
  const width = analytic.length / (2 * nv);
  const borders = [0, nv, 2 * nv, 3 * nv, ...Array.from({ length: width - 3 * nv }, (_, i) => 3 * nv + i + 1)];
  let worst = 0;
  for (let row = 0; row < 2 * nv; row += nv) {
    for (let b = 0; b + 1 < borders.length; b++) {
      let [size, difference] = [0, 0];
      for (let i = row; i < row + nv; i++) {
        for (let j = borders[b]; j < borders[b + 1]; j++) {
          size = Math.max(size, Math.abs(numeric[i * width + j]), Math.abs(analytic[i * width + j]));
          difference = Math.max(difference, Math.abs(numeric[i * width + j] - analytic[i * width + j]));
        }
      }
      worst = Math.max(worst, difference / Math.max(size, 1e-4));
    }
  }
  return worst;
}
