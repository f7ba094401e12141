// Joins and reflects shaders/**/*.wgsl into src/generated/shaders.ts, and into files beside it that a solver imports for itself.
//
// The result depends on the sources alone. If a file with the same source hash exists, nothing is written.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/**
 * @param {object} [options]
 * @param {string} [options.shaderRoot] folder of the .wgsl files
 * @param {string} [options.output] file to write; others are written beside it
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<boolean>} whether a new file was written
 */
export async function buildShaders(options = {}) {
  const shaderRoot = options.shaderRoot ?? path.join(ROOT, "shaders");
  const output = options.output ?? path.join(ROOT, "src/generated/shaders.ts");
  const log = options.log ?? (() => {});
  const stamp = hashSources(shaderRoot);
  if (fs.existsSync(output) && fs.readFileSync(output, "utf8").includes(`// Sources: ${stamp}\n`)) {
    log("shaders: up to date");
    return false;
  }
  // Imported late: a run that has nothing to do should not pay for the parser.
  const { readShaders } = await import("./shaders/source.mjs");
  const { reflectShaders } = await import("./shaders/reflect.mjs");
  const { emit } = await import("./shaders/emit.mjs");
  const files = readShaders(shaderRoot);
  const reflected = reflectShaders(files);
  // The file with the stamp comes last.
  for (const [name, text] of Object.entries(emit(stamp, files, reflected)))
    write(name === "shaders.ts" ? output : path.join(path.dirname(output), name), text);
  log(`shaders: ${Object.keys(reflected.modules).length} modules from ${files.size} files`);
  return true;
}

/** Several processes may build at once; a rename never shows half a file. */
function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, text);
  fs.renameSync(temporary, file);
}

/** Hash of all shaders and of the scripts that read them. */
function hashSources(shaderRoot) {
  const hash = createHash("sha256");
  const add = (folder, pattern) => {
    if (!fs.existsSync(folder)) return;
    const names = fs.readdirSync(folder, { recursive: true }).map(String);
    for (const name of names.filter((candidate) => pattern.test(candidate)).sort()) {
      hash
        .update(name.split(path.sep).join("/"))
        .update("\0")
        .update(fs.readFileSync(path.join(folder, name)))
        .update("\0");
    }
  };
  add(shaderRoot, /\.wgsl$/);
  add(path.join(ROOT, "scripts/shaders"), /\.mjs$/);
  return hash.digest("hex");
}
