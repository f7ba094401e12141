import type { Progress } from "../../samples/cli/progress";
import { describeMachine, packageVersion, versions } from "../machine";
import { batchRows } from "./batch";
import { linkGrowths, type LinkGrowth } from "./growth";
import { loadPeer, mujocoTasks } from "./mujoco";
import { pliantTasks } from "./pliant";
import { articulatedScenes, type ArticulatedScene } from "./scenes";
import { timeTasks, type TaskTiming } from "./timing";

/**
 * One timed task: milliseconds per call. Ratios to other tasks are those of the fastest turns.
 */
export type ArticulatedRow = {
  readonly scene: string;
  /** degrees of freedom */
  readonly size: number;
  readonly settings: string;
  /** contacts in the timed state */
  readonly contacts: number;
  /** analytic Jacobians: largest difference from those by Ridders' method, relative to the largest entry */
  readonly jacobianError?: number;
  /** step: time over that of `mj_step` */
  readonly timesMujocoStep?: number;
  /** analytic Jacobians: speedup over Ridders' method, and over MuJoCo's forward differences */
  readonly speedupOverRidders?: number;
  readonly speedupOverMujoco?: number;
  readonly speedup?: number;
  readonly speedupAgainst?: string;
  /** copies of the mechanism, and steps of single copies in a second */
  readonly worlds?: number;
  readonly worldStepsPerSecond?: number;
} & TaskTiming &
  ({ readonly backend: "cpu" | "webgpu" } | { readonly peer: string });

/** Like other results of the bench command, with rows of another kind. */
export interface ArticulatedResult {
  readonly suite: "articulated";
  readonly machine: string;
  /** WebGPU's adapter; "none" when no row ran on it */
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly ArticulatedRow[];
  readonly growths: readonly LinkGrowth[];
}

/** Turns of each task; the default is fast enough to run at every change. */
const defaultRounds = 15;

/** The GPU of the rows on WebGPU. */
export interface SuiteGpu {
  readonly gpu: GPU;
  readonly adapter: string;
}

/** Largest number of worlds of a batch in a short run, and in a trustworthy one. */
const batchWorlds = { rough: 16, whole: 16384 };

/**
 * Steps and Jacobians of the published scenes, beside MuJoCo in WebAssembly in the same run; then many copies on WebGPU.
 *
 * @param frames twice the turns of each task, as half of the frames are timed elsewhere
 * @param webGpu if left out, there are no rows on WebGPU
 */
export async function articulatedSuite(
  frames: number | undefined,
  webGpu: SuiteGpu | undefined,
  progress: Progress,
): Promise<ArticulatedResult> {
  const rounds = frames === undefined ? defaultRounds : Math.max(1, Math.floor(frames / 2));
  const mujoco = await loadPeer();
  const peer = `MuJoCo ${packageVersion("@mujoco/mujoco")} wasm`;
  const scenes = articulatedScenes();
  const stages = scenes.length + 2;
  const rows: ArticulatedRow[] = [];
  for (const [i, scene] of scenes.entries()) {
    progress.update(i, stages);
    rows.push(...sceneRows(mujoco, peer, scene, rounds));
  }
  progress.update(scenes.length, stages);
  const growths = linkGrowths(Math.min(rounds, 5));
  progress.update(scenes.length + 1, stages);
  if (webGpu !== undefined)
    rows.push(...(await batchRows(webGpu.gpu, rounds, rounds > 1 ? batchWorlds.whole : batchWorlds.rough)));
  progress.update(stages, stages);
  const adapter = webGpu?.adapter ?? "none";
  return { suite: "articulated", machine: describeMachine(), adapter, versions: versions(), rows, growths };
}

function sceneRows(
  mujoco: Awaited<ReturnType<typeof loadPeer>>,
  peer: string,
  scene: ArticulatedScene,
  rounds: number,
): ArticulatedRow[] {
  const own = pliantTasks(scene);
  const other = mujocoTasks(mujoco, scene);
  try {
    // ratios are those of the fastest turns: other load on the machine must not decide them
    const tasks = [own.step, own.analytic, own.central, own.ridders, other.step, other.forward, other.central];
    const times = timeTasks(tasks, rounds);
    const [step, analytic, central, ridders, mjStep, forward] = times.map((timing) => timing.fastestMsPerFrame);
    const figures: Partial<ArticulatedRow>[] = [
      { timesMujocoStep: step / mjStep },
      {
        jacobianError: own.jacobianError(),
        speedup: central / analytic,
        speedupAgainst: own.central.name,
        speedupOverRidders: ridders / analytic,
        speedupOverMujoco: forward / analytic,
      },
    ];
    return tasks.map((task, i) => {
      const mine = i < 4;
      const common = {
        scene: scene.name,
        size: scene.q.length,
        settings: task.name,
        contacts: mine ? own.contacts : other.contacts,
        ...times[i],
        ...figures[i],
      };
      return mine ? { ...common, backend: "cpu" } : { ...common, peer };
    });
  } finally {
    other.dispose();
  }
}
