import { describe, expect, it } from "vitest";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import type { MechanismDescription } from "../../../src/articulated/description";
import { makeDerivatives } from "../../../src/articulated/optimise/differentiable-step";
import { runTask, stepOf, type IdentificationTask, type SimulationSetup } from "../../../src/articulated/optimise/task";
import type { StepParameter } from "../../../src/articulated/step/derivatives/parameters";
import { RandomGeometry } from "../../collision/random";
import { randomTree } from "../random-mechanism";
import { mulberry } from "../../../samples/random";
import { normal } from "./mechanisms";

/** Three hinges and slides in a random tree, each with dry friction. */
function mechanismOf(seed: number): MechanismDescription {
  const tree = randomTree(new RandomGeometry(seed), 3, ["revolute", "prismatic"]);
  const links = tree.links.map((link) => ({
    ...link,
    joint: { ...link.joint, stiffness: 5, damping: 0.4, armature: 0.15, frictionLoss: 0.3, initialPosition: 0.2 },
  }));
  return { ...tree, links };
}

const STEPS = 250;

/** Positions and velocities of every second step with noise, under sums of sines as controls. */
function measure(setup: SimulationSetup, seed: number, sigma: number, amplitude: number) {
  const step = stepOf(setup);
  const { nv, nu } = step;
  const next = mulberry(seed);
  const phases = Array.from({ length: 3 * nu }, () => 6 * next());
  const controls = Float64Array.from({ length: STEPS * nu }, (_, i) => {
    const [k, j] = [Math.floor(i / nu), i % nu];
    const t = k * step.timeStep;
    return amplitude * (Math.sin(7 * t + phases[3 * j]) + Math.sin(17 * t + phases[3 * j + 1]));
  });
  const q = step.model.initialPosition.slice();
  const qd = new Float64Array(nv);
  const [positions, velocities]: [number[], number[]] = [[], []];
  for (let k = 0; k < STEPS; k++) {
    step.step(q, qd, controls.subarray(k * nu, (k + 1) * nu), q, qd);
    if (k % 2 === 0) continue;
    positions.push(...q.map((value) => value + sigma * normal(next)));
    velocities.push(...qd.map((value) => value + 10 * sigma * normal(next)));
  }
  const { initialPosition: position } = step.model;
  return {
    position: [...position],
    velocity: new Array<number>(nv).fill(0),
    every: 2,
    controls,
    positions,
    velocities,
  };
}

async function errorsOf(
  setup: SimulationSetup,
  identified: readonly StepParameter[],
  truth: readonly number[],
  seed: number,
  sigma: number,
  amplitude: number,
) {
  const task: IdentificationTask = {
    ...setup,
    identified,
    trajectories: [measure(setup, seed, sigma, amplitude)],
    parameters: truth.map((value, i) => value * (i % 2 === 0 ? 0.5 : 1.8)),
    weights: 1 / Math.max(sigma, 1e-9),
    velocityWeights: 0.1 / Math.max(sigma, 1e-9),
  };
  const result = await runTask(structuredClone(task));
  const errors = truth.map((value, i) => result.parameters[i] - value);
  return { ...result, errors };
}

