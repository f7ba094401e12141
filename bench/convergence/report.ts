import { aligned, digits } from "../columns";
import type { ConvergenceResult } from "./suite";

/** The result as a table for people. */
export function convergenceText({ machine, rows, files }: ConvergenceResult): string {
  const head = ["figure", "scene", "unknowns", "settings", "at first", "after 20", "at last", "lowest", "ms"];
  const table = rows.map((row) => [
    row.figure,
    row.scene,
    String(row.size),
    row.settings,
    ...[row.firstResidual, row.residualAt20, row.lastResidual, row.lowestResidual].map((value) =>
      value.toExponential(1),
    ),
    digits(row.msPerFrame),
  ]);
  return [`convergence on ${machine}`, ...aligned([head, ...table]), ...files.map((file) => `drawn: ${file}`)].join(
    "\n",
  );
}
