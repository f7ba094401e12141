import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import type { ProgressStream } from "../../samples/cli/progress";
import type { Finished, Job } from "./job";
import { unlessAborted } from "./surroundings";
import { connect, PREFIX, queueOf, type Order } from "./queue";

/** Time between looks, ms. */
const PAUSE = 250;
/** Time after which jobs are handed in once more, ms: Redis may have lost some. */
const AGAIN = 30_000;
/** Time without any worker after which that is said, ms. */
const LONELY = 10_000;
const CHUNK = 500;

/**
 * Hands jobs to workers by Redis and collects what they deliver. A result is taken from Redis only after it is on the disk, and
 * Redis knows a job by its key; so whoever is killed, a restart continues with nothing lost and nothing twice. A Redis that forgets
 * (a restart without persistence, or the last second before a crash) gets the missing jobs again.
 *
 * @param jobs by key
 * @param limit time after which a job is given up, s
 * @param known whether a key belongs to this sweep, recorded or not
 * @throws Error if no Redis answers at the start
 */
export async function collect(
  url: string,
  version: string,
  jobs: ReadonlyMap<string, Job>,
  limit: number,
  known: (key: string) => boolean,
  log: ProgressStream,
  signal: AbortSignal,
  record: (results: ReadonlyMap<string, Finished>) => void,
): Promise<void> {
  const connection = await connect(url);
  const queue = new Queue<Order, Finished>(queueOf(version), {
    connection,
    prefix: PREFIX,
    streams: { events: { maxLen: 100 } },
  });
  queue.on("error", () => undefined);
  const missing = new Map(jobs);
  let handIn = 0;
  // After a restart of the server.
  connection.on("ready", () => (handIn = 0));

  let broken: unknown;
  const keep = (results: ReadonlyMap<string, Finished>): void => {
    signal.throwIfAborted();
    try {
      record(results);
    } catch (error) {
      broken = error;
      throw error;
    }
  };

  /** Records what is done, and returns how much. */
  const take = async (): Promise<number> => {
    const done = await queue.getRanges(["completed", "failed"]);
    const mine = done.filter(known);
    for (let i = 0; i < mine.length; i += CHUNK) {
      const entries = await Promise.all(mine.slice(i, i + CHUNK).map((key) => queue.getJob(key)));
      const results = new Map<string, Finished>();
      for (const entry of entries)
        if (entry?.id !== undefined && missing.has(entry.id))
          results.set(entry.id, entry.returnvalue ?? lostWorkers(entry.failedReason));
      keep(results);
      for (const key of results.keys()) missing.delete(key);
      await Promise.all(entries.map((entry) => entry?.remove()));
    }
    return mine.length;
  };

  const watch = new WorkerWatch(log);
  let last = "";
  const round = async (): Promise<number> => {
    const taken = await take();
    if (performance.now() >= handIn && missing.size > 0) {
      handIn = Infinity;
      const begin = performance.now();
      await handInAll(queue, missing, limit);
      const now = performance.now();
      handIn = Math.min(handIn, now + Math.max(AGAIN, 20 * (now - begin)));
    }
    watch.saw(await queue.getWorkersCount());
    return taken;
  };
  while (missing.size > 0 && !signal.aborted) {
    let taken: number | undefined;
    try {
      // Commands wait for a server that is away; an interruption does not.
      taken = await unlessAborted(round(), signal);
    } catch (error) {
      // A full disk, say; everything else passes.
      if (broken !== undefined) throw broken;
      const message = error instanceof Error ? error.message : String(error);
      if (message !== last && !signal.aborted) log.write(`sweep: ${message}\n`);
      last = message;
    }
    await unlessAborted(sleep(taken ? PAUSE / 10 : PAUSE), signal);
  }
  if (missing.size === 0) await unlessAborted(leaveNothing(queue, known), signal);
  await unlessAborted(queue.close(), signal);
  connection.disconnect();
}

/** Redis ignores a job whose key it has. */
async function handInAll(queue: Queue<Order, Finished>, jobs: ReadonlyMap<string, Job>, limit: number): Promise<void> {
  const all = [...jobs];
  for (let i = 0; i < all.length; i += CHUNK)
    await queue.addBulk(
      all.slice(i, i + CHUNK).map(([jobId, job]) => ({ name: job.scene, data: { job, limit }, opts: { jobId } })),
    );
}

/** Removes what a server that forgot its last second may have brought back. */
async function leaveNothing(queue: Queue<Order, Finished>, known: (key: string) => boolean): Promise<void> {
  const rest = (await queue.getRanges(["waiting", "completed", "failed"])).filter(known);
  // One that a worker has just taken stays.
  await Promise.all(rest.map((key) => queue.remove(key).catch(() => 0)));
}

/** A job fails in Redis only if its workers vanish with it. */
function lostWorkers(reason: string | undefined): Finished {
  return { outcome: { error: `ends its workers: ${reason ?? "no reason"}`, frames: 0, ms: 0 }, node: "", host: "" };
}

/** Says once that nobody works. */
class WorkerWatch {
  private since = performance.now();
  private isSaid = false;

  constructor(private readonly log: ProgressStream) {}

  saw(workers: number): void {
    if (workers > 0) {
      this.since = performance.now();
      this.isSaid = false;
    } else if (!this.isSaid && performance.now() - this.since > LONELY) {
      this.isSaid = true;
      this.log.write("sweep: no worker of this version is there; start some: npm run sweep -- worker --redis URL\n");
    }
  }
}
