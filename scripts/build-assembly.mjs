// Compiles assembly/*.ts (AssemblyScript) to src/generated/assembly.ts, as base64: whoever uses the library has no file to find
// or serve.
//
// A file that was made from the same source by the same compiler is not written anew.

import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
/** Each is a module by itself; what it is called in the generated file. */
const ENTRIES = {
  "assembly/contact-sweeps.ts": "contactSweepsModule",
  "assembly/product-kernel.ts": "productKernelModule",
};
const OUTPUT = path.join(ROOT, "src/generated/assembly.ts");
/** Browsers compile modules below this size [bytes] at once, on the thread that draws; larger ones some only with a promise. */
const MOST_BYTES = 4096;

/**
 * @param {object} [options]
 * @param {string} [options.output] file to write
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<boolean>} whether a new file was written
 */
export async function buildAssembly(options = {}) {
  const output = options.output ?? OUTPUT;
  const stamp = hashSources();
  if (fs.existsSync(output) && fs.readFileSync(output, "utf8").includes(`// Sources: ${stamp}\n`)) return false;
  const lines = ["// Made by scripts/build-assembly.mjs; not to be edited.", `// Sources: ${stamp}`, ""];
  for (const [entry, name] of Object.entries(ENTRIES)) {
    const module = await compile(entry);
    if (module.length >= MOST_BYTES)
      throw new Error(
        `${entry}: ${module.length} bytes, must be less than ${MOST_BYTES} to be compiled without a promise`,
      );
    lines.push(
      `/** ${entry}, a WebAssembly module in base64. */`,
      `export const ${name}: string = ${JSON.stringify(Buffer.from(module).toString("base64"))};`,
      "",
    );
    options.log?.(`${entry}: ${module.length} bytes`);
  }
  const text = lines.join("\n");
  fs.mkdirSync(path.dirname(output), { recursive: true });
  // Several processes may build at once; a rename never shows half a file.
  const temporary = `${output}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, text);
  fs.renameSync(temporary, output);
  return true;
}

/** Neither runtime nor checks: the code works on numbers in its memory alone. */
async function compile(entry) {
  // Imported late: a run that has nothing to do should not pay for the compiler.
  const { default: asc } = await import("assemblyscript/asc");
  let module;
  const flags = ["-O3", "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd", "--baseDir", ROOT];
  const { error, stderr } = await asc.main([entry, "--outFile", "out.wasm", ...flags], {
    writeFile: (_name, contents) => {
      module = contents;
    },
  });
  if (error || !module) throw new Error(`${entry}: ${stderr.toString()}`, { cause: error });
  return module;
}

/** Hash of the source, of this script and of the compiler's version. */
function hashSources() {
  const hash = createHash("sha256").update(createRequire(import.meta.url)("assemblyscript/package.json").version);
  const sources = Object.keys(ENTRIES).map((entry) => path.join(ROOT, entry));
  for (const file of [fileURLToPath(import.meta.url), ...sources]) hash.update(fs.readFileSync(file));
  return hash.digest("hex");
}
