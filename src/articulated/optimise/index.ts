export { ContactFreeStep, actuatedDofs, effortBounds } from "./contact-free-step";
export { sumOfCosts, TermCost, type CostDerivatives, type CostTerm, type TrajectoryCost } from "./cost";
export {
  HeldControlStep,
  makeDerivatives,
  type DifferentiableStep,
  type ParametricStep,
  type StepDerivatives,
} from "./differentiable-step";
export {
  identify,
  type IdentificationOptions,
  type IdentificationProblem,
  type IdentificationProgress,
  type IdentificationResult,
  type MeasuredTrajectory,
} from "./identify";
export type { RunControl } from "../../tasks/run-control";
export { SimulationStep } from "./simulation-step";
export {
  runTask,
  stepOf,
  type IdentificationTask,
  type ProgressOf,
  type ResultOf,
  type SimulationSetup,
  type Task,
  type TrajectoryTask,
} from "./task";
export {
  optimizeTrajectory,
  type TrajectoryOptions,
  type TrajectoryProblem,
  type TrajectoryResult,
} from "./trajectory";
export type { TrajectoryProgress } from "./run";
export { runInWorker } from "./worker-client";
export type { TaskPort } from "../../tasks/port";
