// npm run golden: runs the scenes of runs.ts and pins their last states. Run it when a change of the solver is meant to change them; the
// diff of hashes.json then shows which.

import { readFile, writeFile } from "node:fs/promises";
import { goldenHash, goldenRuns } from "./runs";

const file = new URL("hashes.json", import.meta.url);
const before = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Record<string, string>;
const hashes: Record<string, string> = {};
for (const run of goldenRuns) {
  const { name } = run.scene;
  hashes[name] = await goldenHash(run);
  process.stdout.write(`${name}: ${hashes[name] === before[name] ? "as before" : "changed"}\n`);
}
await writeFile(file, `${JSON.stringify(hashes, undefined, 2)}\n`);
