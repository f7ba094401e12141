import { factorWorkerSource } from "../../../generated/factor-worker";
import { BackgroundTasks } from "../../../tasks/background";
import { type FactorResult, type FactorTask, runFactorTask } from "./task";

/** Makes factors of all bodies off this thread. */
export const factorTasks = new BackgroundTasks<FactorTask, number, FactorResult>(factorWorkerSource, runFactorTask);
