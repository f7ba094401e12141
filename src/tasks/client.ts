import { receivedError, type TaskReply, type TaskRequest } from "./messages";
import { listen, type TaskPort } from "./port";
import type { RunControl } from "./run-control";

let nextId = 1;

/**
 * Runs a task in a worker that serves such tasks. Several tasks may run in one worker; they take turns.
 *
 * @param worker a page's `Worker` or one of Node's `worker_threads`; it keeps running
 * @throws PliantError as the task; Error if the worker itself failed
 */
export function runAt<Task, Progress, Result>(
  worker: TaskPort,
  task: Task,
  control: RunControl<Progress> = {},
): Promise<Result> {
  const id = nextId++;
  const send = (request: TaskRequest): void => worker.postMessage(request, []);
  return new Promise((resolve, reject) => {
    const cancel = (): void => send({ type: "cancel", id });
    const stop = listen(worker, (data) => {
      const reply = data as TaskReply;
      if (reply.id !== id) return;
      if (reply.type === "progress") {
        control.onProgress?.(reply.progress as Progress);
        return;
      }
      stop();
      control.signal?.removeEventListener("abort", cancel);
      if (reply.type === "result") resolve(reply.result as Result);
      else reject(receivedError(reply.error));
    });
    control.signal?.addEventListener("abort", cancel);
    send({ type: "run", id, task, canceled: control.signal?.aborted ?? false });
  });
}
