import { PliantError } from "../../errors";
import type { RunControl } from "./run-control";
import type { TrajectoryTask } from "./task";
import type { TrajectoryProgress, TrajectoryResult } from "./trajectory";
import { listen, type TaskPort, type TaskReply, type TaskRequest } from "./worker-server";

let nextId = 1;

/**
 * Runs a task in a worker that was started with the module `optimise-worker`. Several tasks may run in one worker; they take
 * turns.
 *
 * @param worker a page's `Worker` or one of Node's `worker_threads`; stays alive
 * @throws PliantError as `optimizeTrajectory`; Error where the worker itself failed
 */
export function runInWorker(
  worker: TaskPort,
  task: TrajectoryTask,
  control: RunControl<TrajectoryProgress> = {},
): Promise<TrajectoryResult> {
  const id = nextId++;
  const send = (request: TaskRequest): void => worker.postMessage(request);
  return new Promise((resolve, reject) => {
    const cancel = (): void => send({ type: "cancel", id });
    const stop = listen(worker, (data) => {
      const reply = data as TaskReply;
      if (reply.id !== id) return;
      if (reply.type === "progress") {
        control.onProgress?.(reply.progress);
        return;
      }
      stop();
      control.signal?.removeEventListener("abort", cancel);
      if (reply.type === "result") resolve(reply.result);
      else reject(received(reply.error));
    });
    control.signal?.addEventListener("abort", cancel);
    send({ type: "run", id, task, cancelled: control.signal?.aborted ?? false });
  });
}

function received({ message, refused }: Extract<TaskReply, { type: "error" }>["error"]): Error {
  if (refused === undefined) return new Error(message);
  return new PliantError(refused.code, refused.object, refused.value, refused.rule);
}
