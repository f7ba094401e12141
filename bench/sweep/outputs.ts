import fs from "node:fs";
import path from "node:path";
import type { SceneDefinition } from "../../samples/scene";
import { replayOf } from "./job";
import { pageOf } from "./page";
import type { StoredResult } from "./store";
import { arrowOf, csvOf, tableOf } from "./table";

/** Names of what a sweep leaves in its folder, besides the results by key. */
export const outputs = {
  csv: "results.csv",
  arrow: "results.arrow",
  page: "index.html",
  failed: "failed.txt",
} as const;

/** Writes tables, page and failed jobs; none of them is ever half there. */
export async function writeOutputs(
  folder: string,
  scene: SceneDefinition,
  results: readonly StoredResult[],
): Promise<void> {
  const table = tableOf(results);
  const failed = results.filter(({ outcome }) => outcome.error !== undefined);
  put(folder, outputs.csv, csvOf(table));
  put(folder, outputs.arrow, arrowOf(table));
  put(folder, outputs.page, await pageOf(scene, table, failed));
  const lines = failed.map(({ job, outcome }) => `# ${outcome.error!.replaceAll("\n", " ")}\n${replayOf(job)}\n`);
  put(folder, outputs.failed, lines.join(""));
}

function put(folder: string, name: string, content: string | Uint8Array): void {
  const temporary = path.join(folder, `${name}.tmp`);
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, path.join(folder, name));
}
