/**
 * A module worker that runs tasks of `runInWorker`: in a page `new Worker(url, { type: "module" })`, in Node a
 * `worker_threads` Worker.
 */
import { serveTasks, type TaskPort } from "./worker-server";

const node = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;
const threads = node?.getBuiltinModule?.("node:worker_threads") as { parentPort: TaskPort | null } | undefined;
serveTasks(threads?.parentPort ?? (globalThis as unknown as TaskPort));
