import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Progress } from "../../samples/cli/progress";
import { convergedEnergy, type StepProblem } from "../../samples/reference-step";
import { ballTetrahedra, boxTetrahedra, gridMesh, solidModel } from "../../src/index";
import type { LocalGlobalModel } from "../../src/solvers/local-global/model";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { systemMatrix } from "../../src/solvers/local-global/body/system-matrix";
import { SparseInverse, symbolicInverse } from "../../src/math/sparse/sparse-inverse";
import { SparseColumn, SparseQuad } from "../../src/generated/structs";
import type { BlockTree } from "../../src/math/sparse/block-tree";
import { quadShape, wholeQuads } from "../../src/solvers/local-global/gpu/quad-tables";
import { fitExponent } from "../exponent";
import { describeMachine, versions } from "../machine";
import { type Chart, drawCharts, writePlots } from "../plot";
import { paperMegabytes } from "./paper";
import { energies, methods } from "./incomplete";
import { gpuStageRow, type GpuStageRow } from "./gpu-stages";
import { stageRow, stands, type StageRow } from "./stages";

/** A row of Tables 1 and 2: the cost of a mesh's sparse inverse. */
export interface FillRow {
  readonly scene: string;
  readonly size: number;
  readonly backend: "cpu";
  readonly elements: number;
  /** S on a GPU: values in single precision and all tables of their places [MiB] */
  readonly megabytes: number;
  /** the tables alone [MiB] */
  readonly tableMegabytes: number;
  /** part of one binding that contact takes if all of the surface is touched, the columns of S there [MiB] */
  readonly contactMegabytes: number;
  /** ratio to the paper's figure for a mesh of the same kind and size, in double precision */
  readonly paperShare: number;
  /** ratio of entries of S to those of the lower triangle of A */
  readonly fill: number;
  /** ordering, factor and inverse [s] */
  readonly factorSeconds: number;
  /** one global step q = Sᵀ (S b), f64 */
  readonly msPerFrame: number;
}

export interface LocalGlobalResult {
  readonly suite: "local-global";
  readonly machine: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly FillRow[];
  /** rows of Table 3 */
  readonly stages: readonly StageRow[];
  /** the same on a GPU, with the ratio of the time in f64 to it */
  readonly gpuStages: readonly (GpuStageRow & { readonly speedup: number })[];
  /** factor time ∝ vertices^exponent, by kind of mesh */
  readonly growths: readonly { readonly scene: string; readonly exponent: number }[];
  /** names of the drawings */
  readonly files: readonly string[];
}

const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, model: "neo-hookean" } as const;
/** Approximate vertices of the meshes; `--sizes` sets others. */
const SIZES = [1000, 2000, 5000];
/** Larger meshes are not stepped on the CPU. */
const MOST_STEPPED = 5000;

export const kinds: Readonly<Record<string, (size: number) => LocalGlobalModel>> = {
  bar: (size) => {
    // cells 4 n × n × n
    const n = Math.max(1, Math.round(Math.cbrt(size / 4)));
    return solidModel({
      solver: "local-global",
      ...boxTetrahedra({ size: [4, 1, 1], cells: [4 * n, n, n] }),
      elements: "linear",
      material,
      name: "bar",
    });
  },
  ball: (size) => {
    const resolution = Math.max(2, Math.round(1.06 * Math.cbrt(size)));
    return solidModel({
      solver: "local-global",
      ...ballTetrahedra({ radius: 0.1, resolution }),
      material,
      name: "ball",
    });
  },
  "cloth without bending": (size) => sheet(size, "none"),
  "cloth with isometric bending": (size) => sheet(size, "isometric"),
  "cloth with Laplace-Beltrami bending": (size) => sheet(size, "laplace-beltrami"),
};

function sheet(size: number, bending: "none" | "isometric" | "laplace-beltrami"): LocalGlobalModel {
  const cells = Math.max(2, Math.round(Math.sqrt(size)) - 1);
  return localGlobalSheet({
    ...gridMesh({ width: 1, height: 1, columns: cells, rows: cells }),
    thickness: 0.001,
    bending,
    material,
  });
}

/**
 * Measures the meshes and draws the curves.
 *
 * @param iterations of the curves, default 60
 * @param target path and start of the name of the drawings
 * @param where the GPU for the rows on WebGPU
 */
export async function localGlobalSuite(
  iterations: number | undefined,
  sizes: readonly number[] | undefined,
  target: string,
  where: { readonly gpu: GPU; readonly adapter: string } | undefined,
  progress: Progress,
): Promise<LocalGlobalResult> {
  const rows: FillRow[] = [];
  const names = Object.keys(kinds);
  const all = sizes ?? SIZES;
  for (const [k, scene] of names.entries())
    for (const [i, size] of all.entries()) {
      progress.update(k * all.length + i, names.length * all.length + 1);
      rows.push(fillRow(scene, kinds[scene](size)));
    }
  const stages: StageRow[] = [];
  const stepped = new Set(all.map((size) => Math.min(size, MOST_STEPPED)));
  const gpuStages: (GpuStageRow & { readonly speedup: number })[] = [];
  for (const scene of Object.keys(stands))
    for (const size of stepped) {
      const row = await stageRow(scene, size);
      stages.push(row);
      const found = where && (await gpuStageRow(scene, size, where.gpu));
      if (found) gpuStages.push({ ...found, speedup: (row.msPerFrame + row.stages.detection) / found.msPerFrame });
    }
  await mkdir(path.dirname(target), { recursive: true });
  const svg = drawCharts("Convergence of a step (figure 9)", charts([1e5, 1e7, 1e9], iterations ?? 60), 3);
  const files = (await writePlots([{ file: `${target}-twisting-bar`, svg }])).map((file) => path.basename(file));
  progress.update(1, 1);
  // one size has no growth
  const growths = (all.length > 1 ? names : []).map((scene) => {
    const own = rows.filter((row) => row.scene === scene);
    return {
      scene,
      exponent: fitExponent(
        own.map((row) => row.size),
        own.map((row) => row.factorSeconds),
      ),
    };
  });
  return {
    suite: "local-global",
    machine: describeMachine(),
    adapter: where?.adapter ?? "none",
    versions: versions(),
    rows,
    stages,
    gpuStages,
    growths,
    files,
  };
}

