import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, expect } from "vitest";

/** Every run draws the same random cases, so that a failure comes from the code; `PLIANT_SEED` draws others. */
fc.configureGlobal({ seed: Number(process.env.PLIANT_SEED ?? 1) });

/** The longest file takes two minutes on two busy cores. */
const limit = Number(process.env.PLIANT_FILE_LIMIT ?? 8 * 60_000);
/** Files of a process share it. Without Node's own options: those of tests would load a compiler of TypeScript into it. */
const shared = globalThis as { pliantWatchdog?: Worker };
const watchdog = (shared.pliantWatchdog ??= new Worker(new URL("./watchdog.mjs", import.meta.url), { execArgv: [] }));
watchdog.unref();
watchdog.postMessage({ file: expect.getState().testPath, limit });
// The process may continue with other files.
afterAll(() => watchdog.postMessage({}));
