import fs from "node:fs";
import { expect } from "vitest";

/**
 * Asserts that a measured figure keeps its bound. With PLIANT_FIGURES=file the figures are written there, one a line:
 * how far a bound is from what is reached says whether it is still worth its name.
 */
export function expectWithin(what: string, measured: number, bound: number): void {
  const file = process.env.PLIANT_FIGURES;
  if (file) {
    const test = expect.getState().currentTestName ?? "";
    fs.appendFileSync(file, `${measured.toExponential(2)} of ${bound.toExponential(2)}  ${what}  [${test}]\n`);
  }
  // NaN keeps no bound.
  expect(measured, what).toBeLessThanOrEqual(bound);
}
