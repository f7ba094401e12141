/** Builds the page of a player into a folder. */

import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** @returns a promise that rejects if the page does not build */
export async function buildPage(folder: string): Promise<void> {
  const source = path.join(import.meta.dirname, "client");
  await build({
    entryPoints: [path.join(source, "main.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    logLevel: "error",
  });
  fs.copyFileSync(path.join(source, "index.html"), path.join(folder, "index.html"));
}
