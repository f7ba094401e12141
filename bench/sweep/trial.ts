import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { RedisServer } from "./redis-server";
import { outputs } from "./outputs";
import type { StoredResult } from "./store";

/** The things that happen to a sweep. */
export interface Hardship {
  readonly jobs: number;
  readonly workers: number;
  /** time from one killed worker to the next, ms */
  readonly killEvery: number;
  /** killed workers at most */
  readonly kills: number;
  /** fractions of the results at which the server is killed and started on its data, and the sweep itself is killed and continued */
  readonly restartAt: number;
  readonly continueAt: number | undefined;
  /** s */
  readonly lease: number;
}

/** A sweep that runs. */
export interface RunningSweep {
  /** its exit code, as soon as it has one */
  code(): number | null;
  kill(): Promise<void>;
}

/** The outcome of a trial. */
export interface TrialResult {
  /** lines of the file of results */
  readonly lines: readonly StoredResult[];
  /** lines of the table */
  readonly rows: number;
  readonly killed: number;
  readonly restarts: number;
  readonly continued: number;
  readonly seconds: number;
  /** exit code of the sweep */
  readonly code: number | null;
}

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = path.join(import.meta.dirname, "main.ts");

/** Arguments for jobs of a few milliseconds: chains of two lengths, with damping drawn by the seed. */
export const studyOf = (jobs: number): readonly string[] => [
  ...["hanging-chain", "--grid", "length=0.5,1", "--vary", "damping=1:10", "--seeds", String(jobs / 2)],
  ...["--set", "links=8", "--frames", "240"],
];

/**
 * Runs a sweep by a real Redis while workers, the server and the sweep itself are killed without warning.
 *
 * @param startSweep starts a sweep with arguments; its own threads count as no worker
 */
export async function trial(
  hardship: Hardship,
  startSweep: (args: readonly string[], log: (line: string) => void) => RunningSweep,
  log: (line: string) => void,
): Promise<TrialResult> {
  const { jobs, workers, killEvery, kills, lease } = hardship;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-sweep-"));
  const server = await RedisServer.start();
  const hire = (): ChildProcess =>
    command(log, "worker", "--workers", "1", "--lease", String(lease), "--redis", server.url);
  const sweep = (): RunningSweep => startSweep([...studyOf(jobs), "--out", folder, "--redis", server.url], log);
  const results = path.join(folder, "results.jsonl");
  const count = (): number => (fs.existsSync(results) ? fs.readFileSync(results, "utf8").split("\n").length - 1 : 0);

  const begin = performance.now();
  const crew = Array.from({ length: workers }, hire);
  let coordinator = sweep();
  let [killed, restarts, continued] = [0, 0, 0];
  try {
    let nextKill = begin + killEvery;
    while (coordinator.code() === null) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const done = count();
      if (performance.now() >= nextKill && killed < kills && done > 0) {
        nextKill += killEvery;
        const place = killed++ % workers;
        await kill(crew[place]);
        crew[place] = hire();
        log(`${done} results; killed worker ${place + 1}`);
      }
      if (restarts === 0 && done >= hardship.restartAt * jobs) {
        restarts++;
        log(`${done} results; killing Redis`);
        await server.restart();
      }
      if (continued === 0 && hardship.continueAt !== undefined && done >= hardship.continueAt * jobs) {
        continued++;
        log(`${done} results; killing the sweep`);
        await coordinator.kill();
        coordinator = sweep();
      }
    }
    const lines = fs.readFileSync(results, "utf8").trimEnd().split("\n");
    const csv = path.join(folder, outputs.csv);
    return {
      lines: lines.map((line) => JSON.parse(line) as StoredResult),
      rows: fs.existsSync(csv) ? fs.readFileSync(csv, "utf8").trimEnd().split("\n").length - 1 : 0,
      killed,
      restarts,
      continued,
      seconds: (performance.now() - begin) / 1000,
      code: coordinator.code(),
    };
  } finally {
    await Promise.all([...crew.map(kill), coordinator.kill()]);
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A sweep in a process of its own, which leaves the work to others. */
export function sweepProcess(args: readonly string[], log: (line: string) => void): RunningSweep {
  const child = command(log, ...args, "--workers", "0");
  return { code: () => child.exitCode ?? (child.signalCode === null ? null : 1), kill: () => kill(child) };
}

function command(log: (line: string) => void, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ["--import", tsx, main, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  child.stderr!.on("data", (text: Buffer) => log(text.toString().trimEnd()));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, "exit");
  child.kill("SIGKILL");
  await end;
}
