// Heavy tests play larger sizes, or further cases, of what lighter tests of the same files play too. `npm test` leaves
// them out and names their number; `npm run test:heavy` runs them alone.

import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./bootstrap.mjs";

/** @type {Record<string, string[] | "all">} full names of heavy tests, by file; "all" for a file that has no others, whatever it gets */
export const HEAVY = JSON.parse(fs.readFileSync(path.join(ROOT, "test/heavy.json"), "utf8"));

/** @type {string[]} files of which a run without heavy tests imports nothing */
export const HEAVY_FILES = Object.keys(HEAVY)
  .filter((file) => HEAVY[file] === "all")
  .map(fileOf);

/** @param {string} key of a file in the list */
export function fileOf(key) {
  return `test/${key}.test.ts`;
}

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
  const heavy = HEAVY[keyOf(file)] ?? [];
  return choice !== undefined && (heavy === "all" || heavy.includes(name)) === (choice === "without");
}
