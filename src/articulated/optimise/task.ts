import type { Vec3 } from "../../math/types";
import type { LinkShape, MechanismDescription } from "../description";
import { ArticulatedModel } from "../model";
import { ContactFreeStep, effortBounds } from "./contact-free-step";
import type { CostTerm } from "./cost";
import type { DifferentiableStep } from "./differentiable-step";
import type { RunControl } from "./run-control";
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
  /** Δt [s] */
  readonly timeStep: number;
  /** [m/s²], default [0, −9.81, 0] */
  readonly gravity?: Vec3;
  /** shapes of the world; without any, and with `contact` false, nothing touches */
  readonly ground?: readonly LinkShape[];
  /** whether links touch the ground and each other, default true */
  readonly contact?: boolean;
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

/** The step that a setup describes. */
export function stepOf(setup: SimulationSetup): DifferentiableStep & { readonly model: ArticulatedModel } {
  const model = new ArticulatedModel(setup.mechanism);
  return new ContactFreeStep(model, setup.timeStep, setup.gravity);
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
