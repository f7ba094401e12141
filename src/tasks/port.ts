/**
 * One end of a channel of messages: a worker, or the inside of one. In a page, events carry the message in `data`; in
 * Node, listeners receive the message itself.
 */
export interface TaskPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener?(type: "message", listener: (event: { data: unknown }) => void): void;
  removeEventListener?(type: "message", listener: (event: { data: unknown }) => void): void;
  on?(type: "message", listener: (data: unknown) => void): unknown;
  off?(type: "message", listener: (data: unknown) => void): unknown;
}

/** Listens to a port; the returned function stops listening. */
export function listen(port: TaskPort, listener: (data: unknown) => void): () => void {
  if (port.on !== undefined) {
    port.on("message", listener);
    return () => port.off?.("message", listener);
  }
  const onEvent = (event: { data: unknown }): void => listener(event.data);
  port.addEventListener?.("message", onEvent);
  return () => port.removeEventListener?.("message", onEvent);
}

/** A module of Node by name; undefined outside Node. */
export function nodeModule<T>(name: string): T | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } };
  return process?.getBuiltinModule?.(`node:${name}`) as T | undefined;
}

/** The port to the thread that started this worker. */
export function parentPort(): TaskPort {
  const threads = nodeModule<{ parentPort: TaskPort | null }>("worker_threads");
  return threads?.parentPort ?? (globalThis as unknown as TaskPort);
}
