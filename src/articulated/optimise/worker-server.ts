import { PliantError, type PliantErrorCode } from "../../errors";
import { runTask, type ProgressOf, type ResultOf, type Task } from "./task";

/** What goes to the worker. */
export type TaskRequest =
  | { readonly type: "run"; readonly id: number; readonly task: Task; readonly cancelled: boolean }
  | { readonly type: "cancel"; readonly id: number };

/** What comes back. */
export type TaskReply =
  | { readonly type: "progress"; readonly id: number; readonly progress: ProgressOf<Task> }
  | { readonly type: "result"; readonly id: number; readonly result: ResultOf<Task> }
  | { readonly type: "error"; readonly id: number; readonly error: SentError };

/** An error that survives the way: classes do not. */
export interface SentError {
  readonly message: string;
  readonly refused?: {
    readonly code: PliantErrorCode;
    readonly object: string;
    readonly value: unknown;
    readonly rule: string;
  };
}

/** One end of a channel of messages: a worker, or the inside of one. In a page events carry `data`, in Node it comes bare. */
export interface TaskPort {
  postMessage(message: unknown): void;
  addEventListener?(type: "message", listener: (event: { data: unknown }) => void): void;
  removeEventListener?(type: "message", listener: (event: { data: unknown }) => void): void;
  on?(type: "message", listener: (data: unknown) => void): unknown;
  off?(type: "message", listener: (data: unknown) => void): unknown;
}

/** Listens to a port; the returned function stops that. */
export function listen(port: TaskPort, listener: (data: unknown) => void): () => void {
  if (port.on !== undefined) {
    port.on("message", listener);
    return () => port.off?.("message", listener);
  }
  const onEvent = (event: { data: unknown }): void => listener(event.data);
  port.addEventListener?.("message", onEvent);
  return () => port.removeEventListener?.("message", onEvent);
}

/** Runs the tasks that come in at a port, and replies there. */
export function serveTasks(port: TaskPort): void {
  const running = new Map<number, AbortController>();
  const reply = (message: TaskReply): void => port.postMessage(message);
  listen(port, (data) => {
    const request = data as TaskRequest;
    const { id } = request;
    if (request.type === "cancel") {
      running.get(id)?.abort();
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    if (request.cancelled) controller.abort();
    const onProgress = (progress: ProgressOf<Task>): void => reply({ type: "progress", id, progress });
    void runTask(request.task, { signal: controller.signal, onProgress })
      .then((result) => reply({ type: "result", id, result }))
      .catch((error: unknown) => reply({ type: "error", id, error: sentError(error) }))
      .finally(() => running.delete(id));
  });
}

function sentError(error: unknown): SentError {
  if (error instanceof PliantError) {
    const { code, object, rule, message } = error;
    const value = typeof error.value === "function" ? String(error.value) : error.value;
    return { message, refused: { code, object, value, rule } };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}
