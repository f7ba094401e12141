import { sentError, type TaskReply, type TaskRequest } from "./messages";
import { listen, type TaskPort } from "./port";
import type { RunControl } from "./run-control";

/**
 * Runs the tasks that arrive at a port, and replies there.
 *
 * @param run runs one task
 * @param transfer lists buffers of a result to transfer instead of copying
 */
export function serve<Task, Progress, Result>(
  port: TaskPort,
  run: (task: Task, control: RunControl<Progress>) => Promise<Result>,
  transfer: (result: Result) => ArrayBuffer[] = () => [],
): void {
  const running = new Map<number, AbortController>();
  const reply = (message: TaskReply, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers);
  listen(port, (data) => {
    const request = data as TaskRequest;
    const { id } = request;
    if (request.type === "cancel") {
      running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    if (request.canceled) controller.abort();
    const onProgress = (progress: Progress): void => reply({ type: "progress", id, progress });
    void run(request.task as Task, { signal: controller.signal, onProgress })
      .then((result) => reply({ type: "result", id, result }, transfer(result)))
      .catch((error: unknown) => reply({ type: "error", id, error: sentError(error) }))
      .finally(() => running.delete(id));
  });
}
