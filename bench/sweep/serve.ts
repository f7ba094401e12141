import { Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { ProgressStream } from "../../samples/cli/progress";
import type { Crew } from "./crew";
import type { Finished } from "./job";
import { Pool } from "./pool";
import type { Program } from "./program";
import { unlessAborted } from "./surroundings";
import { connect, PREFIX, queueOf, type Order } from "./queue";

/** A job whose worker vanished this often is at fault itself. */
const MOST_LOST_WORKERS = 5;
/** ms */
const LOOK_AROUND = 30_000;

/**
 * Takes jobs of a version from Redis until the signal, and then ends its last ones. Jobs of a worker that vanishes go to others
 * when its lease is over; a living one renews it.
 *
 * @throws Error if no Redis answers
 */
export async function serve(
  url: string,
  program: Program,
  { workers, lease }: Crew,
  log: ProgressStream,
  signal: AbortSignal,
): Promise<void> {
  const connection = await connect(url);
  const pool = new Pool(program.file, workers);
  const worker = new Worker<Order, Finished>(queueOf(program.version), ({ data }) => pool.run(data.job, data.limit), {
    connection,
    prefix: PREFIX,
    concurrency: workers,
    lockDuration: 1000 * lease,
    stalledInterval: 500 * lease,
    maxStalledCount: MOST_LOST_WORKERS,
  });
  let last = "";
  worker.on("error", ({ message }) => {
    // It goes on by itself when the server is back.
    if (message !== last) log.write(`worker: ${message}\n`);
    last = message;
  });
  const told = new Set<string>();
  const lookAround = (): Promise<void> => nameOthers(connection, program.version, told, log).catch(() => undefined);
  void lookAround();
  const timer = setInterval(() => void lookAround(), LOOK_AROUND);
  await unlessAborted(new Promise<never>(() => undefined), signal);
  clearInterval(timer);
  // Nobody can report to a server that is away: others get the jobs after the lease.
  const away = new Promise<void>((resolve) => {
    if (connection.status !== "ready") resolve();
    connection.once("close", resolve);
  });
  await Promise.race([worker.close(), away]);
  await pool.dispose();
  connection.disconnect();
}

/** Tells of jobs that wait for other versions of the code: whoever started this worker may have meant those. */
async function nameOthers(client: Redis, version: string, told: Set<string>, log: ProgressStream): Promise<void> {
  const start = `${PREFIX}:${queueOf("")}`;
  for await (const keys of client.scanStream({ match: `${start}*:wait`, count: 1000 }))
    for (const key of keys as string[]) {
      const other = key.slice(start.length, -":wait".length);
      if (other === version || told.has(other)) continue;
      told.add(other);
      log.write(
        `worker: jobs of version ${other} wait here; this is ${version}, and leaves them to workers with that code\n`,
      );
    }
}
