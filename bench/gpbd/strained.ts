/**
 * Cubes stretched, compressed and twisted with the iterations of table 5 of paper 1, time step 0.001 s. If those are too few, the run is
 * repeated with twice and four times as many outer ones.
 */
import { NonFiniteStateError, runScene } from "../../samples/run-scene";
import { nhCompress, nhStretch, nhTwist, type StrainedCube } from "../../samples/scenes/strained-cube";

export interface StrainedRow {
  readonly scene: string;
  /** cells along an edge, six tetrahedra each */
  readonly size: number;
  readonly backend: "cpu" | "webgpu";
  readonly model: string;
  readonly method: string;
  /** whether iterations of Jacobi build on each other */
  readonly accelerate: boolean;
  readonly poissonRatio: number;
  /** iterations of Algorithm 1 and of Newton in it, and their ratio to table 5 */
  readonly iterations: number;
  readonly newtonIterations: number;
  readonly timesPaper: number;
  /** frames of 0.01 s, ten time steps each */
  readonly frames: number;
  readonly msPerFrame: number;
  /** metrics of the scene; null if the state was not finite */
  readonly kineticEnergyDecay: number | null;
  readonly volumeChangePercent: number | null;
  readonly minDeterminant: number | null;
  /** finite, at rest, and nothing inside out */
  readonly isStable: boolean;
}

/** One scene with one choice of every option. */
export interface StrainedRun {
  readonly scene: StrainedCube;
  readonly size: number;
  readonly model: string;
  readonly method: string;
  readonly accelerate: boolean;
  readonly poissonRatio: number;
  readonly timesPaper: number;
}

/** Duration of the run: the ends move for half of it, twice as fast as in the scene's own 2 s [s]. */
const DURATION = 1;
/** Frame time of the scenes [s]. */
const FRAME = 0.01;
const MOST_TIMES = 4;
/** Total of Newton iterations in a time step. */
const LONG = 20;
const models = ["stable-neo-hookean", "neo-hookean"];
const ways = [
  { method: "gauss-seidel", accelerate: false },
  { method: "jacobi", accelerate: true },
  { method: "jacobi", accelerate: false },
];
/** The hardest first. */
const ratios = [0.4995, 0.45, 0.499, 0.49, 0.495];

/** Every scene with every model, sweep method and Poisson's ratio; those with the most iterations come last. */
export function strainedRuns(sizes: readonly number[]): StrainedRun[] {
  const runs: StrainedRun[] = [];
  for (const size of sizes)
    for (const poissonRatio of ratios)
      for (const way of ways)
        for (const scene of [nhStretch, nhTwist, nhCompress])
          for (const model of models) runs.push({ scene, size, model, ...way, poissonRatio, timesPaper: 1 });
  const isLong = (run: StrainedRun): boolean => {
    const { iterations, newtonIterations } = countsOf(run);
    return iterations * newtonIterations > LONG;
  };
  return [...runs.filter((run) => !isLong(run)), ...runs.filter(isLong)];
}

/**
 * Runs the cubes, and repeats runs that did not come to rest with twice as many iterations.
 *
 * @param gpu that runs them; without it the CPU does
 * @param onRow receives each row as soon as it is complete
 * @param frames of each run; default: all
 */
export async function strainedRows(
  runs: readonly StrainedRun[],
  gpu: GPU | undefined,
  onRow: (rows: readonly StrainedRow[]) => Promise<void>,
  frames?: number,
): Promise<StrainedRow[]> {
  const queue = [...runs];
  const rows: StrainedRow[] = [];
  for (let run = queue.shift(); run; run = queue.shift()) {
    const row = await rowOf(run, gpu, frames);
    rows.push(row);
    await onRow(rows);
    if (!row.isStable && run.timesPaper < MOST_TIMES) queue.push({ ...run, timesPaper: 2 * run.timesPaper });
  }
  return rows;
}

function commonOf({ size, model, method, accelerate, poissonRatio }: StrainedRun) {
  return { cells: size, model, method, accelerate, poissonRatio, duration: DURATION };
}

function countsOf({ scene, model, poissonRatio, timesPaper }: StrainedRun) {
  const [, iterations, newtonIterations] = scene.inTable(model, poissonRatio);
  return { iterations: timesPaper * iterations, newtonIterations };
}

async function rowOf(run: StrainedRun, gpu: GPU | undefined, frames: number | undefined): Promise<StrainedRow> {
  const { scene } = run;
  const { iterations, newtonIterations } = countsOf(run);
  const backend = gpu ? "webgpu" : "cpu";
  const count = frames ?? Math.round(DURATION / FRAME);
  const start = performance.now();
  const head = { ...run, scene: scene.name, backend, iterations, newtonIterations } as const;
  try {
    const parameters = { ...commonOf(run), iterations, newtonIterations };
    const { metrics, timing } = await runScene(scene, { parameters, frames: count, backend, gpu });
    const { kineticEnergyDecay, volumeChangePercent, inverted, minDeterminant } = metrics;
    const bound = scene.metrics.find(({ name }) => name === "kineticEnergyDecay")!.bound!;
    const isStable = kineticEnergyDecay <= bound && inverted === 0;
    const found = { kineticEnergyDecay, volumeChangePercent, minDeterminant, isStable };
    return { ...head, frames: count, msPerFrame: timing.medianMsPerFrame, ...found };
  } catch (error) {
    if (!(error instanceof NonFiniteStateError)) throw error;
    const found = { kineticEnergyDecay: null, volumeChangePercent: null, minDeterminant: null, isStable: false };
    return { ...head, frames: count, msPerFrame: (performance.now() - start) / count, ...found };
  }
}
