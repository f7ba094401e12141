// npm run sweep:check: 1,000 jobs by 4 workers and a Redis, one worker killed each 10 s, Redis and the sweep itself killed once

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { hasRedisServer } from "./redis-server";
import { sweepCommand } from "./command";
import { Store } from "./store";
import { studyOf, sweepProcess, trial } from "./trial";

const JOBS = 1000;

if (!hasRedisServer()) {
  console.error("redis-server is not on PATH; Debian and Ubuntu have it as package redis-server");
  process.exit(1);
}
const result = await trial(
  { jobs: JOBS, workers: 4, killEvery: 10_000, kills: Infinity, restartAt: 0.4, continueAt: 0.6, lease: 5 },
  sweepProcess,
  (line) => console.error(line),
);
const { lines, rows, killed, restarts, continued, seconds, code } = result;
const distinct = new Set(lines.map(({ key }) => key)).size;
const failed = lines.filter(({ outcome }) => outcome.error !== undefined).length;
console.log(
  `${lines.length} results of ${distinct} jobs (${rows} rows, ${failed} failed) in ${seconds.toFixed(0)} s; ` +
    `${killed} workers, ${restarts} Redis and ${continued} sweep killed; exit code ${code}`,
);
/** Jobs of the trial that threads here run again. */
const AGAIN = 40;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-sweep-"));
await sweepCommand([...studyOf(AGAIN), "--out", folder], {
  print: console.log,
  log: process.stderr,
  signal: new AbortController().signal,
});
const store = Store.open(folder);
const again = lines.flatMap(({ key, outcome }) => {
  const here = store.get(key);
  return here === undefined ? [] : [JSON.stringify(here.outcome.metrics) === JSON.stringify(outcome.metrics)];
});
store.close();
fs.rmSync(folder, { recursive: true });
console.log(`${again.filter(Boolean).length} of ${AGAIN} results are the same bits in threads without Redis`);

const isSame = again.length === AGAIN && again.every(Boolean);
const isRight =
  isSame && [lines.length, distinct, rows].every((number) => number === JOBS) && failed === 0 && code === 0;
process.exit(isRight ? 0 : 1);
