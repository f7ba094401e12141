// Bundles the benchmark page with Pliant, Jolt, Rapier and Havok: it belongs to the site.

import fs from "node:fs";
import path from "node:path";
import { ownFilesHaveEffects } from "./build-gallery.mjs";
import { ROOT } from "./bootstrap.mjs";

const SOURCE = path.join(ROOT, "bench/page");
const PEERS = ["jolt-physics", "@dimforge/rapier3d-compat", "@dimforge/rapier3d-simd-compat", "@babylonjs/havok"];

const versionIn = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), "utf8")).version;

/**
 * @param {string} output folder
 * @returns {Promise<void>} rejects if the page does not build
 */
export async function buildBenchmark(output) {
  const { build } = await import("esbuild");
  const peers = PEERS.map((name) => [name, versionIn(`node_modules/${name}/package.json`)]);
  const versions = { "babylon-pliant": versionIn("package.json"), ...Object.fromEntries(peers) };
  fs.mkdirSync(output, { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["main", "worker"].map((name) => ({ in: path.join(SOURCE, `${name}.ts`), out: name })),
    outdir: output,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    chunkNames: "chunks/[name]-[hash]",
    // Jolt asks for it in Node only.
    external: ["node:module"],
    define: { PLIANT_VERSIONS: JSON.stringify(versions) },
    plugins: [ownFilesHaveEffects],
    logLevel: "warning",
  });
  for (const name of ["index.html", "page.css"]) fs.copyFileSync(path.join(SOURCE, name), path.join(output, name));
  const havok = "node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm";
  fs.copyFileSync(path.join(ROOT, havok), path.join(output, "HavokPhysics.wasm"));
}
