import type { Progress } from "../../samples/cli/progress";
import { numberOf, resolveParameters } from "../../samples/parameters";
import { quantile } from "../../samples/run-scene";
import type { ParameterValue, SceneDefinition } from "../../samples/scene";
import { arch } from "../../samples/scenes/arch";
import { tablePile } from "../../samples/scenes/table-pile";
import { GpuContext } from "../../src/gpu/device";
import { World } from "../../src/index";
import { describeMachine, versions } from "../machine";
import { timedFrameCount } from "../race";

/** A scene solved on the GPU. */
export interface RigidGpuRow {
  readonly scene: string;
  /** dynamic bodies */
  readonly size: number;
  readonly backend: "webgpu";
  readonly frames: number;
  readonly timedFrames: number;
  /** median of a whole frame: contacts on the CPU, the GPU's work, and poses back */
  readonly msPerFrame: number;
  /** median of all passes of a step by timestamp queries; absent if the device has none */
  readonly gpuMsPerStep?: number;
  /** the passes of the last frame by stage */
  readonly stages?: Readonly<Record<string, number>>;
  /** time of a step in Table 2 of paper 3, on a GTX 1070 */
  readonly paperMsPerStep: number;
  readonly contacts: number;
  /** ‖residual‖₂ at the end of the last step, of the worst island [m/s] */
  readonly residual: number;
  readonly maxPenetration: number;
}

export interface RigidGpuResult {
  readonly suite: "rigid-gpu";
  readonly machine: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly RigidGpuRow[];
}

/** The source of WebGPU, and the adapter's name for itself. */
export interface WebGpuSource {
  readonly gpu: GPU;
  readonly adapter: string;
}

const FRAMES = 20;
/** Frames after which most tables have landed. */
const FALL = 150;
/** Number of residuals kept per step: more than a step has. */
const REPORT_SIZE = 200;

/**
 * Measures the time of a step on the GPU in those scenes of Table 2 of paper 3 that Pliant has.
 * Time of a step on the GPU in the scenes of Table 2 of paper 3 that Pliant has.
 *
 * @param frames of each scene, default 20: the second half, at most 60, is timed
 * @param tables tables in the pile, default 54
 */
export async function rigidGpuSuite(
  frames = FRAMES,
  tables: number | undefined,
  source: WebGpuSource,
  progress?: Progress,
): Promise<RigidGpuResult> {
  const parameters: Readonly<Record<string, ParameterValue>> = tables === undefined ? {} : { count: tables };
  const rows = [await runScene({ scene: arch, parameters: {}, falls: 0, paperMsPerStep: 7.75 }, frames, source)];
  progress?.update(1, 2);
  rows.push(await runScene({ scene: tablePile, parameters, falls: FALL, paperMsPerStep: 3.7 }, frames, source));
  progress?.update(2, 2);
  return { suite: "rigid-gpu", machine: describeMachine(), adapter: source.adapter, versions: versions(), rows };
}

interface Heat {
  readonly scene: SceneDefinition;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** frames on the CPU before those on the GPU */
  readonly falls: number;
  readonly paperMsPerStep: number;
}

async function runScene(
  { scene, parameters, falls, paperMsPerStep }: Heat,
  frames: number,
  { gpu, adapter }: WebGpuSource,
): Promise<RigidGpuRow> {
  const values = resolveParameters(scene, parameters);
  const dt = numberOf(values, "frameTime");
  const world = await World.create({ backend: "webgpu", gpu, snapshotInterval: 0, timestamps: true });
  try {
    const instance = await scene.build(world, values);
    for (let frame = 0; frame < falls; frame++) {
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
    }
    // Resting bodies stay awake for another half second.
    for (let slot = 0; slot < world.rigid.bodies.length; slot++) world.rigid.wake(slot);
    world.rigid.moveTo(new GpuContext(world.device!, adapter));
    const lane = world.rigid.gpuLane!;
    lane.reportSize = REPORT_SIZE;
    const timedFrames = timedFrameCount(frames);
    const [wall, passes]: [number[], number[]] = [[], []];
    let stages: Readonly<Record<string, number>> | undefined;
    for (let frame = 0; frame < frames; frame++) {
      instance.beforeStep?.(world.time, dt);
      const start = performance.now();
      world.step(dt);
      await world.settled();
      const time = performance.now() - start;
      await instance.afterStep?.(frame);
      if (frame < frames - timedFrames) continue;
      wall.push(time);
      stages = await lane.gpuTime();
      if (stages) passes.push(Object.values(stages).reduce((sum, ms) => sum + ms, 0) / world.rigid.substeps);
    }
    const residuals = (await lane.readReports()).map((report) => report.at(-1) ?? 0);
    const { maxPenetration } = await instance.measure();
    return {
      scene: scene.name,
      size: world.rigid.bodies.filter(({ motion }) => motion === "dynamic").length,
      backend: "webgpu",
      frames,
      timedFrames,
      msPerFrame: quantile(wall, 0.5),
      ...(passes.length > 0 ? { gpuMsPerStep: quantile(passes, 0.5) } : {}),
      ...(stages ? { stages } : {}),
      paperMsPerStep,
      contacts: world.rigid.contacts.count,
      residual: Math.max(0, ...residuals),
      maxPenetration,
    };
  } finally {
    world.dispose();
  }
}
