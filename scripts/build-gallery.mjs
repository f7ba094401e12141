// Bundles the gallery into dist/gallery, Babylon included: node scripts/build-gallery.mjs

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./bootstrap.mjs";
import { bundlePages } from "./bundle-pages.mjs";
import { inOneFile } from "./one-file.mjs";

/** Files of the gallery that are copied as they are. */
const STATIC = /\.(html|css|svg|png|jpg|ico|env|json)$/;

/**
 * @param {object} [options]
 * @param {string} [options.source] folder with main.ts and index.html
 * @param {string} [options.output]
 * @param {boolean} [options.minify]
 * @param {boolean} [options.sourcemap]
 * @param {string} [options.site] path from the gallery to the first page of the site around it; default: there is none
 * @returns {Promise<void>} rejects if the bundle does not build
 */
export async function buildGallery(options = {}) {
  const source = options.source ?? path.join(ROOT, "samples/gallery");
  const output = options.output ?? path.join(ROOT, "dist/gallery");
  const entries = [
    ...["main", "alone"].map((name) => ({ in: path.join(source, `${name}.ts`), out: name })),
    { in: path.join(ROOT, "src/articulated/optimise/worker.ts"), out: "optimize-worker" },
  ];
  fs.rmSync(output, { recursive: true, force: true });
  await bundlePages(entries, output, {
    minify: options.minify ?? true,
    sourcemap: options.sourcemap ?? true,
    assetNames: "assets/[name]-[hash]",
    loader: { ".png": "file", ".jpg": "file", ".env": "file", ".glb": "file" },
  });
  for (const name of fs.readdirSync(source)) {
    if (STATIC.test(name)) fs.copyFileSync(path.join(source, name), path.join(output, name));
  }
  if (options.site !== undefined) {
    const page = path.join(output, "index.html");
    const text = fs.readFileSync(page, "utf8");
    fs.writeFileSync(page, text.replace('<html lang="en">', `<html lang="en" data-site="${options.site}">`));
  }
  fs.cpSync(path.join(source, "previews"), path.join(output, "previews"), { recursive: true });
  await writeListing(source, output);
}

/** Leaves out code that a list does not load: showcases import Babylon in a way that Node does not resolve. */
const lazyStaysOut = {
  name: "lazy-stays-out",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path: file }) =>
      kind === "dynamic-import" ? { path: file, external: true } : undefined,
    );
  },
};

/** Writes what the overview shows of the scenes, and the files of their code. */
async function writeListing(source, output) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(source, "listing.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [lazyStaysOut],
    logLevel: "warning",
  });
  // Beside the packages that it imports.
  const file = path.join(ROOT, "node_modules", `.gallery-listing-${process.pid}.mjs`);
  fs.writeFileSync(file, outputFiles[0].contents);
  try {
    const groups = (await import(pathToFileURL(file).href)).listing();
    fs.writeFileSync(path.join(output, "listing.json"), JSON.stringify(groups));
    const sources = path.join(output, "sources");
    fs.mkdirSync(sources);
    for (const name of groups.flatMap(({ scenes }) => scenes.map((scene) => scene.name)))
      fs.writeFileSync(path.join(sources, `${name}.ts.txt`), codeOf(name));
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** Code that the page shows: a showcase as one file to copy, a scene as the file that defines it. */
function codeOf(name) {
  const showcase = path.join(ROOT, `samples/showcases/${name}.ts`);
  return fs.existsSync(showcase) ? inOneFile(showcase) : fs.readFileSync(sceneFile(name), "utf8");
}

/** The file that defines a scene: of its own, or one for several. */
function sceneFile(name) {
  const folder = path.join(ROOT, "samples/scenes");
  const own = path.join(folder, `${name}.ts`);
  if (fs.existsSync(own)) return own;
  const shared = fs
    .readdirSync(folder)
    .map((file) => path.join(folder, file))
    .find((file) => fs.readFileSync(file, "utf8").includes(`"${name}"`));
  if (shared === undefined) throw new Error(`no file in samples/scenes defines ${name}`);
  return shared;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { generate } = await import("./generate.mjs");
  await generate({ log: (line) => console.error(line) });
  await buildGallery();
  console.error("gallery: dist/gallery");
}
