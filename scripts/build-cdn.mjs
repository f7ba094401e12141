// The script of content networks: a file that defines the global PLIANT, and parts that it loads from its own folder when a scene
// needs them. It takes the modules of the package, which Rollup has built.

import fs from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import webpack from "webpack";
import { ROOT } from "./bootstrap.mjs";

const FOLDER = path.join(ROOT, "dist/cdn");

const CONFIG = {
  mode: "production",
  target: ["web", "es2022"],
  entry: { "pliant.min": path.join(ROOT, "dist/index.js") },
  // All modules of Babylon are the one global that its script tag defines.
  externals: ({ request }, answer) => (request.startsWith("@babylonjs/") ? answer(null, "BABYLON", "var") : answer()),
  output: {
    path: FOLDER,
    filename: "[name].js",
    chunkFilename: "parts/[id].js",
    // parts lie beside the script, wherever that is
    publicPath: "auto",
    chunkLoadingGlobal: "pliantParts",
    library: { name: "PLIANT", type: "window" },
  },
  // esbuild minifies in a tenth of the time. Without a least size, no module is in two parts.
  optimization: {
    minimize: false,
    chunkIds: "deterministic",
    splitChunks: { chunks: "async", minSize: 0, maxAsyncRequests: Infinity },
  },
  performance: { hints: false },
};

/** @throws an error with what webpack says, warnings included */
function bundle() {
  return new Promise((resolve, reject) => {
    webpack(CONFIG, (error, stats) => {
      const text = stats?.toString({ all: false, errors: true, warnings: true });
      if (error || text) reject(error ?? new Error(text));
      else resolve();
    });
  });
}

async function minify(file) {
  const { code } = await transform(fs.readFileSync(file, "utf8"), { minify: true, target: "es2022" });
  fs.writeFileSync(file, code);
}

export async function buildCdn() {
  fs.rmSync(FOLDER, { recursive: true, force: true });
  await bundle();
  const files = fs.readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  await Promise.all(files.map((name) => minify(path.join(FOLDER, name))));
}
