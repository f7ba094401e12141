import path from "node:path";
import { PliantError } from "../../src/errors";
import { Progress } from "../../samples/cli/progress";
import { parseSweep, type SweepRequest } from "./arguments";
import { usage } from "./crew";
import { runHere } from "./here";
import { keyOf, replayOf, type Finished, type Job } from "./job";
import { outputs, writeOutputs } from "./outputs";
import { jobsOf } from "./plan";
import { Pool } from "./pool";
import { buildProgram, type Program } from "./program";
import type { Surroundings } from "./surroundings";
import { Store } from "./store";

/** Failed jobs that are printed; the rest is in a file. */
const SHOWN = 10;

/**
 * The `sweep` command: parameter studies of scenes, in threads of this process or by workers that share a Redis.
 *
 * @returns the exit code: 0, 1 if a job failed or nothing could be run, 2 for invalid arguments, 130 if it was interrupted
 */
export async function sweepCommand(args: readonly string[], around: Surroundings): Promise<number> {
  let jobs: readonly Job[];
  let request: SweepRequest | undefined;
  try {
    request = parseSweep(args);
    if (request === undefined) {
      around.print(usage);
      return 0;
    }
    jobs = jobsOf(request.study);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    around.log.write(`${error.message}\n${usage}\n`);
    return 2;
  }
  try {
    return await sweep(request, jobs, around);
  } catch (error) {
    around.log.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function sweep(request: SweepRequest, jobs: readonly Job[], around: Surroundings): Promise<number> {
  const { study, out, retry } = request;
  const store = Store.open(out);
  try {
    const program = await buildProgram();
    const { version } = program;
    const all = new Map(jobs.map((job) => [keyOf(job, version), job]));
    const isDone = (key: string): boolean => {
      const stored = store.get(key);
      return stored !== undefined && !(retry && stored.outcome.error !== undefined);
    };
    const missing = new Map([...all].filter(([key]) => !isDone(key)));
    const before = all.size - missing.size;
    if (store.broken > 0) around.log.write(`${store.broken} broken lines of results are left out\n`);
    if (before > 0) around.log.write(`${before} of ${all.size} results are there already\n`);
    const progress = new Progress(study.scene.name, around.log, "job");
    let done = before;
    const record = (results: ReadonlyMap<string, Finished>): void => {
      store.append([...results].map(([key, finished]) => ({ key, version, job: all.get(key)!, ...finished })));
      done += results.size;
      if (results.size > 0) progress.update(done, all.size);
    };
    if (missing.size > 0) await runAll(request, program, missing, (key) => all.has(key), around, record);
    const results = [...all.keys()].flatMap((key) => store.get(key) ?? []);
    await writeOutputs(out, study.scene, results);
    const failed = results.filter(({ outcome }) => outcome.error !== undefined);
    for (const { job, outcome } of failed.slice(0, SHOWN)) around.print(`${replayOf(job)}\n    ${outcome.error}`);
    if (failed.length > SHOWN) around.print(`and ${failed.length - SHOWN} more: ${path.join(out, outputs.failed)}`);
    around.print(`${results.length} of ${all.size} jobs, ${failed.length} failed: ${path.join(out, outputs.page)}`);
    if (results.length < all.size) {
      around.print("The same command continues.");
      return 130;
    }
    return failed.length > 0 ? 1 : 0;
  } finally {
    store.close();
  }
}

async function runAll(
  request: SweepRequest,
  program: Program,
  missing: ReadonlyMap<string, Job>,
  known: (key: string) => boolean,
  around: Surroundings,
  record: (results: ReadonlyMap<string, Finished>) => void,
): Promise<void> {
  const { redis, timeout, workers } = request;
  if (redis === undefined) {
    const pool = new Pool(program.file, Math.min(workers, missing.size));
    await runHere(missing, pool, timeout, around.signal, record).finally(() => pool.dispose());
    return;
  }
  const [{ collect }, { serve }] = await Promise.all([import("./collect"), import("./serve")]);
  const end = new AbortController();
  const signal = AbortSignal.any([around.signal, end.signal]);
  const helpers = workers > 0 ? serve(redis, program, request, around.log, signal) : undefined;
  // It ends before the jobs only if no Redis answers, and then both do.
  helpers?.catch(() => undefined);
  await collect(redis, program.version, missing, timeout, known, around.log, around.signal, record).finally(() =>
    end.abort(),
  );
  await helpers;
}
