// Bundles code of pages, Babylon included.
//
// It uses esbuild alone and not Rollup: esbuild bundles the parts of Babylon that the gallery uses in two seconds.

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./bootstrap.mjs";

/**
 * Our own package.json lists the files of the published package that have side effects. Inside the repository the
 * bundler must not use that list to drop `import "./something"`.
 */
const ownFilesHaveEffects = {
  name: "own-files-have-effects",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, async (args) => {
      if (args.pluginData === "resolved" || args.resolveDir.includes("node_modules")) return undefined;
      const { path: file, errors } = await build.resolve(args.path, {
        kind: args.kind,
        resolveDir: args.resolveDir,
        importer: args.importer,
        pluginData: "resolved",
      });
      return errors.length > 0 ? { errors } : { path: file, sideEffects: true };
    });
  },
};

/**
 * @param {{ in: string, out: string }[]} entryPoints files, and their names in the output
 * @param {string} output folder
 * @param {import("esbuild").BuildOptions} [options] further options of esbuild
 * @returns {Promise<void>} rejects if a file does not build
 */
export async function bundlePages(entryPoints, output, options = {}) {
  const { build } = await import("esbuild");
  fs.mkdirSync(output, { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: output,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // For files that a plugin finds esbuild looks for no tsconfig.json.
    tsconfig: path.join(ROOT, "tsconfig.json"),
    minify: true,
    chunkNames: "chunks/[name]-[hash]",
    plugins: [ownFilesHaveEffects],
    logLevel: "warning",
    ...options,
  });
}

/** Havok's module beside pages that load it. */
export function copyHavok(output) {
  const file = "HavokPhysics.wasm";
  fs.copyFileSync(path.join(ROOT, "node_modules/@babylonjs/havok/lib/esm", file), path.join(output, file));
}
