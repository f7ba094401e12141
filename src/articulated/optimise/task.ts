import type { MechanismDescription } from "../description";
import type { SimulationOptions } from "../step/options";
import { ArticulatedSimulation } from "../step/simulation";
import { effortBounds } from "./contact-free-step";
import type { CostTerm } from "./cost";
import type { RunControl } from "./run-control";
import { SimulationStep } from "./simulation-step";
import {
  optimizeTrajectory,
  type TrajectoryOptions,
  type TrajectoryProblem,
  type TrajectoryProgress,
  type TrajectoryResult,
} from "./trajectory";

/** A mechanism and how it is simulated, as plain data. */
export interface SimulationSetup {
  readonly mechanism: MechanismDescription;
  /** as of `ArticulatedSimulation` */
  readonly simulation?: SimulationOptions;
}

/** `optimizeTrajectory` as plain data that can be sent to a worker. Bounds default to the limits of effort. */
export interface TrajectoryTask
  extends SimulationSetup, Omit<TrajectoryProblem, "step" | "cost" | "position" | "velocity"> {
  readonly cost: readonly CostTerm[];
  /** state at the start, default that of the mechanism's description */
  readonly position?: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
  readonly options?: Omit<TrajectoryOptions, keyof RunControl<TrajectoryProgress>>;
}

/** The steps of a setup, with controls for the joints that have an actuator. */
export function stepOf(setup: SimulationSetup): SimulationStep {
  return new SimulationStep(new ArticulatedSimulation(setup.mechanism, setup.simulation));
}

/**
 * Runs a task on this thread.
 *
 * @throws PliantError as `optimizeTrajectory`
 */
export function runTask(task: TrajectoryTask, control: RunControl<TrajectoryProgress> = {}): Promise<TrajectoryResult> {
  const step = stepOf(task);
  const { initialPosition, initialVelocity } = step.model;
  return optimizeTrajectory(
    { position: initialPosition, velocity: initialVelocity, ...effortBounds(step.model), ...task, step },
    { ...task.options, ...control },
  );
}
