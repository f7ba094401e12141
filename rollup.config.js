// The published bundles: ES modules for bundlers, and one script for pages without a build step.

import fs from "node:fs";
import path from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import commonjs from "@rollup/plugin-commonjs";
import esbuild, { minify } from "rollup-plugin-esbuild";

const ENGINE = "src/index.ts";
const PLUGIN = "plugin/index.ts";
const GLTF = "plugin/gltf/index.ts";
const BABYLON_FILE = "plugin/saved/index.ts";
const WORKER = "src/articulated/optimise/worker.ts";
const TARGET = "es2022";

const ENTRIES = { engine: ENGINE, index: PLUGIN, gltf: GLTF, "babylon-file": BABYLON_FILE, "optimize-worker": WORKER };

const isBabylon = (id) => id.startsWith("@babylonjs/");

/** First in the list: it resolves our own files, and unlike nodeResolve does not apply our own `sideEffects` to them. */
const typescript = () => esbuild({ target: TARGET, tsconfig: "tsconfig.json" });

/**
 * Babylon's package has no export map, so Node finds its modules only by their full file names; bundlers take both.
 */
const withExtension = (id) => (/^@babylonjs\/[^/]+\/.+/.test(id) && !/\.js$/.test(id) ? `${id}.js` : id);

/** Entries lie at the top of dist, all that they import in a folder. */
function fileNameOf({ facadeModuleId, name }) {
  const entry = Object.entries(ENTRIES).find(([, file]) => facadeModuleId === path.resolve(file));
  return entry ? `${entry[0]}.js` : `modules/${name.replaceAll("node_modules/", "").replace(/^\.+\/+/, "")}.js`;
}

/** No module does anything by being imported, but the plugin's and the worker's entries, and those of others. */
const treeshake = {
  moduleSideEffects: (id, isExternal) => isExternal || [PLUGIN, WORKER].some((entry) => id === path.resolve(entry)),
};

/** Fails the build where the engine or its worker, or a chunk that they load, imports Babylon. */
const engineWithoutBabylon = {
  name: "engine-without-babylon",
  generateBundle(_options, bundle) {
    const entries = [bundle["engine.js"], bundle["optimize-worker.js"]];
    const seen = new Set();
    const visit = (fileName) => {
      if (seen.has(fileName)) return;
      seen.add(fileName);
      if (isBabylon(fileName)) this.error(`the engine imports ${fileName}`);
      const chunk = bundle[fileName];
      if (chunk?.type === "chunk") [...chunk.imports, ...chunk.dynamicImports].forEach(visit);
    };
    for (const { fileName } of entries) visit(fileName);
  },
};

/** Sends every Babylon module to the one global that its script tag defines. */
const babylonAsGlobal = {
  name: "babylon-as-global",
  resolveId: (id) => (isBabylon(id) ? { id: "babylonjs", external: true, moduleSideEffects: false } : null),
};

const PARSER = "@rgrove/parse-xml";

/** The licence of the XML parser goes where the parser goes. */
const banner = ({ modules }) => {
  if (!Object.keys(modules).some((id) => id.includes(PARSER))) return "";
  const licence = fs.readFileSync(`node_modules/${PARSER}/LICENSE`, "utf8").trim();
  return `/*! ${PARSER}\n${licence}\n*/`;
};

const umd = (file, sourcemap, plugins) => ({
  file,
  format: "umd",
  name: "PLIANT",
  exports: "named",
  inlineDynamicImports: true,
  sourcemap,
  globals: { babylonjs: "BABYLON" },
  banner,
  plugins,
});

/** Warnings are mistakes in this repository (a cycle, a missing export); none of them should pass unseen. */
const onwarn = (warning) => {
  throw new Error(warning.message);
};

export default [
  {
    // One build, so that the entries share their classes.
    input: ENTRIES,
    external: isBabylon,
    // commonjs for the XML parser, which is small and bundled: half of all bundlers would trip over it.
    plugins: [typescript(), nodeResolve({ browser: true }), commonjs(), engineWithoutBabylon],
    onwarn,
    treeshake,
    output: {
      dir: "dist",
      format: "es",
      entryFileNames: fileNameOf,
      // A module is a file: bundlers leave out what a page does not use, and load later what is imported later.
      preserveModules: true,
      preserveModulesRoot: ".",
      paths: withExtension,
      banner,
      sourcemap: true,
    },
  },
  {
    input: PLUGIN,
    plugins: [babylonAsGlobal, typescript(), nodeResolve(), commonjs()],
    onwarn,
    treeshake,
    output: [
      // It is read as it is: a map would be three times as large.
      umd("dist/pliant.umd.js", false, []),
      umd("dist/pliant.umd.min.js", true, [minify({ target: TARGET, legalComments: "eof" })]),
    ],
  },
];
