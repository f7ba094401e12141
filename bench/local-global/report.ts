import { aligned, digits } from "../report";
import type { LocalGlobalResult } from "./suite";

/** The result as a table for people. */
export function localGlobalText({ machine, rows, growths, files }: LocalGlobalResult): string {
  const head = ["mesh", "vertices", "elements", "S [MiB, f32]", "fill", "factor [s]", "Sᵀ(S b) [ms]"];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    String(row.elements),
    digits(row.megabytes),
    digits(row.fill),
    digits(row.factorSeconds),
    digits(row.msPerFrame),
  ]);
  return [
    `sparse inverse on ${machine}`,
    ...aligned([head, ...table]),
    ...growths.map(({ scene, exponent }) => `${scene}: factor time grows with vertices^${exponent.toFixed(2)}`),
    ...files.map((file) => `drawn: ${file}`),
  ].join("\n");
}
