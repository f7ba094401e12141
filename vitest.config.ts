import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first";

// Dawn is a native module with threads of its own, so every test file gets a fresh child process. Two workers, each with one
// thread of the software adapter: with one a core, they wait for each other and spin away half of the processor's time. Files of
// all projects share the workers: what waits for a page or a disk leaves its core to another.
const common = {
  pool: "forks" as const,
  isolate: true,
  maxWorkers: 2,
  setupFiles: ["test/setup.ts"],
  env: { PLIANT_ADAPTER_THREADS: "1" },
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

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
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", "test/package/**", "node_modules/**"],
        },
      },
      { test: { ...common, name: "browser", include: ["test/browser/**/*.test.ts"] } },
      { test: { ...common, name: "package", include: ["test/package/**/*.test.ts"] } },
    ],
  },
});
