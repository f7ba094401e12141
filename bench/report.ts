import { labelText } from "./contestant";
import { costLines, type CostRow } from "./gpbd/costs";
import { kindLines, type KindRow } from "./gpbd/kinds";
import type { Limits } from "./gpbd/limits";
import type { Growth } from "./exponent";
import type { Row } from "./rows";
import { aligned, digits } from "./columns";

/** The result of a run; the last line with `--json`. */
export interface BenchResult {
  readonly suite: string;
  readonly machine: string;
  /** WebGPU's adapter; "none" when no row ran on it */
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  readonly growths: readonly Growth[];
  /** suite gpbd on WebGPU: the cost of an element, beside the adapter's limits */
  readonly limits?: Limits;
  readonly costs?: readonly CostRow[];
  /** suite gpbd on both backends: a sweep over each kind of energy term */
  readonly kinds?: readonly KindRow[];
}

/** Keys of a row that have columns of their own or are no quality; all other numbers are metrics. */
const notMetrics = ["size", "triangles", "frames", "timedFrames", "msPerFrame", "p95MsPerFrame", "speedup"];

/** The result as a readable table. */
export function reportText({ suite, machine, adapter, rows, growths, limits, costs, kinds }: BenchResult): string {
  const head = ["scene", "size", "who", "settings", "frames", "ms/frame", "p95", "speedup", "quality at the end"];
  const table = rows.map((row) => [
    row.scene,
    row.size === null ? "" : String(row.size),
    labelText(row),
    row.settings,
    String(row.frames),
    digits(row.msPerFrame),
    digits(row.p95MsPerFrame),
    row.speedup === undefined ? "" : `${digits(row.speedup)}× ${row.speedupAgainst}`,
    metricsText(row),
  ]);
  return [
    `${suite} on ${machine}; WebGPU: ${adapter}`,
    ...aligned([head, ...table]),
    ...rows.flatMap(stagesText),
    ...(limits && costs ? costLines(costs, limits) : []),
    ...(kinds ? kindLines(kinds) : []),
    ...growths.map(
      ({ contestant, settings, sizes, exponent }) =>
        `${contestant} (${settings}): time grows as triangles^${exponent.toFixed(2)} from ${sizes[0]} to ${sizes.at(-1)}`,
    ),
  ].join("\n");
}

/** The GPU's time by stage, the longest stage first. */
function stagesText(row: Row): string[] {
  if (row.stages === undefined) return [];
  const stages = Object.entries(row.stages).sort(([, a], [, b]) => b - a);
  const size = row.size === null ? "" : ` ${row.size}`;
  return [`${row.scene}${size} on the GPU [ms]: ${stages.map(([name, time]) => `${name} ${digits(time)}`).join(", ")}`];
}

function metricsText(row: Row): string {
  return Object.entries(row)
    .filter(([key, value]) => typeof value === "number" && !notMetrics.includes(key))
    .map(([key, value]) => `${key} ${digits(value as number)}`)
    .join("  ");
}
