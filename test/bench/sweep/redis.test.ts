import { describe, expect, it } from "vitest";
import { sweepCommand } from "../../../bench/sweep/command";
import { hasRedisServer } from "../../../bench/sweep/redis-server";
import { trial, type RunningSweep } from "../../../bench/sweep/trial";

/** A sweep in this process, with a thread that works as well. */
function sweepHere(args: readonly string[]): RunningSweep {
  const end = new AbortController();
  const around = { print: () => undefined, log: { write: () => undefined }, signal: end.signal };
  let code: number | null = null;
  const running = sweepCommand([...args, "--workers", "1", "--lease", "1"], around).then((exit) => (code = exit));
  return {
    code: () => code,
    async kill() {
      end.abort();
      await running;
    },
  };
}

// `scripts/test.mjs` knows this name. `npm run sweep:check` does the same with 1,000 jobs, and also kills the sweep.
describe.skipIf(!hasRedisServer())("a sweep by a Redis (needs redis-server)", () => {
  it("has each result once, though a worker and the server are killed", async () => {
    const hardship = { jobs: 40, workers: 1, killEvery: 1, kills: 1, restartAt: 0.4, continueAt: undefined, lease: 1 };
    const { lines, rows, killed, restarts, code } = await trial(hardship, sweepHere, () => undefined);
    expect({ killed, restarts, code }).toEqual({ killed: 1, restarts: 1, code: 0 });
    expect(lines).toHaveLength(40);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(40);
    expect(rows).toBe(40);
    for (const { outcome } of lines) expect(Object.keys(outcome.metrics!)).toContain("elongationError");
  });
});
