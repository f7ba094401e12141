import { runInWorker } from "../../src/articulated/optimise/worker-client";
import type { TaskRunner } from "../scene";

/** Runs optimizations of a session off the page's thread. The worker starts with the first of them. */
export function taskWorker(): { readonly run: TaskRunner; dispose(): void } {
  let worker: Worker | undefined;
  return {
    run: (task, control) => {
      // Beside the page: this file may be in a chunk in another folder.
      worker ??= new Worker(new URL("optimize-worker.js", document.baseURI), { type: "module" });
      const broken = new Promise<never>((_, reject) => {
        worker!.addEventListener("error", (event) => reject(new Error(`the optimizer failed: ${event.message}`)));
      });
      return Promise.race([runInWorker(worker, task, control), broken]);
    },
    dispose: () => worker?.terminate(),
  };
}
