import { writeFile } from "node:fs/promises";
import { PliantError } from "../src/errors";
import { Progress, type ProgressStream } from "../samples/cli/progress";
import { NonFiniteStateError } from "../samples/run-scene";
import { loadWebGpu, type NodeWebGpu } from "../scripts/environment/node-webgpu";
import { articulatedText } from "./articulated/report";
import { articulatedSuite, type ArticulatedResult } from "./articulated/suite";
import { parseArguments, usage, type Backend, type BenchRequest } from "./arguments";
import { convergenceText } from "./convergence/report";
import { convergenceSuite, type ConvergenceResult } from "./convergence/suite";
import { labelText, type Contestant } from "./contestant";
import { defaultsText } from "./defaults/report";
import { defaultsSuite, type DefaultsResult } from "./defaults/suite";
import { growths } from "./exponent";
import { contestantsOf, type Heat } from "./heat";
import { goalsText } from "./goals/report";
import { goalsSuite, type GoalsResult } from "./goals/suite";
import { costRows } from "./gpbd/costs";
import { gpuCostText } from "./gpu-cost/report";
import { gpuCostSuite, type CostResult } from "./gpu-cost/suite";
import { kindRows } from "./gpbd/kinds";
import { measureLimits } from "./gpbd/limits";
import { solidsSuite, solidsText, type SolidsResult } from "./gpbd/suite";
import { localGlobalText } from "./local-global/report";
import { localGlobalSuite, type LocalGlobalResult } from "./local-global/suite";
import { describeMachine, versions } from "./machine";
import { race } from "./race";
import { reportText, type BenchResult } from "./report";
import { withSpeedups, type Row } from "./rows";
import { rigidText } from "./rigid/report";
import { rigidSuite, type RigidResult } from "./rigid/suite";
import { rigidGpuText } from "./rigid-gpu/report";
import { rigidGpuSuite, type RigidGpuResult } from "./rigid-gpu/suite";
import { suites, type SuiteName } from "./suites";

/** Exit codes of the `bench` command. */
export const exitCodes = { success: 0, failed: 1, usage: 2, nonFinite: 3 } as const;

/** The outputs of the command. */
export interface Output {
  /** one line of the result */
  print(line: string): void;
  /** progress and errors */
  readonly log: ProgressStream;
}

/** The data that all heats of a run share. */
interface Setting {
  readonly backends: readonly Backend[];
  readonly gpu: GPU | undefined;
  /** choices of the command line */
  readonly frames: number | undefined;
  readonly suiteFrames: number;
}

/**
 * The `bench` command.
 *
 * @returns the exit code
 */
export async function benchCommand(args: readonly string[], output: Output): Promise<number> {
  let request: BenchRequest;
  let job: Job;
  try {
    request = parseArguments(args);
    job = jobOf(request, output);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    return fail(output, error.message, exitCodes.usage);
  }
  if (request.help) {
    output.print(usage);
    return exitCodes.success;
  }
  try {
    const { result, text } = await job();
    const json = JSON.stringify(result);
    if (request.out !== undefined) await writeFile(request.out, `${JSON.stringify(result, undefined, 2)}\n`);
    if (request.json) {
      output.log.write(`${text}\n`);
      output.print(json);
    } else output.print(text);
    return exitCodes.success;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail(output, message, error instanceof NonFiniteStateError ? exitCodes.nonFinite : exitCodes.failed);
  }
}

/** A run that is ready to start. It gives its result, and the result as a table. */
type Job = () => Promise<{
  readonly result:
    | BenchResult
    | ArticulatedResult
    | ConvergenceResult
    | CostResult
    | DefaultsResult
    | GoalsResult
    | LocalGlobalResult
    | RigidResult
    | RigidGpuResult
    | SolidsResult;
  readonly text: string;
}>;

