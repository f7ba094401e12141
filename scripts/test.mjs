// npm test: every check, from a fresh checkout. The last line is "N passed, N failed".
// npm run test:heavy: the heavy tests alone, which npm test leaves out (test/heavy.json).

import fs from "node:fs";
import path from "node:path";
import { bootstrap, ROOT } from "./bootstrap.mjs";
import { fileOf, HEAVY, HEAVY_FILES, isLeftOut, keyOf } from "./heavy.mjs";
import { runStage, runTogether, StageFailure } from "./stages.mjs";

const node = process.execPath;
const inModules = (file) => path.join(ROOT, "node_modules", file);
const REPORT = path.join(ROOT, "dist/test-report.json");
const isHeavyRun = process.argv.includes("--heavy");
const CHOICE = isHeavyRun ? "alone" : "without";

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
    ...(isHeavyRun ? Object.keys(HEAVY).map(fileOf) : []),
  ],
  env: { PLIANT_ALL_TESTS: "1", PLIANT_HEAVY: CHOICE },
  shown: true,
};

async function main() {
  fs.rmSync(REPORT, { force: true });
  // Lint and format do not read what is generated, for which one core is enough.
  const early = [
    script("lint", inModules("oxlint/bin/oxlint")),
    script("format", inModules("oxfmt/bin/oxfmt"), "--check"),
  ];
  await runTogether([script("shaders", "scripts/generate.mjs"), ...(isHeavyRun ? [] : early)], ROOT);
  // Tests need the package, and the site with the gallery.
  await runTogether(
    [script("build", "scripts/build.mjs", "--package"), script("site", "scripts/build-site.mjs")],
    ROOT,
  );
  if (isHeavyRun) return runStage(tests, ROOT);
  // Tests wait for pages, disks and the GPU now and then: two workers leave a seventh of two cores to the checks beside them.
  const checks = [
    script("types", inModules("typescript-native/bin/tsc"), "--noEmit"),
    script("unused code", inModules("knip/bin/knip.js"), "--production"),
  ];
  await runTogether([tests, ...checks], ROOT);
}

/** Heavy tests that do not exist: somebody gave them another name. */
function unknownHeavy(results) {
  const names = new Map(
    results.map(({ name, assertionResults }) => [keyOf(name), assertionResults.map(({ fullName }) => fullName)]),
  );
  const missing = Object.entries(HEAVY).flatMap(([file, list]) =>
    list === "all" ? [] : list.filter((name) => !names.get(file)?.includes(name)).map((name) => `${file}: ${name}`),
  );
  return [...missing, ...HEAVY_FILES.filter((file) => !fs.existsSync(path.join(ROOT, file)))];
}

/** Totals of the report; zeros if tests did not run. Tests of a program that this machine does not have may be skipped. */
function totals() {
  if (!fs.existsSync(REPORT)) return { passed: 0, failed: 0, skipped: [], excused: [], unknown: [] };
  const report = JSON.parse(fs.readFileSync(REPORT, "utf8"));
  const skipped = report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(
        ({ status, fullName }) => status !== "passed" && status !== "failed" && !isLeftOut(CHOICE, file, fullName),
      )
      .map(({ fullName }) => fullName),
  );
  const isExcused = (name) => name.includes("(needs redis-server)");
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: skipped.filter((name) => !isExcused(name)),
    excused: skipped.filter(isExcused),
    unknown: unknownHeavy(report.testResults),
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
const { passed, failed, skipped, excused, unknown } = totals();
for (const name of excused) console.log(`Skipped: ${name}`);
if (skipped.length > 0) {
  console.error(`${skipped.length} tests were skipped; none may be: ${skipped.join(", ")}`);
  exitCode ||= 1;
}
if (unknown.length > 0) {
  console.error(`test/heavy.json names tests that do not exist: ${unknown.join("; ")}`);
  exitCode ||= 1;
}
const left = Object.values(HEAVY).filter(Array.isArray).flat().length;
if (!isHeavyRun) console.log(`Left to npm run test:heavy: ${left} tests, and all of ${HEAVY_FILES.length} files.`);
console.log(`Took ${((performance.now() - begin) / 60_000).toFixed(1)} min.`);
// A stage that fails without a failed test (lint, say, or a test file that does not load) must not read as "0 failed".
console.log(`${passed} passed, ${exitCode !== 0 ? Math.max(failed, 1) : failed} failed`);
process.exitCode = exitCode;
