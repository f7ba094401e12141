import os from "node:os";
import { Piscina } from "piscina";
import type { Finished, Job, Outcome } from "./job";

/** Runs jobs in worker threads; the thread of the caller stays free to answer others. */
export class Pool {
  private readonly threads: Piscina<Job, Outcome>;

  /**
   * @param file of the program
   * @param size threads
   */
  constructor(
    file: string,
    readonly size: number,
  ) {
    // Without options of this process: a compiler of TypeScript in each thread, which runs a bundle.
    const threads = { execArgv: [], minThreads: size, maxThreads: size };
    this.threads = new Piscina({ filename: file, atomics: "disabled", ...threads });
    // A thread that ends while it has no job is replaced; the one that had a job rejects it.
    this.threads.on("error", () => undefined);
  }

  /**
   * Never rejects.
   *
   * @param limit time after which the job is given up, s
   */
  async run(job: Job, limit: number): Promise<Finished> {
    const begin = performance.now();
    const signal = AbortSignal.timeout(1000 * limit);
    let outcome: Outcome;
    try {
      outcome = await this.threads.run(job, { signal });
    } catch (error) {
      const why = signal.aborted ? `takes longer than ${limit} s` : `ends its thread: ${(error as Error).message}`;
      outcome = { error: why, frames: 0, ms: Math.round(performance.now() - begin) };
    }
    return { outcome, node: process.versions.node, host: os.hostname() };
  }

  /** Ends the threads, with what they run. */
  dispose(): Promise<void> {
    return this.threads.destroy();
  }
}
