import { describe, expect, it } from "vitest";
import { ArticulatedModel } from "../../../src/articulated/model";
import {
  HeldControlStep,
  makeDerivatives,
  type DifferentiableStep,
} from "../../../src/articulated/optimise/differentiable-step";
import { expectRefused } from "../../refusal";
import { mulberry } from "../../../samples/random";
import { cartpole, freeStep, normal } from "./mechanisms";

/** Largest difference of the analytic Jacobians from central differences, relative to the largest entry. */
function jacobianError(step: DifferentiableStep, q: number[], qd: number[], u: number[]): number {
  const { nv, nu } = step;
  const nx = 2 * nv;
  const out = makeDerivatives(step);
  const after = new Float64Array(nx);
  const [outQ, outQd] = [after.subarray(0, nv), after.subarray(nv)];
  step.stepWithJacobians(Float64Array.from(q), Float64Array.from(qd), Float64Array.from(u), outQ, outQd, out);
  const reference = after.slice();
  const stepFrom = (all: number[]): Float64Array => {
    const at = Float64Array.from(all);
    step.step(at.slice(0, nv), at.slice(nv, nx), at.slice(nx), outQ, outQd);
    return after.slice();
  };
  const all = [...q, ...qd, ...u];
  stepFrom(all).forEach((value, i) => expect(value).toBeCloseTo(reference[i], 12));
  let [worst, largest] = [0, 1];
  for (let j = 0; j < nx + nu; j++) {
    const moved = (by: number): Float64Array => stepFrom(all.map((value, i) => (i === j ? value + by : value)));
    const [ahead, behind] = [moved(1e-6), moved(-1e-6)];
    for (let i = 0; i < nx; i++) {
      const analytic = j < nx ? out.a[i * nx + j] : out.b[i * nu + j - nx];
      worst = Math.max(worst, Math.abs(analytic - (ahead[i] - behind[i]) / 2e-6));
      largest = Math.max(largest, Math.abs(analytic));
    }
  }
  return worst / largest;
}

describe("steps without contact", () => {
  const arm = new ArticulatedModel({
    name: "arm",
    links: [
      {
        name: "shoulder",
        mass: 2,
        inertia: [0.1, 0.2, 0.3, 0.01, 0, 0],
        centerOfMass: [0, 0.2, 0],
        joint: { type: "universal", stiffness: 3, damping: [0.2, 0.4], effortLimit: [5, 0] },
      },
      {
        name: "hand",
        parent: "shoulder",
        mass: 0.7,
        inertia: [0.02, 0.03, 0.01, 0, 0, 0.001],
        joint: { type: "ball", parentFrame: { position: [0, 0.5, 0] }, childFrame: { position: [0.1, 0, 0] } },
      },
    ],
  });

  it("have the Jacobians that differences show", () => {
    const next = mulberry(3);
    const step = freeStep(arm, 0.02);
    expect(Array.from(step.actuated)).toEqual([0, 2, 3, 4]);
    for (let i = 0; i < 5; i++) {
      const some = (n: number): number[] => Array.from({ length: n }, () => normal(next));
      expect(jacobianError(step, some(5), some(5), some(4))).toBeLessThan(1e-7);
    }
  });

  it("can be held together under one control", () => {
    const held = new HeldControlStep(freeStep(cartpole(), 0.01), 7);
    expect(held.timeStep).toBeCloseTo(0.07, 12);
    expect(jacobianError(held, [0.3, 2], [1, -2], [5])).toBeLessThan(1e-7);
  });

  it("bound controls by the limits of effort", () => {
    expect(Array.from(freeStep(cartpole(7), 0.01).controlBounds.lower)).toEqual([-7]);
    expect(freeStep(arm, 0.02).controlBounds.upper).toEqual(Float64Array.of(5, Infinity, Infinity, Infinity));
  });

  it("refuse what makes no sense", () => {
    expectRefused(() => new HeldControlStep(freeStep(cartpole(), 0.01), 1.5), "invalid-argument", /count/);
  });
});
