import { expect } from "vitest";
import type { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { RandomGeometry } from "../../collision/random";

/** Asserts that the vector-Jacobian product of the last step is the product with its Jacobians. */
export function expectTransposed(simulation: ArticulatedSimulation, random: RandomGeometry): void {
  const { nv } = simulation;
  const jacobians = simulation.jacobians();
  const position = Float64Array.from({ length: nv }, () => random.between(-1, 1));
  const velocity = Float64Array.from({ length: nv }, () => random.between(-1, 1));
  const gradient = simulation.vjp(position, velocity);
  const product = (byQ: Float64Array, byQd: Float64Array, width: number): Float64Array => {
    const out = new Float64Array(width);
    for (let k = 0; k < nv; k++)
      for (let j = 0; j < width; j++) out[j] += position[k] * byQ[k * width + j] + velocity[k] * byQd[k * width + j];
    return out;
  };
  const expectClose = (actual: Float64Array, expected: Float64Array): void => {
    const scale = Math.max(1e-3, ...expected.map(Math.abs));
    actual.forEach((x, i) => expect(Math.abs(x - expected[i]) / scale).toBeLessThan(1e-10));
  };
  const width = simulation.parameters.length;
  expectClose(gradient.position, product(jacobians.positionByPosition, jacobians.velocityByPosition, nv));
  expectClose(gradient.velocity, product(jacobians.positionByVelocity, jacobians.velocityByVelocity, nv));
  expectClose(gradient.control, product(jacobians.positionByControl, jacobians.velocityByControl, nv));
  expectClose(gradient.parameter, product(jacobians.positionByParameter, jacobians.velocityByParameter, width));
}
