import { StepJacobianSolver } from "../../src/articulated/step/derivatives/jacobians";
import { StepLinearisation } from "../../src/articulated/step/derivatives/linearisation";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { Differences } from "./differences";
import type { ArticulatedScene } from "./scenes";
import type { Task } from "./timing";

/**
 * Step of the differences. For central ones it is near the best choice for double precision; for Ridders it is larger
 * at first.
 */
const centralStep = 1e-6;
const riddersStep = 1e-4;

/** The timed tasks of this engine. */
export interface PliantTasks {
  readonly step: Task;
  /** All Jacobians of a step that has been taken. */
  readonly analytic: Task;
  readonly central: Task;
  readonly ridders: Task;
  /** Contacts in the timed state. */
  readonly contacts: number;
  /** Largest difference between the analytic Jacobians and Ridders', over the largest entry. */
  jacobianError(): number;
}

/** The step from a state, always the same state, and its Jacobians computed in all ways. */
export function pliantTasks(scene: ArticulatedScene): PliantTasks {
  const { ground, timeStep, q, qd, tau } = scene;
  const simulation = new ArticulatedSimulation(scene.mechanism, { timeStep, ground, fastMotion: "whole" });
  const { nv } = simulation;
  const outQ = new Float64Array(nv);
  const outQd = new Float64Array(nv);
  const step = () => simulation.advance(q, qd, tau, outQ, outQd);
  step();
  const contacts = simulation.contacts.count;
  const jacobians = simulation.makeJacobians();
  // the last step is differentiated anew each time, because the simulation does it once a step
  const linearisation = new StepLinearisation(simulation.contactStep);
  const solver = new StepJacobianSolver(linearisation);
  const analytic = () => {
    linearisation.compute();
    solver.solve(jacobians, undefined);
  };

  // all Jacobians at once: of (q', q̇') by (q, q̇, τ)
  const other = new ArticulatedSimulation(scene.mechanism, { timeStep, ground, fastMotion: "whole" });
  const x = Float64Array.of(...q, ...qd, ...tau);
  const parts = [0, nv, 2 * nv].map((at) => x.subarray(at, at + nv));
  const advance = (_x: Float64Array, out: Float64Array) => {
    other.advance(parts[0], parts[1], parts[2], outQ, outQd);
    out.set(outQ);
    out.set(outQd, nv);
  };
  const differences = new Differences(advance, 3 * nv, 2 * nv);

  return {
    contacts,
    step: { name: "step", run: step },
    analytic: { name: "Jacobians, analytic", run: analytic },
    central: { name: "Jacobians by central differences", run: () => differences.central(x, centralStep) },
    ridders: { name: "Jacobians by Ridders' method", run: () => differences.ridders(x, riddersStep) },
    jacobianError() {
      step();
      analytic();
      const expected = differences.ridders(x, riddersStep);
      const blocks = [
        [jacobians.positionByPosition, jacobians.positionByVelocity, jacobians.positionByControl],
        [jacobians.velocityByPosition, jacobians.velocityByVelocity, jacobians.velocityByControl],
      ];
      let [worst, size] = [0, 0];
      for (let i = 0; i < 2 * nv; i++)
        for (let j = 0; j < 3 * nv; j++) {
          const block = blocks[Math.floor(i / nv)][Math.floor(j / nv)];
          const reference = expected[i * 3 * nv + j];
          worst = Math.max(worst, Math.abs(block[(i % nv) * nv + (j % nv)] - reference));
          size = Math.max(size, Math.abs(reference));
        }
      return worst / size;
    },
  };
}
