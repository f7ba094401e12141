import { aligned, digits } from "../columns";
import type { CostResult, CostRow } from "./suite";

/** The result as a readable table. */
export function gpuCostText({ machine, adapter, profiles, rows }: CostResult): string {
  const names = Object.keys(profiles) as (keyof CostRow["modeled"])[];
  const head = [
    "scene",
    "settings",
    "substeps",
    "dispatches",
    "indirect",
    "aim",
    "workgroups",
    "host calls",
    "buffers [MB]",
    ...names.map((name) => `${name} [ms]`),
  ];
  const table = rows.map((row) => [
    row.scene,
    Object.entries({ ...row.parameters, ...row.options })
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", "),
    String(row.substeps),
    String(row.direct),
    String(row.indirect),
    row.aim === undefined ? "" : String(row.aim),
    String(row.workgroups),
    String(row.hostCalls),
    digits(row.boundBytes / 1e6),
    ...names.map((name) => digits(row.modeled[name])),
  ]);
  return [
    `gpu-cost on ${adapter}, ${machine}`,
    ...aligned([head, ...table]),
    "Commands are counted. Times of kinds of GPUs are a model of waits, bandwidth and rate: nothing was timed on such a GPU.",
  ].join("\n");
}
