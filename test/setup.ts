import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, expect } from "vitest";

/** Every run draws the same random cases, so that a failure comes from the code; `PLIANT_SEED` draws others. */
fc.configureGlobal({ seed: Number(process.env.PLIANT_SEED ?? 1) });

/** The longest file takes two minutes on two busy cores. */
const limit = Number(process.env.PLIANT_FILE_LIMIT ?? 8 * 60_000);
const watchdog = new Worker(new URL("./watchdog.mjs", import.meta.url), {
  workerData: { file: expect.getState().testPath, limit },
});
watchdog.unref();
// The process may continue with other files.
afterAll(() => watchdog.terminate());
