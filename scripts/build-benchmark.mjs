// Bundles the benchmark page with Pliant, Jolt, Rapier and Havok: it belongs to the site.

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./bootstrap.mjs";
import { bundlePages, copyHavok } from "./bundle-pages.mjs";

const SOURCE = path.join(ROOT, "bench/page");
const PEERS = ["jolt-physics", "@dimforge/rapier3d-compat", "@dimforge/rapier3d-simd-compat", "@babylonjs/havok"];

const versionIn = (file) => JSON.parse(fs.readFileSync(path.join(ROOT, file), "utf8")).version;

/**
 * @param {string} output folder
 * @returns {Promise<void>} rejects if the page does not build
 */
export async function buildBenchmark(output) {
  const peers = PEERS.map((name) => [name, versionIn(`node_modules/${name}/package.json`)]);
  const versions = { "babylon-pliant": versionIn("package.json"), ...Object.fromEntries(peers) };
  const entries = ["main", "worker"].map((name) => ({ in: path.join(SOURCE, `${name}.ts`), out: name }));
  await bundlePages(entries, output, {
    // Jolt asks for it in Node only.
    external: ["node:module"],
    define: { PLIANT_VERSIONS: JSON.stringify(versions) },
  });
  for (const name of ["index.html", "page.css"]) fs.copyFileSync(path.join(SOURCE, name), path.join(output, name));
  copyHavok(output);
}