describe("identification of joints", () => {
  it.each([1, 2, 3])("finds damping, friction loss, armature and stiffness from noisy data, tree %i", async (seed) => {
    const mechanism = mechanismOf(seed);
    const kinds = { damping: 0.4, "friction-loss": 0.3, armature: 0.15, stiffness: 5 } as const;
    const identified = mechanism.links.flatMap(({ name }) =>
      (["damping", "friction-loss", "armature", "stiffness"] as const).map((kind) => ({ kind, joint: name })),
    );
    const truth = identified.map(({ kind }) => kinds[kind]);
    const setup: SimulationSetup = { mechanism, simulation: { timeStep: 0.01, gravity: [0, 0, 0] } };
    const { errors, standardErrors, status } = await errorsOf(setup, identified, truth, seed, 3e-4, 6);
    expect(["converged", "stalled"]).toContain(status);
    errors.forEach((error, i) => {
      expect(Math.abs(error)).toBeLessThan(4 * standardErrors[i]);
      expect(Math.abs(error)).toBeLessThan(0.05 * truth[i]);
    });
  });

  it.each([4, 5])("finds gains of servos by their inputs, tree %i", async (seed) => {
    const mechanism = mechanismOf(seed);
    const [a, b, c] = mechanism.links.map(({ name }) => ({ name, joints: [{ joint: name, coefficient: 1.5 }] }));
    const actuators: ActuatorDescription[] = [
      { ...a, gain: 60, bias: [0, -60, -4] },
      { ...b, gain: 9, bias: [0, 0, -9], controlRange: [-1, 1] },
      { ...c, gain: 2, bias: [0, 0, 0] },
    ];
    const setup: SimulationSetup = { mechanism, simulation: { timeStep: 0.01, actuators }, drive: "inputs" };
    const identified: StepParameter[] = [
      { kind: "servo-stiffness", actuator: a.name },
      { kind: "servo-damping", actuator: a.name },
      { kind: "servo-damping", actuator: b.name },
      { kind: "actuator-gain", actuator: c.name },
    ];
    const truth = [60, 4, 9, 2];
    const { errors, standardErrors } = await errorsOf(setup, identified, truth, seed, 1e-3, 1);
    errors.forEach((error, i) => {
      expect(Math.abs(error)).toBeLessThan(4 * standardErrors[i]);
      expect(Math.abs(error)).toBeLessThan(0.05 * truth[i]);
    });
  });
});

describe("steps driven by inputs of actuators", () => {
  it("have the derivatives by these inputs, forward and back", () => {
    const mechanism = mechanismOf(6);
    const [a, b, c] = mechanism.links.map(({ name }) => ({ name, joints: [{ joint: name, coefficient: 1.5 }] }));
    const actuators: ActuatorDescription[] = [
      { ...a, gain: 60, bias: [0, -60, -4] },
      { ...b, gain: 9, bias: [0, 0, -9], controlRange: [-1, 1] },
      { name: "both", joints: [...b.joints, ...c.joints], gain: 2, bias: [0, 0, 0] },
    ];
    const step = stepOf({ mechanism, simulation: { timeStep: 0.01, actuators }, drive: "inputs" });
    const { nv, nu } = step;
    const [q, qd] = [Float64Array.of(0.1, -0.3, 0.2), Float64Array.of(1, -0.5, 2)];
    const out = makeDerivatives(step);
    const after = new Float64Array(2 * nv);
    // The second input is beyond its range.
    const u = Float64Array.of(0.3, 2, -0.6);
    step.stepWithJacobians(q, qd, u, after.subarray(0, nv), after.subarray(nv), out);
    const at = (j: number, by: number): Float64Array => {
      const moved = u.map((value, i) => (i === j ? value + by : value));
      const result = new Float64Array(2 * nv);
      step.step(q, qd, moved, result.subarray(0, nv), result.subarray(nv));
      return result;
    };
    for (let j = 0; j < nu; j++) {
      const [ahead, behind] = [at(j, 1e-4), at(j, -1e-4)];
      for (let i = 0; i < 2 * nv; i++) expect(out.b[i * nu + j]).toBeCloseTo((ahead[i] - behind[i]) / 2e-4, 7);
    }
    const gradient = Float64Array.from({ length: 2 * nv }, (_, i) => Math.cos(i));
    const back = { x: new Float64Array(2 * nv), u: new Float64Array(nu) };
    step.pullBack(q, qd, u, gradient, back, false);
    for (let j = 0; j < nu; j++) {
      const expected = gradient.reduce((sum, g, i) => sum + g * out.b[i * nu + j], 0);
      expect(back.u[j]).toBeCloseTo(expected, 10);
    }
    expect(step.controlBounds.upper).toEqual(Float64Array.of(Infinity, 1, Infinity));
  });
});
