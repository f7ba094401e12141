import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The code that runs jobs, as one file. */
export interface Program {
  /** of the package, and a hash of the code: results of another version are others */
  readonly version: string;
  readonly file: string;
}

/**
 * Bundles the code that runs jobs. A sweep is one version of the code, even if somebody edits the sources meanwhile; the hash is
 * of what runs, so comments and code that scenes do not use do not count.
 */
export async function buildProgram(): Promise<Program> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["bench/sweep/run-job.ts"],
    bundle: true,
    write: false,
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
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const file = path.join(ROOT, ".cache/sweep", `${hash}.mjs`);
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // Several processes may build at once; a rename never shows half a file.
    const temporary = `${file}.${process.pid}.tmp`;
    fs.writeFileSync(temporary, contents);
    fs.renameSync(temporary, file);
  }
  return { version: `${version}+${hash}`, file };
}