/** @throws PliantError for a size at which a scene cannot be built */
function jobOf(request: BenchRequest, output: Output): Job {
  const { suite, frames } = request;
  if (suite === "articulated")
    return async () => {
      const wanted = request.backends?.includes("webgpu") ?? true;
      const webGpu = wanted ? await findWebGpu(request, output) : undefined;
      const where = webGpu && { gpu: webGpu.gpu, adapter: adapterName(webGpu) };
      const result = await articulatedSuite(frames, where, new Progress(suite, output.log));
      return { result, text: articulatedText(result) };
    };
  if (suite === "goals")
    return async () => {
      const progress = new Progress(suite, output.log);
      const result = await goalsSuite(frames ?? 50, (done, all) => progress.update(done, all));
      return { result, text: goalsText(result) };
    };
  if (suite === "convergence")
    return async () => {
      const result = await convergenceSuite(frames, drawingsOf(request), new Progress(suite, output.log));
      return { result, text: convergenceText(result) };
    };
  if (suite === "defaults")
    return async () => {
      const result = await defaultsSuite(frames, new Progress(suite, output.log));
      return { result, text: defaultsText(result) };
    };
  if (suite === "solids")
    return async () => {
      const wantsGpu = request.sizes !== undefined && (request.backends?.includes("webgpu") ?? true);
      const webGpu = wantsGpu ? await findWebGpu(request, output) : undefined;
      const where = webGpu && { gpu: webGpu.gpu, adapter: adapterName(webGpu) };
      const target = request.out?.replace(/\.json$/, "") ?? "dist/bench/solids";
      const result = await solidsSuite(frames, request.sizes, target, where, new Progress(suite, output.log));
      return { result, text: solidsText(result) };
    };
  if (suite === "local-global")
    return async () => {
      const target = request.out?.replace(/\.json$/, "") ?? "dist/bench/local-global";
      const wantsGpu = request.backends?.includes("webgpu") ?? true;
      const webGpu = wantsGpu ? await findWebGpu(request, output) : undefined;
      const where = webGpu && { gpu: webGpu.gpu, adapter: adapterName(webGpu) };
      const result = await localGlobalSuite(frames, request.sizes, target, where, new Progress(suite, output.log));
      return { result, text: localGlobalText(result) };
    };
  if (suite === "rigid")
    return async () => {
      const result = await rigidSuite(frames, request.sizes, new Progress(suite, output.log));
      return { result, text: rigidText(result) };
    };
  if (suite === "gpu-cost")
    return async () => {
      const webGpu = await loadWebGpu();
      const where = { gpu: webGpu.gpu, adapter: adapterName(webGpu) };
      const result = await gpuCostSuite(frames, request.sizes, where, new Progress(suite, output.log));
      return { result, text: gpuCostText(result) };
    };
  if (suite === "rigid-gpu")
    return async () => {
      const webGpu = await loadWebGpu();
      const where = { gpu: webGpu.gpu, adapter: adapterName(webGpu) };
      const result = await rigidGpuSuite(frames, request.sizes?.[0], where, new Progress(suite, output.log));
      return { result, text: rigidGpuText(result) };
    };
  const heats = suites[suite].heats(request.sizes ?? suites[suite].sizes);
  return async () => {
    const result = await run({ ...request, suite }, heats, output);
    return { result, text: reportText(result) };
  };
}

/** Drawings are written beside the result file. */
function drawingsOf({ out }: BenchRequest): string {
  return out?.replace(/\.json$/, "") ?? "dist/bench/convergence";
}

type SceneRequest = BenchRequest & { readonly suite: SuiteName };

async function run(request: SceneRequest, heats: readonly Heat[], output: Output): Promise<BenchResult> {
  const wanted = request.backends ?? ["cpu", "webgpu"];
  const webGpu = wanted.includes("webgpu") ? await findWebGpu(request, output) : undefined;
  const setting: Setting = {
    backends: wanted.filter((backend) => backend !== "webgpu" || webGpu !== undefined),
    gpu: webGpu?.gpu,
    frames: request.frames,
    suiteFrames: suites[request.suite].frames,
  };
  const rows: Row[] = [];
  for (const heat of heats) rows.push(...(await runHeat(heat, setting, output)));
  const limits = request.suite === "gpbd" && webGpu ? await measureLimits(webGpu.gpu) : undefined;
  const kindProgress = new Progress("kinds of terms", output.log);
  const kinds =
    limits && wanted.includes("cpu") && (await kindRows(webGpu!.gpu, (done, all) => kindProgress.update(done, all)));
  return {
    suite: request.suite,
    machine: describeMachine(),
    adapter: webGpu === undefined ? "none" : adapterName(webGpu),
    versions: versions(),
    rows,
    growths: request.suite === "scaling" ? growths(rows) : [],
    ...(limits && { limits, costs: costRows(rows, limits) }),
    ...(kinds && { kinds }),
  };
}

/** Without an adapter, only a run that asks for `webgpu` by name fails. */
async function findWebGpu(request: BenchRequest, output: Output): Promise<NodeWebGpu | undefined> {
  try {
    return await loadWebGpu();
  } catch (error) {
    if (request.backends !== undefined) throw error;
    output.log.write(`no rows on WebGPU: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

function adapterName({ adapterInfo: { vendor, architecture, description } }: NodeWebGpu): string {
  return [vendor, architecture, description].filter(Boolean).join(" ");
}

async function runHeat(heat: Heat, setting: Setting, output: Output): Promise<Row[]> {
  const { backends, gpu } = setting;
  const { scene, size } = heat;
  const frames = setting.frames ?? heat.frames ?? setting.suiteFrames;
  const contestants = await contestantsOf(heat, backends, gpu);
  try {
    const progress = new Progress(size === null ? scene.name : `${scene.name} ${size}`, output.log);
    const timings = await race(contestants, frames, (done, total) => progress.update(done, total));
    const rows: Row[] = [];
    for (const [i, contestant] of contestants.entries()) {
      const { label, settings, triangles } = contestant;
      const metrics = await measure(contestant);
      const stages = await contestant.stages?.();
      rows.push({
        scene: scene.name,
        size,
        ...label,
        settings,
        triangles,
        frames,
        ...timings[i],
        ...metrics,
        ...(stages === undefined ? {} : { stages }),
      });
    }
    return withSpeedups(rows);
  } finally {
    for (const contestant of contestants) contestant.dispose();
  }
}

async function measure(contestant: Contestant): Promise<Record<string, number>> {
  const metrics = await contestant.measure();
  for (const [name, value] of Object.entries(metrics))
    if (!Number.isFinite(value)) throw new NonFiniteStateError(`${labelText(contestant.label)}: metric "${name}"`, 0);
  return metrics;
}

function fail(output: Output, message: string, code: number): number {
  output.log.write(`${message.replaceAll("\n", " ")}\n`);
  return code;
}
