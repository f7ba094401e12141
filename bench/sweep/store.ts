import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { PliantError } from "../../src/errors";
import type { Finished, Job } from "./job";

/** A line of the file of results. */
export interface StoredResult extends Finished {
  readonly key: string;
  readonly version: string;
  readonly job: Job;
}

/**
 * Results on disk by key: one line of JSON each, appended. A process that ends within a line leaves a broken last line, which the
 * next one cuts off; its job is run again.
 */
export class Store {
  private constructor(
    private readonly file: number,
    private readonly lock: string,
    private readonly results: Map<string, StoredResult>,
    /** lines in the middle that nobody can read; their jobs are run again */
    readonly broken: number,
  ) {}

  /**
   * @param folder made if it is missing
   * @throws PliantError if another process writes there
   */
  static open(folder: string): Store {
    fs.mkdirSync(folder, { recursive: true });
    const lock = path.join(folder, "lock");
    takeLock(lock, folder);
    const name = path.join(folder, "results.jsonl");
    const bytes = fs.existsSync(name) ? fs.readFileSync(name) : Buffer.alloc(0);
    // A line counts from its end on: what follows the last one was not written completely.
    const end = bytes.lastIndexOf("\n") + 1;
    if (end < bytes.length) fs.truncateSync(name, end);
    const { results, broken } = read(bytes.subarray(0, end).toString("utf8"));
    return new Store(fs.openSync(name, "a"), lock, results, broken);
  }

  get(key: string): StoredResult | undefined {
    return this.results.get(key);
  }

  /** Writes results to the disk, and returns when they are there. A later result of a key takes the place of an earlier one. */
  append(results: readonly StoredResult[]): void {
    if (results.length === 0) return;
    // A full disk ends the process here, before the result counts anywhere.
    fs.writeFileSync(this.file, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
    fs.fdatasyncSync(this.file);
    for (const result of results) this.results.set(result.key, result);
  }

  close(): void {
    fs.closeSync(this.file);
    fs.rmSync(this.lock, { force: true });
  }
}

function read(text: string): { results: Map<string, StoredResult>; broken: number } {
  const results = new Map<string, StoredResult>();
  let broken = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const result = JSON.parse(line) as StoredResult;
      results.set(result.key, result);
    } catch {
      broken++;
    }
  }
  return { results, broken };
}

/** A lock of a process that has ended does not count. */
function takeLock(lock: string, folder: string): void {
  const mine = `${process.pid} ${os.hostname()}`;
  for (let tries = 0; tries < 3; tries++) {
    try {
      fs.writeFileSync(lock, mine, { flag: "wx" });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const [pid, host] = fs.readFileSync(lock, "utf8").split(" ");
    if (host !== os.hostname() || isAlive(Number(pid))) {
      const rule = `must not be written by another sweep: process ${pid} of ${host} does (${lock})`;
      throw new PliantError("invalid-argument", "--out", folder, rule);
    }
    fs.rmSync(lock, { force: true });
  }
  throw new PliantError("invalid-argument", "--out", folder, "must not be written by another sweep");
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
