import v8 from "node:v8";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Scene } from "@babylonjs/core/scene";
import "@babylonjs/core/Physics/physicsEngineComponent";
import { PliantPlugin } from "../../plugin/index";
import { quantile } from "../../samples/run-scene";
import type { Progress } from "../../samples/cli/progress";
import { describeMachine, versions } from "../machine";
import { type DefaultScene, defaultScenes } from "./scenes";

export interface DefaultRow {
  readonly scene: string;
  readonly frames: number;
  /** processor time of all threads: median of the busiest `WINDOW` frames, and of the last ones [ms a frame] */
  readonly busiestMs: number;
  readonly lastMs: number;
  /** the longest frame after the first `WINDOW` [ms] */
  readonly longestMs: number;
  /** on the heap of JavaScript, Babylon's frame included: median of the last `WINDOW` frames [bytes a frame] */
  readonly bytes: number;
}

export interface DefaultsResult {
  readonly suite: "defaults";
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly DefaultRow[];
}

const FRAMES = 180;
const WINDOW = 20;

/**
 * Steps aggregates with default options on the CPU, in frames of a scene with a `NullEngine`: nothing is drawn.
 *
 * @param frames of each scene, default 180
 * @param only part of the names of the scenes to run
 */
export async function defaultsSuite(frames = FRAMES, progress?: Progress, only = ""): Promise<DefaultsResult> {
  const rows: DefaultRow[] = [];
  const chosen = defaultScenes.filter(({ name }) => name.includes(only));
  for (const scene of chosen) {
    rows.push(await measure(scene, frames));
    progress?.update(rows.length, chosen.length);
  }
  return { suite: "defaults", machine: describeMachine(), versions: versions(), rows };
}

async function measure({ name, build }: DefaultScene, frames: number): Promise<DefaultRow> {
  const engine = new NullEngine();
  try {
    const scene = new Scene(engine);
    const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu", load: "all" });
    scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
    const beforeFrame = await build(scene, plugin);
    const times = new Float64Array(frames);
    const bytes: number[] = [];
    for (let frame = 0; frame < frames; frame++) {
      beforeFrame?.(frame + 1);
      const heap = v8.getHeapStatistics().used_heap_size;
      const { user, system } = process.cpuUsage();
      scene._advancePhysicsEngineStep(1000 / 60);
      const used = process.cpuUsage();
      const more = v8.getHeapStatistics().used_heap_size - heap;
      times[frame] = (used.user - user + used.system - system) / 1000;
      // Garbage that is collected within a frame hides what it allocates.
      if (frame >= frames - WINDOW && more >= 0) bytes.push(more);
      await plugin.world.settled();
    }
    const medians = Array.from({ length: Math.floor(frames / WINDOW) }, (_, k) =>
      quantile(Array.from(times.subarray(frames - WINDOW * (k + 1), frames - WINDOW * k)), 0.5),
    );
    return {
      scene: name,
      frames,
      busiestMs: Math.max(...medians.slice(0, -1)),
      lastMs: medians[0],
      longestMs: Math.max(...times.subarray(WINDOW)),
      bytes: bytes.length === 0 ? Number.NaN : quantile(bytes, 0.5),
    };
  } finally {
    engine.dispose();
  }
}
