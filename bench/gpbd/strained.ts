/**
 * Cubes stretched, compressed and twisted with the iterations of table 5 of paper 1, time step 0.001 s; where those are too few,
 * with twice and four times as many outer ones.
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
  /** of Algorithm 1 and of Newton in it; and over those of table 5 */
  readonly iterations: number;
  readonly newtonIterations: number;
  readonly timesPaper: number;
  /** of 0.01 s, in which ten time steps are */
  readonly frames: number;
  readonly msPerFrame: number;
  /** metrics of the scene; null where the state was not finite */
  readonly kineticEnergyDecay: number | null;
  readonly volumeChangePercent: number | null;
  readonly minDeterminant: number | null;
  /** finite, at rest, and nothing inside out */
  readonly isStable: boolean;
}

/** One scene with one choice of everything. */
export interface StrainedRun {
  readonly scene: StrainedCube;
  readonly size: number;
  readonly model: string;
  readonly method: string;
  readonly accelerate: boolean;
  readonly poissonRatio: number;
  readonly timesPaper: number;
}

/** Of the run: the ends move for half of it, twice as quickly as in the scene's own 2 s [s]. */
const DURATION = 1;
/** Of the scenes [s]. */
const FRAME = 0.01;
const MOST_TIMES = 4;
/** Iterations of Newton in a time step, all in all. */
const LONG = 20;
const models = ["stable-neo-hookean", "neo-hookean"];
const ways = [
  { method: "gauss-seidel", accelerate: false },
  { method: "jacobi", accelerate: true },
  { method: "jacobi", accelerate: false },
];
/** The hardest first. */
const ratios = [0.4995, 0.45, 0.499, 0.49, 0.495];

/** Every scene with every model, way to sweep and Poisson's ratio; what takes the most iterations last. */
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
 * Runs what is to be run, and again with twice as many iterations what did not come to rest.
 *
 * @param gpu where it runs; else on the CPU
 * @param onRow hears of each row as it is there
 * @param frames of each run, in place of all
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
