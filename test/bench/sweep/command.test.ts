import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweepCommand } from "../../../bench/sweep/command";
import { Pool } from "../../../bench/sweep/pool";
import { buildProgram } from "../../../bench/sweep/program";
import type { StoredResult } from "../../../bench/sweep/store";
import { workerCommand } from "../../../bench/sweep/worker-command";
import { runScene } from "../../../samples/run-scene";
import { sceneNamed } from "../../../samples/scenes/index";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "sweep-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** Interrupted when so many results are recorded. */
async function sweep(args: readonly string[], interruptAt = Infinity): Promise<{ code: number; text: string }> {
  let text = "";
  const interrupt = new AbortController();
  const write = (line: string): void => {
    text += line;
    if (Number(/job (\d+) of/.exec(line)?.[1]) >= interruptAt) interrupt.abort();
  };
  const print = (line: string): void => write(`${line}\n`);
  const around = { print, log: { write }, signal: interrupt.signal };
  return { code: await sweepCommand([...args, "--out", folder], around), text };
}

const lines = (): StoredResult[] =>
  fs
    .readFileSync(path.join(folder, "results.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const chains = ["hanging-chain", "--grid", "links=3,6", "--vary", "damping=1:9", "--seeds", "3", "--frames", "20"];

describe("npm run sweep", () => {
  it("runs jobs in threads, and goes on after an interruption with nothing lost and nothing twice", async () => {
    const first = await sweep([...chains, "--workers", "2"], 2);
    expect(first.code).toBe(130);
    expect(first.text).toContain("The same command continues.");
    const before = lines().length;
    expect(before).toBeGreaterThanOrEqual(2);
    expect(before).toBeLessThan(6);
    // A kill within a line leaves a part of it.
    fs.appendFileSync(path.join(folder, "results.jsonl"), '{"key":"half');

    const second = await sweep([...chains, "--workers", "1"]);
    expect(second.code).toBe(0);
    expect(second.text).toContain(`${before} of 6 results are there already`);
    const results = lines();
    expect(new Set(results.map(({ key }) => key)).size).toBe(6);
    expect(results).toHaveLength(6);
    const table = fs.readFileSync(path.join(folder, "results.csv"), "utf8").trimEnd().split("\r\n");
    expect(table).toHaveLength(7);
    const { job, outcome, version } = results[5];
    expect(version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{10}$/);
    const alone = await runScene(sceneNamed("hanging-chain"), { parameters: job.settings, frames: 20, backend: "cpu" });
    expect(outcome.metrics).toEqual(alone.metrics);

    // A larger study takes what is there.
    const third = await sweep(["hanging-chain", "--grid", "links=3,6,9", ...chains.slice(3)]);
    expect(third.text).toContain("6 of 9 results are there already");
    expect(lines()).toHaveLength(9);
  });

  it("names failed jobs with the command that replays them, and runs them again on request", async () => {
    const sheets = ["hylc-drape", "--grid", "table=none,/nowhere", "--set", "resolution=6", "--frames", "1"];
    const { code, text } = await sweep(sheets);
    expect(code).toBe(1);
    const replay =
      "npm run --silent scene -- hylc-drape --set resolution=6 --set table=/nowhere --frames 1 --backend cpu";
    expect(text).toContain(`${replay}\n    parameter "table": must be a file that can be read`);
    expect(text).toContain("2 of 2 jobs, 1 failed");
    expect(fs.readFileSync(path.join(folder, "failed.txt"), "utf8")).toContain(`\n${replay}\n`);
    expect((await sweep(sheets)).code).toBe(1);
    expect(lines()).toHaveLength(2);
    expect((await sweep([...sheets, "--retry"])).text).toContain("1 of 2 results are there already");
    expect(lines().map(({ outcome }) => outcome.error !== undefined)).toHaveLength(3);
  });

  it("refuses bad arguments, and an address without a Redis", async () => {
    expect(await sweep(["hanging-chain", "--grid", "links=0"])).toMatchObject({
      code: 2,
      text: /usage: npm run sweep/,
    });
    // Nothing listens on port 1.
    const none = { code: 1, text: expect.stringMatching(/no Redis answers at redis:\/\/x@127\.0\.0\.1:1/) };
    expect(await sweep([...chains, "--redis", "redis://x:secret@127.0.0.1:1"])).toEqual(none);
    let text = "";
    const log = { write: (line: string) => (text += line) };
    const around = { print: () => undefined, log, signal: new AbortController().signal };
    expect(await workerCommand([], around)).toBe(2);
    expect(text).toMatch(/--redis: must be given for a worker/);
    expect(await workerCommand(["--redis", "redis://x:secret@127.0.0.1:1"], around)).toBe(1);
    expect(text).not.toContain("secret");
  });
});

describe("the threads of a sweep", () => {
  let pool: Pool | undefined;
  afterAll(() => pool?.dispose());

  it("give up a job that takes too long, and go on", async () => {
    pool = new Pool((await buildProgram()).file, 1);
    const job = { scene: "hanging-chain", settings: { links: 200, substeps: 256 }, seed: 1, backend: "cpu" } as const;
    const { outcome } = await pool.run({ ...job, frames: 1_000_000 }, 0.2);
    expect(outcome).toMatchObject({ error: "takes longer than 0.2 s", frames: 0 });
    expect((await pool.run({ ...job, settings: {}, frames: 3 }, 100)).outcome).toMatchObject({ frames: 3 });
  });
});
