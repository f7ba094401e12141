import fs from "node:fs";
import { expect } from "vitest";

/**
 * Asserts that a measured figure keeps its bound. With PLIANT_FIGURES=file the figures are written there, one per line:
 * the distance of a bound from the measured figure shows whether the bound is still useful.
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
