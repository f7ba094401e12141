import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { benchCommand } from "../../bench/command";
import type { BenchResult } from "../../bench/report";

const root = path.resolve(import.meta.dirname, "../..");

async function bench(...args: string[]): Promise<{ code: number; lines: string[]; log: string }> {
  const lines: string[] = [];
  let log = "";
  const code = await benchCommand(args, {
    print: (line) => lines.push(line),
    log: { write: (text) => (log += text) },
  });
  return { code, lines, log };
}

describe("the bench command", () => {
  it("exits with 2 and one line that says what is valid", async () => {
    for (const args of [["--suite", "nothing"], ["--sizes", "1"], ["--fast"]]) {
      const { code, lines, log } = await bench(...args);
      expect([code, lines]).toEqual([2, []]);
      expect(log).toMatch(/^.*must be .*\n$/);
    }
  });

  it("runs cloth on both backends beside Jolt: a time and the quality in every row", async () => {
    const { code, lines, log } = await bench("--sizes", "8", "--frames", "4", "--json");
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const { suite, machine, adapter, versions, rows } = JSON.parse(lines[0]) as BenchResult;
    expect(suite).toBe("cloth");
    expect(machine).toMatch(/cores/);
    expect(adapter).not.toBe("none");
    expect(versions).toMatchObject({ "jolt-physics": "1.1.0", node: process.versions.node });
    expect(rows.map((row) => row.backend ?? row.peer)).toEqual(["cpu", "webgpu", ...Array(4).fill("jolt-physics")]);
    for (const row of rows) {
      expect(row).toMatchObject({ scene: "cloth-on-sphere", size: 8, triangles: 128, frames: 4, timedFrames: 2 });
      const { msPerFrame, p95MsPerFrame, maxStretchPercent, maxPenetration, rmsSpeed } = row;
      for (const figure of [msPerFrame, p95MsPerFrame, rmsSpeed]) expect(figure).toBeGreaterThan(0);
      for (const figure of [maxStretchPercent, maxPenetration]) expect(figure).toBeGreaterThanOrEqual(0);
      if (row.backend === undefined) continue;
      expect(row.speedup).toBeGreaterThan(0);
      expect(row.speedupAgainst).toMatch(/^jolt-physics, \d+ iterations/);
    }
    for (const time of Object.values(rows[1].stages ?? {})) expect(time).toBeGreaterThanOrEqual(0);
    expect(log).toMatch(/ms\/frame/);
  });

  it("prints a table and writes JSON where it is told", async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "pliant-bench-"));
    try {
      const out = path.join(folder, "scaling.json");
      const { code, lines } = await bench(
        ...["--suite", "scaling", "--sizes", "8,12", "--frames", "2", "--backend", "cpu", "--out", out],
      );
      expect(code).toBe(0);
      expect(lines.join("\n")).toMatch(/cpu .*time grows as triangles\^-?\d/);
      const result = JSON.parse(await fs.readFile(out, "utf8")) as BenchResult;
      expect(result).toMatchObject({ suite: "scaling", adapter: "none" });
      expect(result.rows.map((row) => row.size)).toEqual([8, 8, 12, 12]);
      expect(new Set(result.rows.map((row) => row.settings)).size).toBe(2);
      expect(result.growths.map((growth) => growth.contestant)).toEqual(["cpu", "jolt-physics"]);
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  });

  it("runs every scene", async () => {
    const { code, lines } = await bench(
      ...["--suite", "scenes", "--sizes", "8", "--frames", "2", "--backend", "cpu", "--json"],
    );
    expect(code).toBe(0);
    const { rows } = JSON.parse(lines[0]) as BenchResult;
    expect(rows.map((row) => row.scene)).toContain("hanging-chain");
    expect(rows.length).toBeGreaterThanOrEqual(9);
  });

  it("leaves standard output to the result when it runs as a process", async () => {
    const script = [
      "scripts/run-ts.mjs",
      "bench/main.ts",
      "--sizes",
      "8",
      "--frames",
      "2",
      "--backend",
      "cpu",
      "--json",
    ];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, { cwd: root });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ suite: "cloth" });
    expect(stderr).toContain("cloth-on-sphere 8");
  });
});
