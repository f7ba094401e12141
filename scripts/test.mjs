// npm test: every check, from a fresh checkout. The last line is "N passed, N failed".

import fs from "node:fs";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { runStage, runTogether, StageFailure } from "./stages.mjs";

const node = process.execPath;
const inModules = (file) => path.join(ROOT, "node_modules", file);
const REPORT = path.join(ROOT, "dist/test-report.json");

const script = (name, file, ...args) => ({ name, command: [node, file, ...args] });

/** All of Vitest's projects at once; its JSON report is read for the totals. */
const tests = {
  name: "tests",
  command: [
    node,
    inModules("vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${REPORT}`,
  ],
  env: { PLIANT_ALL_TESTS: "1" },
  shown: true,
};

async function main() {
  fs.rmSync(REPORT, { force: true });
  await runStage(script("shaders", "scripts/generate.mjs"), ROOT);
  // Tests need the package, and the site with the gallery.
  await runTogether(
    [script("build", "scripts/build.mjs", "--package"), script("site", "scripts/build-site.mjs")],
    ROOT,
  );
  // Tests wait for pages, disks and the GPU now and then: two workers leave a seventh of two cores to the checks beside them.
  const checks = [
    script("types", inModules("typescript-native/bin/tsc"), "--noEmit"),
    script("lint", inModules("oxlint/bin/oxlint")),
    script("format", inModules("oxfmt/bin/oxfmt"), "--check"),
    script("unused code", inModules("knip/bin/knip.js"), "--production"),
  ];
  await runTogether([tests, ...checks], ROOT);
}

/** Totals of the report; zeros if tests did not run. Tests of a program that this machine does not have may be skipped. */
function totals() {
  if (!fs.existsSync(REPORT)) return { passed: 0, failed: 0, skipped: [], excused: [] };
  const report = JSON.parse(fs.readFileSync(REPORT, "utf8"));
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = all
    .filter(({ status }) => status !== "passed" && status !== "failed")
    .map(({ fullName }) => fullName);
  const isExcused = (name) => name.includes("(needs redis-server)");
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: skipped.filter((name) => !isExcused(name)),
    excused: skipped.filter(isExcused),
  };
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
const { passed, failed, skipped, excused } = totals();
for (const name of excused) console.log(`Skipped: ${name}`);
if (skipped.length > 0) {
  console.error(`${skipped.length} tests were skipped; none may be: ${skipped.join(", ")}`);
  exitCode ||= 1;
}
console.log(`Took ${((performance.now() - begin) / 60_000).toFixed(1)} min.`);
// A stage that fails without a failed test (lint, say, or a test file that does not load) must not read as "0 failed".
console.log(`${passed} passed, ${exitCode !== 0 ? Math.max(failed, 1) : failed} failed`);
process.exitCode = exitCode;
