// npm run site: pages, live examples, gallery, benchmark and API documentation into dist/site.
//
// SITE_BASE is the folder of the address that the site is for, such as "/pliant/"; default "/".

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildBenchmark } from "./build-benchmark.mjs";
import { buildGallery } from "./build-gallery.mjs";
import { ROOT } from "./bootstrap.mjs";
import { bundlePages, copyHavok } from "./bundle-pages.mjs";
import { inOneFile } from "./one-file.mjs";

const EXAMPLES = path.join(ROOT, "site/examples");
/** The parts that other examples share, and examples that need Node or a server. */
const WITHOUT_PAGE = ["studio", "figure", "headless", "server", "room-page"];

/** Everything that the site is made of. */
const SOURCES = ["site", "src", "plugin", "samples", "shaders", "scripts", "assembly", "docs", "bench"].concat([
  "package-lock.json",
  "typedoc.json",
]);

/** @returns {string[]} names of the examples with a page */
export function exampleNames() {
  return fs
    .readdirSync(EXAMPLES)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.parse(file).name)
    .filter((name) => !WITHOUT_PAGE.includes(name))
    .sort();
}

/**
 * Bundles the examples, each with a page of its own.
 *
 * @param {string} output
 * @returns {Promise<void>} rejects if an example does not build
 */
export async function buildExamples(output) {
  const names = exampleNames();
  const entries = names.map((name) => ({ in: path.join(EXAMPLES, `${name}.ts`), out: name }));
  await bundlePages([...entries, { in: path.join(ROOT, "site/frame/watch.ts"), out: "watch" }], output);
  for (const file of fs.readdirSync(EXAMPLES).filter((name) => name.endsWith(".gltf")))
    fs.copyFileSync(path.join(EXAMPLES, file), path.join(output, file));
  copyHavok(output);
  const page = fs.readFileSync(path.join(ROOT, "site/frame/page.html"), "utf8");
  for (const name of names) {
    fs.writeFileSync(path.join(output, `${name}.html`), page.replaceAll("NAME", name));
    fs.writeFileSync(path.join(output, `${name}.txt`), inOneFile(path.join(EXAMPLES, `${name}.ts`)));
  }
}

/** Runs a program in the repository; its output is shown if it fails. */
function run(...args) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const pieces = [];
  child.stdout.on("data", (piece) => pieces.push(piece));
  child.stderr.on("data", (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(" ")}: ${Buffer.concat(pieces).toString("utf8")}`)),
    );
  });
}

/** Writes options for TypeDoc: those of the repository, and links from its pages to the others. */
function writeApiOptions(folder, base) {
  const pages = { Home: "", Guides: "guide/install.html", Gallery: "gallery/" };
  const navigationLinks = Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, base + page]));
  const file = path.join(folder, "typedoc.json");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ extends: [path.join(ROOT, "typedoc.json")], navigationLinks }));
  return file;
}

/** A hash of names, sizes and times of all sources. */
function fingerprint(base) {
  const hash = createHash("sha256").update(base);
  const add = (file) => {
    const { size, mtimeMs } = fs.statSync(file);
    hash.update(`${path.relative(ROOT, file)} ${size} ${mtimeMs}\n`);
  };
  for (const source of SOURCES) {
    const whole = path.join(ROOT, source);
    if (!fs.statSync(whole).isDirectory()) add(whole);
    else
      for (const entry of fs.readdirSync(whole, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !entry.parentPath.includes("cache")) add(path.join(entry.parentPath, entry.name));
  }
  return hash.digest("hex");
}

/**
 * Builds the site, unless nothing has changed since it was built.
 *
 * @param {object} [options]
 * @param {string} [options.base] folder of its address
 * @param {(line: string) => void} [options.log]
 * @returns {Promise<string>} its folder; rejects if a part does not build
 */
export async function buildSite({ base = process.env.SITE_BASE ?? "/", log = () => undefined } = {}) {
  const output = path.join(ROOT, "dist/site");
  const stamp = path.join(ROOT, "dist/site.stamp");
  const wanted = fingerprint(base);
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === wanted) return output;
  fs.rmSync(stamp, { force: true });
  fs.rmSync(output, { recursive: true, force: true });
  log("pages, examples, gallery, benchmark and API documentation");
  const parts = path.join(ROOT, "dist/site-parts");
  await Promise.all([
    run("node_modules/vitepress/bin/vitepress.js", "build", "site", "--base", base, "--outDir", output),
    run(
      "node_modules/typedoc/bin/typedoc",
      "--options",
      writeApiOptions(parts, base),
      "--out",
      path.join(parts, "api"),
    ),
    buildGallery({ output: path.join(parts, "gallery"), sourcemap: false, site: "../" })
      .then(() => buildExamples(path.join(parts, "examples")))
      .then(() => buildBenchmark(path.join(parts, "benchmark"))),
  ]);
  for (const part of ["api", "gallery", "examples", "benchmark"])
    fs.renameSync(path.join(parts, part), path.join(output, part));
  // Pages link to plots of the benchmark.
  const results = path.join(ROOT, "bench/results");
  fs.cpSync(results, path.join(output, "bench/results"), {
    recursive: true,
    filter: (file) => file === results || file.endsWith(".svg"),
  });
  fs.rmSync(parts, { recursive: true, force: true });
  fs.writeFileSync(stamp, wanted);
  return output;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { bootstrap } = await import("./bootstrap.mjs");
  bootstrap();
  const { generate } = await import("./generate.mjs");
  await generate();
  const begin = performance.now();
  const folder = await buildSite({ log: console.error });
  console.error(`site: ${path.relative(ROOT, folder)} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
}
