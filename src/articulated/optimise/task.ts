import type { MechanismDescription } from "../description";
import type { SimulationOptions } from "../step/options";
import type { StepParameter } from "../step/derivatives/parameters";
import { ArticulatedSimulation } from "../step/simulation";
import type { CostTerm } from "./cost/cost";
import {
  identify,
  type IdentificationOptions,
  type IdentificationProblem,
  type IdentificationProgress,
  type IdentificationResult,
} from "./identify";
import type { RunControl } from "../../tasks/run-control";
import type { TrajectoryProgress } from "./run";
import { SimulationStep } from "./simulation-step";
import {
  optimizeTrajectory,
  type TrajectoryOptions,
  type TrajectoryPolicy,
  type TrajectoryProblem,
  type TrajectoryResult,
} from "./trajectory";

/** A mechanism and the options of its simulation, as plain data. */
export interface SimulationSetup {
  readonly mechanism: MechanismDescription;
  /** options of `ArticulatedSimulation` */
  readonly simulation?: SimulationOptions;
  /**
   * Controls: "efforts" (default) are forces of the joints that have an `effortLimit`, "inputs" those of the motors and servos among the
   * options of the simulation.
   */
  readonly drive?: "efforts" | "inputs";
}

/** `optimizeTrajectory` as plain data that can be sent to a worker. Default bounds are the limits of effort. */
export interface TrajectoryTask
  extends SimulationSetup, Omit<TrajectoryProblem, "step" | "cost" | "position" | "velocity" | "controls"> {
  /** first guess, as of `optimizeTrajectory`, but for a policy: a worker cannot be sent one */
  readonly controls?: Exclude<TrajectoryProblem["controls"], TrajectoryPolicy>;
  readonly cost: readonly CostTerm[];
  /** initial state, default that of the mechanism's description */
  readonly position?: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
  readonly options?: Omit<TrajectoryOptions, keyof RunControl<TrajectoryProgress>>;
}

/** `identify` as plain data that can be sent to a worker. */
export interface IdentificationTask extends SimulationSetup, Omit<IdentificationProblem, "step"> {
  /** parameters to identify */
  readonly identified: readonly StepParameter[];
  readonly options?: Omit<IdentificationOptions, keyof RunControl<IdentificationProgress>>;
}

export type Task = TrajectoryTask | IdentificationTask;

/** Types of a task's progress reports, and of its result. */
export type ProgressOf<T extends Task> = T extends IdentificationTask ? IdentificationProgress : TrajectoryProgress;
export type ResultOf<T extends Task> = T extends IdentificationTask ? IdentificationResult : TrajectoryResult;

/**
 * The steps of a setup, with controls for the joints that have an actuator. Steps are whole if contacts may appear and
 * disappear.
 */
export function stepOf(
  { mechanism, simulation, drive }: SimulationSetup,
  identified: readonly StepParameter[] = [],
): SimulationStep {
  const touches = simulation?.ground !== undefined || simulation?.selfCollision === "distant";
  const fastMotion = touches ? "whole" : "parts";
  return new SimulationStep(new ArticulatedSimulation(mechanism, { fastMotion, ...simulation }), identified, drive);
}

/** Runs a task on this thread. @throws PliantError as `optimizeTrajectory` and `identify` */
export async function runTask<T extends Task>(task: T, control: RunControl<ProgressOf<T>> = {}): Promise<ResultOf<T>> {
  const result = isIdentification(task)
    ? await identify({ ...task, step: stepOf(task, task.identified) }, { ...task.options, ...control })
    : await runTrajectory(task, control as RunControl<TrajectoryProgress>);
  return result as ResultOf<T>;
}

function isIdentification(task: Task): task is IdentificationTask {
  return "identified" in task;
}

function runTrajectory(task: TrajectoryTask, control: RunControl<TrajectoryProgress>): Promise<TrajectoryResult> {
  const step = stepOf(task);
  const { initialPosition, initialVelocity } = step.model;
  return optimizeTrajectory(
    { position: initialPosition, velocity: initialVelocity, ...step.controlBounds, ...task, step },
    { ...task.options, ...control },
  );
}
