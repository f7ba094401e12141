import { aligned, digits } from "../report";
import { stepStages } from "../../src/solvers/local-global/stage-clock";
import type { LocalGlobalResult } from "./suite";

/** The result as a table for people. */
export function localGlobalText({ machine, rows, stages, growths, files }: LocalGlobalResult): string {
  const head = ["mesh", "vertices", "elements", "S [MiB, f32]", "of the paper's", "fill", "factor [s]", "Sᵀ(S b) [ms]"];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    String(row.elements),
    digits(row.megabytes),
    digits(row.paperShare),
    digits(row.fill),
    digits(row.factorSeconds),
    digits(row.msPerFrame),
  ]);
  const stageHead = ["a frame on the cpu [ms]", "vertices", "contacts", ...stepStages, "all but detection"];
  const stageTable = stages.map((row) => [
    row.scene,
    String(row.size),
    String(row.contacts),
    ...stepStages.map((stage) => digits(row.stages[stage])),
    digits(row.msPerFrame),
  ]);
  return [
    `sparse inverse on ${machine}`,
    ...aligned([head, ...table]),
    ...aligned([stageHead, ...stageTable]),
    ...growths.map(({ scene, exponent }) => `${scene}: factor time grows with vertices^${exponent.toFixed(2)}`),
    ...files.map((file) => `drawn: ${file}`),
  ].join("\n");
}
