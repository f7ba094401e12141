// npm run build: shaders, bundles, declarations and the gallery. With --package it leaves out the gallery, which is no part of the package.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { generate } from "./generate.mjs";

bootstrap();

const bin = (name) => path.join(ROOT, "node_modules", name);

/** Runs a program of node_modules and rejects if it fails. */
function run(script, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin(script), ...args], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${script} failed`))));
  });
}

async function declarations() {
  const folder = path.join(ROOT, "dist/types");
  fs.rmSync(folder, { recursive: true, force: true });
  await run("typescript-native/bin/tsc", "-p", "tsconfig.build.json");
  const { finishTypes } = await import("./finish-types.mjs");
  finishTypes(folder);
}

async function bundles() {
  fs.rmSync(path.join(ROOT, "dist/modules"), { recursive: true, force: true });
  await run("rollup/dist/bin/rollup", "--config", "--silent");
  const { buildCdn } = await import("./build-cdn.mjs");
  await buildCdn();
}

async function gallery() {
  const { buildGallery } = await import("./build-gallery.mjs");
  await buildGallery();
}

try {
  await generate({ log: console.error });
  await Promise.all([declarations(), bundles()]);
  if (!process.argv.includes("--package")) await gallery();
} catch (error) {
  console.error(`build: ${error.message}`);
  process.exit(1);
}
