import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Progress } from "../../samples/cli/progress";
import { describeMachine, versions } from "../machine";
import { drawCharts, writePlots } from "../plot";
import { aligned, digits } from "../columns";
import { errorCurves, type ErrorRow } from "./errors";
import { strainedRows, strainedRuns, type StrainedRow } from "./strained";

export interface SolidsResult {
  readonly suite: "solids";
  readonly machine: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  /** error against backward Euler by iterations */
  readonly rows: readonly ErrorRow[];
  /** table 5 of paper 1; only if sizes are given */
  readonly strained: readonly StrainedRow[];
  /** the drawing */
  readonly files: readonly string[];
}

/**
 * Draws the convergence of GPBD iterations on solids. If sizes are given, it also runs the cubes of table 5, which take
 * hours.
 *
 * @param frames of each cube, instead of a second
 * @param target path and start of the name of the drawing
 */
export async function solidsSuite(
  frames: number | undefined,
  sizes: readonly number[] | undefined,
  target: string,
  where: { readonly gpu: GPU; readonly adapter: string } | undefined,
  progress: Progress,
): Promise<SolidsResult> {
  const runs = strainedRuns(sizes ?? []);
  const { rows, charts } = errorCurves();
  progress.update(1, runs.length + 1);
  const strained = await strainedRows(
    runs,
    where?.gpu,
    async (done) => progress.update(done.length + 1, runs.length + 1),
    frames,
  );
  await mkdir(path.dirname(target), { recursive: true });
  const svg = drawCharts("Error of a time step against backward Euler", charts);
  const files = await writePlots([{ file: `${target}-error`, svg }]);
  const adapter = where?.adapter ?? "none";
  return { suite: "solids", machine: describeMachine(), adapter, versions: versions(), rows, strained, files };
}

const SHOWN = [1, 2, 5, 10, 20, 40];

/** The result as a readable table. */
export function solidsText({ machine, rows, strained, files }: SolidsResult): string {
  const ways = new Map<string, ErrorRow[]>();
  for (const row of rows) {
    const key = `${row.scene}: ${row.settings}`;
    ways.set(key, [...(ways.get(key) ?? []), row]);
  }
  const table = [...ways].map(([key, found]) => [
    key,
    ...SHOWN.map((n) => found.find(({ iterations }) => iterations === n)?.error.toExponential(1) ?? ""),
  ]);
  const cubes = strained.map((row) => [
    `${row.scene} ${row.size}³`,
    row.model,
    row.accelerate ? `${row.method}, accelerated` : row.method,
    String(row.poissonRatio),
    `${row.iterations} × ${row.newtonIterations}`,
    row.isStable ? "rests" : "does not rest",
    ...[row.kineticEnergyDecay, row.volumeChangePercent].map((value) =>
      value === null ? "not finite" : digits(value),
    ),
    digits(row.msPerFrame / 10),
  ]);
  const head = ["cube", "model", "method", "ν", "iterations", "", "decay", "volume [%]", "ms/step"];
  return [
    `solids on ${machine}`,
    ...aligned([["error after iterations", ...SHOWN.map(String)], ...table]),
    ...(cubes.length > 0 ? aligned([head, ...cubes]) : []),
    ...files.map((file) => `drawn: ${file}`),
  ].join("\n");
}
