// Compiles assembly/*.ts (AssemblyScript) to files of src/generated, as base64, so that users of the library have no file to find or serve.
//
// A file that was made from the same source by the same compiler is not rewritten.

import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
/**
 * The modules: source with the folders of its parts, generated file, exported name, and whether it is large: it is loaded with a promise, and
 * deflated. Pages load the kernels of cloth at their start, so these are made for size; they are as fast.
 */
const MODULES = [
  { entry: "assembly/product-kernel.ts", output: "src/generated/product-kernel.ts", name: "productKernelModule" },
  {
    entry: "assembly/contact-sweeps.ts",
    output: "src/generated/assembly.ts",
    name: "contactSweepsModule",
    folders: ["assembly/rod"],
  },
  {
    entry: "assembly/cloth-kernels.ts",
    output: "src/generated/cloth-kernels.ts",
    name: "clothKernelsModule",
    folders: ["assembly/cloth"],
    isLarge: true,
    flags: ["--shrinkLevel", "1"],
  },
  {
    entry: "assembly/thread-kernel.ts",
    output: "src/generated/thread-kernel.ts",
    name: "threadKernelModule",
    folders: ["assembly/cloth"],
    flags: ["--importMemory"],
  },
  {
    entry: "assembly/solid-kernels.ts",
    output: "src/generated/solid-kernels.ts",
    name: "solidKernelsModule",
    folders: ["assembly/solid"],
    isLarge: true,
  },
  {
    entry: "assembly/rod-kernels.ts",
    output: "src/generated/rod-kernels.ts",
    name: "rodKernelsModule",
    folders: ["assembly/rod"],
    isLarge: true,
  },
];
/** Browsers compile modules below this size [bytes] at once, on the thread that draws; some compile larger ones only with a promise. */
const MOST_BYTES = 4096;

/**
 * @param {object} [options]
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<boolean>} whether a new file was written
 */
export async function buildAssembly(options = {}) {
  let isNew = false;
  for (const module of MODULES) if (await buildModule(module, options.log)) isNew = true;
  return isNew;
}

async function buildModule({ entry, output, name, folders = [], isLarge, flags }, log) {
  const file = path.join(ROOT, output);
  const stamp = hashSources(entry, folders);
  if (fs.existsSync(file) && fs.readFileSync(file, "utf8").includes(`// Sources: ${stamp}\n`)) return false;
  const module = await compile(entry, flags);
  if (!isLarge && module.length >= MOST_BYTES)
    throw new Error(
      `${entry}: ${module.length} bytes, must be less than ${MOST_BYTES} to be compiled without a promise`,
    );
  // Base64 hides from the compression of a server what can be compressed.
  const packed = isLarge ? deflateRawSync(module, { level: 9 }) : module;
  const text = [
    "// Made by scripts/build-assembly.mjs; not to be edited.",
    `// Sources: ${stamp}`,
    "",
    `/** ${entry}, a WebAssembly module${isLarge ? ", deflated," : ""} in base64. */`,
    `export const ${name}: string = ${JSON.stringify(Buffer.from(packed).toString("base64"))};`,
    "",
    `/** Its exports, which ${entry} describes. Places are bytes in the memory. */`,
    `export interface ${name[0].toUpperCase()}${name.slice(1).replace(/Module$/, "")} {`,
    ...exportTypes(module, sourceFiles(entry, folders)),
    "}",
    "",
  ].join("\n");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Several processes may build at once; a rename never shows half a file.
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, text);
  fs.renameSync(temporary, file);
  log?.(`${entry}: ${module.length} bytes`);
  return true;
}

/** Neither runtime nor checks: the code works on numbers in its memory alone. */
async function compile(entry, own = []) {
  // Imported late: a run that has nothing to do should not pay for the compiler.
  const { default: asc } = await import("assemblyscript/asc");
  let module;
  const flags = ["-O3", ...own, "--converge", "--noAssert", "--runtime", "stub", "--enable", "simd", "--baseDir", ROOT];
  const { error, stderr } = await asc.main([entry, "--outFile", "out.wasm", ...flags], {
    writeFile: (_name, contents) => {
      module = contents;
    },
  });
  if (error || !module) throw new Error(`${entry}: ${stderr.toString()}`, { cause: error });
  return module;
}

/** Members of an interface for what a module exports, with the parameters of its source: all numbers have at most 32 bits, or are f64. */
function exportTypes(module, files) {
  const source = files.map((file) => fs.readFileSync(file, "utf8")).join("\n");
  return WebAssembly.Module.exports(new WebAssembly.Module(module)).map(({ name, kind }) => {
    if (kind === "memory") return `  readonly ${name}: WebAssembly.Memory;`;
    const [, given, returned] = new RegExp(`^export function ${name}\\(([^)]*)\\): (\\w+) `, "m").exec(source);
    const parameters = given.match(/\w+(?=:)/g).map((parameter) => `${parameter}: number`);
    return `  ${name}(${parameters.join(", ")}): ${returned === "void" ? "void" : "number"};`;
  });
}

/** The source and its parts. */
function sourceFiles(entry, folders) {
  const parts = folders.flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder)).map((part) => path.join(folder, part)),
  );
  return [entry, ...parts.sort()].map((file) => path.join(ROOT, file));
}

/** Hash of the source and its parts, of this script and of the compiler's version. */
function hashSources(entry, folders) {
  const hash = createHash("sha256").update(createRequire(import.meta.url)("assemblyscript/package.json").version);
  for (const file of [fileURLToPath(import.meta.url), ...sourceFiles(entry, folders)])
    hash.update(fs.readFileSync(file));
  return hash.digest("hex");
}
