import { runScene } from "../../samples/run-scene";
import { sceneNamed, scenes } from "../../samples/scenes/index";
import type { Job, Outcome } from "./job";

/** Runs a job in a worker thread. An error of the scene is the outcome: it would throw it again. */
export default async function runJob({ scene, settings, frames, backend }: Job): Promise<Outcome> {
  const begin = performance.now();
  let played = 0;
  const ms = (): number => Math.round(performance.now() - begin);
  try {
    const onFrame = (): unknown => played++;
    const { metrics } = await runScene(sceneNamed(scene, scenes), { parameters: settings, frames, backend, onFrame });
    return { metrics, frames: played, ms: ms() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), frames: played, ms: ms() };
  }
}
