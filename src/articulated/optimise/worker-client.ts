import { runAt } from "../../tasks/client";
import type { TaskPort } from "../../tasks/port";
import type { RunControl } from "../../tasks/run-control";
import type { ProgressOf, ResultOf, Task } from "./task";

/**
 * Runs a task in a worker that was started with the module `optimize-worker`. Several tasks may run in one worker; they take
 * turns.
 *
 * @param worker a page's `Worker` or one of Node's `worker_threads`; it keeps running
 * @throws PliantError as `runTask`; Error if the worker itself failed
 */
export function runInWorker<T extends Task>(
  worker: TaskPort,
  task: T,
  control: RunControl<ProgressOf<T>> = {},
): Promise<ResultOf<T>> {
  return runAt(worker, task, control);
}
