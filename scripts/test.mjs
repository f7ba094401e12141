// npm test: everything that must hold, from a fresh checkout. The last line is "N passed, N failed".

import fs from "node:fs";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { runStage, runTogether, StageFailure } from "./stages.mjs";

const node = process.execPath;
const inModules = (file) => path.join(ROOT, "node_modules", file);
const REPORTS = path.join(ROOT, "dist/test-reports");

const script = (name, file, ...args) => ({ name, command: [node, file, ...args] });

/** One of Vitest's projects; its JSON report is read for the totals. */
const tests = (project) => ({
  name: `tests: ${project}`,
  command: [
    node,
    inModules("vitest/vitest.mjs"),
    "run",
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${path.join(REPORTS, `${project}.json`)}`,
  ],
  env: { PLIANT_ALL_TESTS: "1" },
});

const PROJECTS = ["unit", "browser", "package"];

async function main() {
  fs.rmSync(REPORTS, { recursive: true, force: true });
  await runStage(script("shaders", "scripts/generate.mjs"), ROOT);
  await runTogether(
    [
      script("types", inModules("typescript/bin/tsc"), "--noEmit"),
      script("lint", inModules("eslint/bin/eslint.js"), "."),
      script("format", inModules("prettier/bin/prettier.cjs"), "--check", "."),
      script("build", "scripts/build.mjs"),
      script("api docs", "scripts/docs.mjs"),
    ],
    ROOT,
  );
  for (const project of PROJECTS) await runStage(tests(project), ROOT);
}

/** Totals of the reports written so far. */
function totals() {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const project of PROJECTS) {
    const file = path.join(REPORTS, `${project}.json`);
    if (!fs.existsSync(file)) continue;
    const report = JSON.parse(fs.readFileSync(file, "utf8"));
    sum.passed += report.numPassedTests;
    sum.failed += report.numFailedTests;
    sum.skipped += report.numPendingTests + report.numTodoTests;
  }
  return sum;
}

bootstrap();
const begin = performance.now();
let exitCode = 0;
try {
  await main();
} catch (error) {
  console.error(error instanceof StageFailure ? error.message : error);
  exitCode = error instanceof StageFailure ? error.code : 1;
}
const { passed, failed, skipped } = totals();
if (skipped > 0) {
  console.error(`${skipped} tests were skipped; none may be.`);
  exitCode ||= 1;
}
console.log(`Took ${((performance.now() - begin) / 60_000).toFixed(1)} min.`);
// A stage that fails without a failed test (lint, say, or a test file that does not load) must not read as "0 failed".
console.log(`${passed} passed, ${exitCode !== 0 ? Math.max(failed, 1) : failed} failed`);
process.exitCode = exitCode;
