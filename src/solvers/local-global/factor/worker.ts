/** The script of the worker that makes factors; `scripts/build-worker.mjs` bundles it into `src/generated/factor-worker.ts`. */
import { parentPort } from "../../../tasks/port";
import { serve } from "../../../tasks/server";
import { buffersOf, runFactorTask } from "./task";

serve(parentPort(), runFactorTask, buffersOf);
