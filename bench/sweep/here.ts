import type { Finished, Job } from "./job";
import type { Pool } from "./pool";
import { unlessAborted } from "./surroundings";

/**
 * Runs jobs in threads of this process.
 *
 * @param jobs by key
 * @param limit time after which a job is given up, s
 */
export async function runHere(
  jobs: ReadonlyMap<string, Job>,
  pool: Pool,
  limit: number,
  signal: AbortSignal,
  record: (results: ReadonlyMap<string, Finished>) => void,
): Promise<void> {
  // The runners share the iterator: a `for` loop would end it for all of them.
  const rest = jobs.entries();
  const runner = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !signal.aborted; next = rest.next()) {
      const [key, job] = next.value;
      const finished = await unlessAborted(pool.run(job, limit), signal);
      if (finished) record(new Map([[key, finished]]));
    }
  };
  await Promise.all(Array.from({ length: pool.size }, runner));
}
