import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Progress } from "../../samples/cli/progress";
import { arch } from "../../samples/scenes/arch";
import { heavyStack } from "../../samples/scenes/stacks";
import { tablePile } from "../../samples/scenes/table-pile";
import { describeMachine, versions } from "../machine";
import { drawCharts, type Drawing, writePlots } from "../plot";
import {
  type ConvergenceRow,
  geometricStiffnessFigure,
  linearMethodFigure,
  linearProblemFigure,
  preconditionerFigure,
  quartileFigure,
} from "./figures";
import { problemOf } from "./problem";

/** Like other results of the bench command, with rows of another kind. */
export interface ConvergenceResult {
  readonly suite: "convergence";
  readonly machine: string;
  readonly adapter: "none";
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly ConvergenceRow[];
  /** the drawings */
  /** names of the drawings */
  readonly files: readonly string[];
}

/** Time steps of the quartiles, as in figure 16. */
const MOMENTS = 132;
/**
 * Steps before the examined moment: by then rounding has made the stacks a little uneven, and the tables lie on the
 * ground.
 */
const STEPS = { stack: 20, tables: 480, fewTables: 240 };
const FEW_TABLES = 6;

/**
 * Draws figures 11, 12 and 16 to 18.
 *
 * @param moments time steps of figure 16; if there are few, the heap of tables is small, too
 * @param target path and start of the name of the drawings
 */
export async function convergenceSuite(
  moments: number | undefined,
  target: string,
  progress: Progress,
): Promise<ConvergenceResult> {
  const isRough = moments !== undefined && moments < 10;
  const built = await problemOf(heavyStack, 0);
  const problems = [
    await problemOf(arch, STEPS.stack),
    isRough
      ? await problemOf(tablePile, STEPS.fewTables, { count: FEW_TABLES })
      : await problemOf(tablePile, STEPS.tables),
    await problemOf(heavyStack, STEPS.stack),
  ];
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const works = [
      () => linearProblemFigure(problems),
      () => geometricStiffnessFigure(),
      () => preconditionerFigure([...problems.slice(0, 2), built]),
      () => linearMethodFigure([...problems.slice(0, 2), built]),
      () => quartileFigure(problems[2], moments ?? MOMENTS),
    ];
    const rows: ConvergenceRow[] = [];
    const drawings: Drawing[] = [];
    for (const [k, work] of works.entries()) {
      progress.update(k, works.length);
      const figure = await work();
      rows.push(...figure.rows);
      drawings.push({ file: `${target}-${figure.name}`, svg: drawCharts(figure.title, figure.charts, figure.columns) });
    }
    const files = (await writePlots(drawings)).map((file) => path.basename(file));
    progress.update(works.length, works.length);
    return { suite: "convergence", machine: describeMachine(), adapter: "none", versions: versions(), rows, files };
  } finally {
    for (const problem of [...problems, built]) problem.dispose();
  }
}
