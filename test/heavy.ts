// Heavy tests play larger sizes, or further cases, of what lighter tests of the same files play too. `npm test` leaves them out and names their
// number; `npm run test:heavy` runs them alone.

import type { RunnerTask } from "vitest";
import list from "./heavy.json" with { type: "json" };

const heavy = new Map(Object.entries(list).map(([file, names]) => [file, new Set<string>(names)]));

/** The name of a test as reports have it: those of its suites first. */
function fullName(task: RunnerTask): string {
  return task.suite === undefined ? task.name : `${fullName(task.suite)} ${task.name}`;
}

/**
 * Whether this run leaves a test out. PLIANT_HEAVY is "without" for a run without heavy tests, "alone" for one of them only, and unset for
 * one of all tests.
 *
 * @param file path of the test's file
 */
export function isLeftOut(file: string, task: RunnerTask): boolean {
  const choice = process.env.PLIANT_HEAVY;
  if (choice === undefined) return false;
  const [, name] = /\/test\/(.*)\.test\.ts$/.exec(file.replaceAll("\\", "/")) ?? [];
  const isHeavy = heavy.get(name)?.has(fullName(task)) ?? false;
  return isHeavy === (choice === "without");
}
