// Bundles the gallery into dist/gallery, Babylon included: node scripts/build-gallery.mjs
//
// It uses esbuild alone and not Rollup: esbuild bundles the parts of Babylon that the gallery uses in two seconds.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./bootstrap.mjs";

/** Files of the gallery that are copied as they are. */
const STATIC = /\.(html|css|svg|png|jpg|ico|env|json)$/;

/**
 * Our own package.json lists the files of the published package that have side effects. Inside the repository the
 * bundler must not use that list to drop `import "./something"`.
 */
export const ownFilesHaveEffects = {
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
 * @param {object} [options]
 * @param {string} [options.source] folder with main.ts and index.html
 * @param {string} [options.output]
 * @param {boolean} [options.minify]
 * @param {boolean} [options.sourcemap]
 * @returns {Promise<void>} rejects if the bundle does not build
 */
export async function buildGallery(options = {}) {
  const source = options.source ?? path.join(ROOT, "samples/gallery");
  const output = options.output ?? path.join(ROOT, "dist/gallery");
  const entries = [
    { in: path.join(source, "main.ts"), out: "main" },
    { in: path.join(ROOT, "src/articulated/optimise/worker.ts"), out: "optimize-worker" },
  ];
  const { build } = await import("esbuild");
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: output,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: options.minify ?? true,
    sourcemap: options.sourcemap ?? true,
    chunkNames: "chunks/[name]-[hash]",
    assetNames: "assets/[name]-[hash]",
    loader: { ".png": "file", ".jpg": "file", ".env": "file", ".glb": "file" },
    plugins: [ownFilesHaveEffects],
    logLevel: "warning",
  });
  for (const name of fs.readdirSync(source)) {
    if (STATIC.test(name)) fs.copyFileSync(path.join(source, name), path.join(output, name));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { generate } = await import("./generate.mjs");
  await generate({ log: (line) => console.error(line) });
  await buildGallery();
  console.error("gallery: dist/gallery");
}
