// Bundles the worker that factors matrices into src/generated/factor-worker.ts, as the text of a script, so that users
// of the library have nothing to find, copy or configure.
//
// A file whose sources have not changed is not rewritten: it names its sources and has their hash.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const ENTRY = "src/solvers/local-global/factor/worker.ts";
const OUTPUT = path.join(ROOT, "src/generated/factor-worker.ts");

/**
 * @param {object} [options]
 * @param {string} [options.output] file to write
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<boolean>} whether a new file was written
 */
export async function buildWorker(options = {}) {
  const output = options.output ?? OUTPUT;
  if (isCurrent(output)) return false;
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "neutral",
    target: "es2022",
    minify: true,
    legalComments: "none",
  });
  const inputs = Object.keys(metafile.inputs).sort();
  const text = [
    "// Made by scripts/build-worker.mjs; not to be edited.",
    `// Sources: ${hashOf(inputs)} ${inputs.join(" ")}`,
    "",
    "/** A script that serves tasks of factoring. */",
    `export const factorWorkerSource: string = ${JSON.stringify(outputFiles[0].text)};`,
    "",
  ].join("\n");
  fs.mkdirSync(path.dirname(output), { recursive: true });
  // Several processes may build at once; a rename never shows half a file.
  const temporary = `${output}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, text);
  fs.renameSync(temporary, output);
  options.log?.(`factor worker: ${inputs.length} files`);
  return true;
}

function isCurrent(output) {
  if (!fs.existsSync(output)) return false;
  const [, hash, files] = /^\/\/ Sources: (\S+) (.*)$/m.exec(fs.readFileSync(output, "utf8")) ?? [];
  return files !== undefined && hashOf(files.split(" ")) === hash;
}

/** Hash of the files, and of this script. */
function hashOf(files) {
  const hash = createHash("sha256").update(fs.readFileSync(fileURLToPath(import.meta.url)));
  for (const file of files) {
    const full = path.join(ROOT, file);
    hash.update(file).update(fs.existsSync(full) ? fs.readFileSync(full) : "gone");
  }
  return hash.digest("hex");
}
