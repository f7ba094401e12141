import type { Finished, Job } from "./job";
import type { Pool } from "./pool";

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
  const stop = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const runner = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !signal.aborted; next = rest.next()) {
      const [key, job] = next.value;
      const finished = await Promise.race([pool.run(job, limit), stop]);
      if (finished !== undefined) record(new Map([[key, finished]]));
    }
  };
  await Promise.all(Array.from({ length: pool.size }, runner));
}
