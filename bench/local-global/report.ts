import { aligned, digits } from "../columns";
import { stepStages } from "../../src/solvers/local-global/stage-clock";
import type { LocalGlobalResult } from "./suite";

/** The result as a readable table. */
export function localGlobalText({
  machine,
  adapter,
  rows,
  stages,
  gpuStages,
  growths,
  files,
}: LocalGlobalResult): string {
  const head = [
    "mesh",
    "vertices",
    "elements",
    "S [MiB, f32]",
    "of these tables",
    "of the paper's",
    "at its surface",
    "fill",
    "factor [s]",
    "Sᵀ(S b) [ms]",
  ];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    String(row.elements),
    digits(row.megabytes),
    digits(row.tableMegabytes),
    digits(row.paperShare),
    digits(row.contactMegabytes),
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
  const passes = [...new Set(gpuStages.flatMap((row) => Object.keys(row.passes)))];
  const gpuTable = gpuStages.map((row) => [
    row.scene,
    String(row.size),
    ...passes.map((pass) => digits(row.passes[pass] ?? 0)),
    digits(row.msPerFrame),
    digits(row.speedup),
  ]);
  const gpuHead = [`a frame on ${adapter} [ms]`, "vertices", ...passes, "all", "cpu / this"];
  return [
    `sparse inverse on ${machine}`,
    ...aligned([head, ...table]),
    ...aligned([stageHead, ...stageTable]),
    ...(gpuTable.length > 0 ? aligned([gpuHead, ...gpuTable]) : []),
    ...growths.map(({ scene, exponent }) => `${scene}: factor time grows with vertices^${exponent.toFixed(2)}`),
    ...files.map((file) => `drawn: ${file}`),
  ].join("\n");
}
