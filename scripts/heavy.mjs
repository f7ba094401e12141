// Heavy tests play larger sizes, or further cases, of what lighter tests of the same files play too. `npm test` leaves
// them out and names their number; `npm run test:heavy` runs them alone.

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./bootstrap.mjs";

/** @type {Record<string, string[]>} full names of heavy tests, by file */
export const HEAVY = JSON.parse(fs.readFileSync(path.join(ROOT, "test/heavy.json"), "utf8"));

/**
 * A test's file as the list of heavy tests has it.
 *
 * @param {string} file path
 */
export function keyOf(file) {
  return path
    .relative(path.join(ROOT, "test"), file)
    .replaceAll(path.sep, "/")
    .replace(/\.test\.ts$/, "");
}

/**
 * Whether a run leaves a test out.
 *
 * @param {"without" | "alone" | string | undefined} choice a run without heavy tests, of these alone, or of all
 * @param {string} file path of the test's file
 * @param {string} name of the test, after those of its suites
 */
export function isLeftOut(choice, file, name) {
  return choice !== undefined && (HEAVY[keyOf(file)]?.includes(name) ?? false) === (choice === "without");
}
