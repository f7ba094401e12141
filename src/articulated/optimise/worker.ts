/**
 * A module worker that runs tasks of `runInWorker`: in a page `new Worker(url, { type: "module" })`, in Node a
 * `worker_threads` Worker.
 */
import { parentPort } from "../../tasks/port";
import { serveTasks } from "./worker-server";

serveTasks(parentPort());
