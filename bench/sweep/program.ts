import { createHash, type Hash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, ".cache/sweep");
const RECORD = path.join(FOLDER, "program.json");

/** ms */
const WEEK = 7 * 24 * 3600_000;

/** The code that runs jobs, as one file. */
export interface Program {
  /** of the package, and a hash of the code: results of another version are others */
  readonly version: string;
  readonly file: string;
}

/** A program and its sources. */
interface Record extends Program {
  readonly inputs: readonly string[];
  /** of the inputs */
  readonly hash: string;
}

/**
 * Bundles the code that runs jobs. A sweep is one version of the code, even if somebody edits the sources meanwhile; the hash is
 * of what runs, so comments and code that scenes do not use do not count.
 */
export async function buildProgram(): Promise<Program> {
  const known = lastProgram();
  if (known !== undefined) return known;
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["bench/sweep/run-job.ts"],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    legalComments: "none",
    // Packages with CommonJS inside need it.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
  });
  const { contents, text } = outputFiles[0];
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  const hash = shortened(createHash("sha256").update(text));
  const program = { version: `${version}+${hash}`, file: path.join(FOLDER, `${hash}.mjs`) };
  const inputs = ["package.json", "package-lock.json", ...Object.keys(metafile.inputs).sort()];
  fs.mkdirSync(FOLDER, { recursive: true });
  if (!fs.existsSync(program.file)) put(program.file, contents);
  forgetOld();
  put(RECORD, JSON.stringify({ ...program, inputs, hash: hashOf(inputs) } satisfies Record));
  return program;
}

/** The program of the last time, if its sources are still the same; esbuild takes seconds on a busy machine. */
function lastProgram(): Program | undefined {
  try {
    const { version, file, inputs, hash } = JSON.parse(fs.readFileSync(RECORD, "utf8")) as Record;
    if (!fs.existsSync(file) || hashOf(inputs) !== hash) return undefined;
    const now = new Date();
    fs.utimesSync(file, now, now);
    return { version, file };
  } catch {
    // None was made, or a source is gone.
    return undefined;
  }
}

/** Removes programs that no sweep has used for a week. */
function forgetOld(): void {
  for (const name of fs.readdirSync(FOLDER)) {
    const file = path.join(FOLDER, name);
    if (fs.statSync(file).mtimeMs < Date.now() - WEEK) fs.rmSync(file, { force: true });
  }
}

function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(fs.readFileSync(path.join(ROOT, file)));
  return shortened(hash);
}

const shortened = (hash: Hash): string => hash.digest("hex").slice(0, 10);

/** Several processes may write at once; a rename never shows half a file. */
function put(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.tmp`;
  fs.writeFileSync(temporary, content);
  fs.renameSync(temporary, file);
}
