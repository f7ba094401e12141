import path from "node:path";
import { defineConfig } from "vitest/config";
import { HEAVY_FILES } from "./scripts/heavy.mjs";
import { LongestFirst } from "./test/longest-first";

/** A file is not imported for nothing: that takes a process of its own up to ten seconds. */
const exclude = process.env.PLIANT_HEAVY === "without" ? HEAVY_FILES : [];

// Two workers, each with one thread of the software adapter: with one a core, they wait for each other and spin away half of the
// processor's time. Files of all projects share the workers: a file that waits for a page or a disk leaves its core to another.
const common = {
  pool: "forks" as const,
  isolate: true,
  maxWorkers: 2,
  exclude,
  setupFiles: ["test/setup.ts"],
  runner: "test/runner.ts",
  env: { PLIANT_ADAPTER_THREADS: "1" },
  // Samples import the package by its name, which would be its last build.
  alias: [
    { find: /^babylon-pliant\/engine$/, replacement: path.join(import.meta.dirname, "src/index.ts") },
    { find: /^babylon-pliant\/babylon-file$/, replacement: path.join(import.meta.dirname, "plugin/saved/index.ts") },
    { find: /^babylon-pliant\/gltf$/, replacement: path.join(import.meta.dirname, "plugin/gltf/index.ts") },
    { find: /^babylon-pliant$/, replacement: path.join(import.meta.dirname, "plugin/index.ts") },
  ],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Modules as Node loads them: through Vite's runner each call of another module's function asks an object for it first. */
const native = {
  execArgv: ["--import", "tsx"],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Files that count what a fresh process holds, or look at what it loads when. */
const fresh = ["test/**/leaks.test.ts", "test/**/load.test.ts", "test/bench/*-allocations.test.ts"];

/** Files that put something else in the place of a module, as Vite's runner can. */
const alone = ["test/parity/local-global-surfaces.test.ts"];

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Babylon greets from every engine; what a failing test prints is still shown.
    silent: "passed-only",
    // A forgotten `.only` must not hide the rest in a full run.
    allowOnly: process.env.PLIANT_ALL_TESTS === undefined,
    projects: [
      {
        test: {
          ...common,
          ...native,
          name: "unit",
          // Files share a process, its modules and its GPU device: to import and compile all of that anew takes a quarter of the time.
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", "test/package/**", ...exclude, ...fresh, ...alone],
        },
      },
      { test: { ...common, ...native, name: "fresh", include: fresh } },
      { test: { ...common, name: "alone", include: alone } },
      { test: { ...common, ...native, name: "browser", include: ["test/browser/**/*.test.ts"] } },
      { test: { ...common, ...native, name: "package", include: ["test/package/**/*.test.ts"] } },
    ],
  },
});
