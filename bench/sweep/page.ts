import path from "node:path";
import { build } from "esbuild";
import type { SceneDefinition } from "../../samples/scene";
import { replayOf } from "./job";
import type { PageData } from "./page/data";
import type { StoredResult } from "./store";
import type { ResultTable } from "./table";

/** A page that plots the results: one file, which loads nothing. */
export async function pageOf(
  scene: Pick<SceneDefinition, "name" | "title" | "parameters" | "metrics">,
  table: ResultTable,
  failed: readonly StoredResult[],
): Promise<string> {
  const unitOf = (name: string): string =>
    [...scene.parameters, ...scene.metrics].find((one) => one.name === name)?.unit ?? "";
  const plotted = [...table.varied, ...table.metrics, "ms"];
  const data: PageData = {
    title: scene.title,
    scene: scene.name,
    version: String(table.columns.get("version")?.[0] ?? ""),
    varied: table.varied,
    metrics: [...table.metrics, "ms"],
    units: Object.fromEntries(plotted.map((name) => [name, name === "ms" ? "ms" : unitOf(name)])),
    columns: Object.fromEntries(plotted.map((name) => [name, table.columns.get(name)!])),
    rows: table.rows,
    failed: failed.map(({ job, outcome }) => ({ error: outcome.error!, command: replayOf(job) })),
  };
  // In a script element, "</" would end it.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sweep of ${scene.name}</title>
<link rel="icon" href="data:,">
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
  form { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; }
  select { font: inherit; }
  pre { background: #f4f4f4; padding: 0.5rem; overflow-x: auto; }
  table { border-collapse: collapse; }
  th, td { text-align: right; padding: 0.1rem 0.7rem; border-bottom: 1px solid #ddd; }
  th:first-child, td:first-child { text-align: left; }
</style>
<h1></h1>
<p id="summary"></p>
<form></form>
<div id="plot"></div>
<div id="table"></div>
<div id="failed"></div>
<script type="application/json" id="data">${json}</script>
<script>${await script()}</script>
</html>
`;
}

async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, "page/main.ts")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    charset: "ascii",
  });
  return outputFiles[0].text.replaceAll("</script", "<\\/script");
}
