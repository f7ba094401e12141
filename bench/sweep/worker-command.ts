import { parseArgs } from "node:util";
import { PliantError } from "../../src/errors";
import { crewOf, crewOptions, parseOrRefuse, usage } from "./crew";
import { buildProgram } from "./program";
import { serve } from "./serve";
import type { Surroundings } from "./surroundings";

/**
 * `sweep worker`: takes jobs from a Redis until it is interrupted, and then ends its last ones. It loads no scene itself.
 *
 * @returns the exit code: 0, 1 if no Redis answers, 2 for invalid arguments
 */
export async function workerCommand(args: readonly string[], { log, signal }: Surroundings): Promise<number> {
  try {
    const { values } = parseOrRefuse(() => parseArgs({ args: [...args], options: crewOptions }));
    const crew = crewOf(values, 1);
    if (crew.redis === undefined)
      throw new PliantError("invalid-argument", "--redis", crew.redis, "must be given for a worker");
    const program = await buildProgram();
    log.write(`worker: ${crew.workers} threads, version ${program.version}\n`);
    await serve(crew.redis, program, crew, log, signal);
    return 0;
  } catch (error) {
    const isRefused = error instanceof PliantError;
    log.write(`${error instanceof Error ? error.message : String(error)}\n${isRefused ? `${usage}\n` : ""}`);
    return isRefused ? 2 : 1;
  }
}