/** Size of S on a device [bytes]: its values in f32, and the tables that say which they are. */
function storageOf(tree: BlockTree): { readonly values: number; readonly tables: number } {
  const { quadCount, chunks, forward, backward } = quadShape([{ tree }], Infinity);
  let tables = (SparseColumn.size + 8) * wholeQuads(tree.size) + SparseQuad.size * quadCount;
  for (const { list, starts } of [forward, backward]) tables += list.byteLength + starts.byteLength;
  return { values: 16 * chunks.reduce((sum, { size }) => sum + size, 0), tables };
}

/**
 * Finds the pattern of S, and its cost from that; no entries of S are computed.
 *
 * @param inverse of the model; without it, only its structure is found
 */
export function storageRow(
  scene: string,
  model: LocalGlobalModel,
  inverse?: SparseInverse,
): Pick<FillRow, "scene" | "size" | "megabytes" | "tableMegabytes" | "contactMegabytes" | "paperShare"> {
  const { tree, order } = inverse ?? symbolicInverse(systemMatrix(model, 0.01), { coordinates: model.restPositions });
  const { values, tables } = storageOf(tree);
  const surface = new Set(model.faces);
  let columns = 0;
  order.forEach((vertex, place) => (columns += surface.has(vertex) ? tree.depth[place] : 0));
  const megabytes = (values + tables) / 2 ** 20;
  return {
    scene,
    size: model.particleCount,
    megabytes,
    tableMegabytes: tables / 2 ** 20,
    contactMegabytes: (4 * columns) / 2 ** 20,
    paperShare: megabytes / paperMegabytes(scene, model.particleCount),
  };
}

export function fillRow(scene: string, model: LocalGlobalModel): FillRow {
  const matrix = systemMatrix(model, 0.01);
  let start = performance.now();
  const inverse = SparseInverse.of(matrix, { coordinates: model.restPositions });
  const factorSeconds = (performance.now() - start) / 1000;
  const b = Float64Array.from(model.restPositions);
  const scratch = new Float64Array(b.length);
  start = performance.now();
  inverse.solve(b, b, scratch);
  const { inverseEntries, matrixEntries } = inverse.statistics;
  return {
    ...storageRow(scene, model, inverse),
    backend: "cpu",
    elements: model.terms[0].elementCount,
    fill: inverseEntries / matrixEntries,
    factorSeconds,
    msPerFrame: performance.now() - start,
  };
}

/** The error of each material against iterations, and below them against time. */
function charts(youngsModuli: readonly number[], iterations: number): Chart[] {
  const pairs = youngsModuli.map((youngsModulus) => chart(youngsModulus, iterations));
  return [...pairs.map(([byIteration]) => byIteration), ...pairs.map(([, byTime]) => byTime)];
}

/** A bar that is twisted by 20° in one step: errors against iterations, and against their time in f64. */
export function chart(youngsModulus: number, iterations: number): [Chart, Chart] {
  const mesh = boxTetrahedra({ size: [1, 0.25, 0.25], cells: [8, 2, 2] });
  const model = solidModel({
    solver: "local-global",
    ...mesh,
    elements: "linear",
    material: { ...material, model: "arap", youngsModulus },
  });
  const x = model.positions;
  const pinned = Uint8Array.from(model.masses, (_, i) => (Math.abs(x[3 * i]) > 0.499 ? 1 : 0));
  const targets = x.slice();
  for (let i = 0; i < pinned.length; i++) {
    const angle = (Math.sign(x[3 * i]) * Math.PI) / 18;
    targets[3 * i + 1] = Math.cos(angle) * x[3 * i + 1] - Math.sin(angle) * x[3 * i + 2];
    targets[3 * i + 2] = Math.sin(angle) * x[3 * i + 1] + Math.cos(angle) * x[3 * i + 2];
  }
  const velocities = new Float64Array(x.length);
  const problem: StepProblem = { model, positions: x, velocities, pinned, targets, h: 0.01 };
  const least = convergedEnergy(problem);
  const curves = methods.map((name) => {
    const { values, times } = energies(problem, name, iterations);
    return { name, values: values.map((value) => (value - least) / (values[0] - least)), times };
  });
  const common = {
    title: `E = ${youngsModulus.toExponential(0)} Pa`,
    yLabel: "relative energy error",
    scale: "log",
    range: [1e-8, 2],
  } as const;
  // up to the end of the fastest curve
  const end = Math.min(...curves.map(({ times }) => times.at(-1)));
  const until = ({ times }: { times: readonly number[] }): number => times.filter((time) => time <= end).length;
  return [
    {
      ...common,
      xLabel: "local-global iterations",
      curves: curves.map(({ name, values }) => ({ name, values })),
    },
    {
      ...common,
      xLabel: "processor time in f64 [ms]",
      curves: curves.map((curve) => ({
        name: curve.name,
        values: curve.values.slice(0, until(curve)),
        at: curve.times.slice(0, until(curve)),
      })),
    },
  ];
}
