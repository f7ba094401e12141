import { PliantError } from "../../errors";
import type { RunControl } from "./run-control";
import type { ProgressOf, ResultOf, Task } from "./task";
import { listen, type TaskPort, type TaskReply, type TaskRequest } from "./worker-server";

let nextId = 1;

/**
 * Runs a task in a worker that was started with the module `optimise-worker`. Several tasks may run in one worker; they take
 * turns.
 *
 * @param worker a page's `Worker` or one of Node's `worker_threads`; stays alive
 * @throws PliantError as `runTask`; Error where the worker itself failed
 */
export function runInWorker<T extends Task>(
  worker: TaskPort,
  task: T,
  control: RunControl<ProgressOf<T>> = {},
): Promise<ResultOf<T>> {
  const id = nextId++;
  const send = (request: TaskRequest): void => worker.postMessage(request);
  return new Promise((resolve, reject) => {
    const cancel = (): void => send({ type: "cancel", id });
    const stop = listen(worker, (data) => {
      const reply = data as TaskReply;
      if (reply.id !== id) return;
      if (reply.type === "progress") {
        control.onProgress?.(reply.progress as ProgressOf<T>);
        return;
      }
      stop();
      control.signal?.removeEventListener("abort", cancel);
      if (reply.type === "result") resolve(reply.result as ResultOf<T>);
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
