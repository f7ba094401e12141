import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Scene } from "@babylonjs/core/scene";
import { frameCount } from "../parameters";
import { putCamera } from "./place";
import type { Query } from "./query";
import type { Playable } from "./session";
import { Strip } from "./strip";

/** Steps between waits for the GPU: the number in flight when the page runs, because bodies lag behind cloth by that. */
const STEPS_PER_WAIT = 2;
/** The first images compile pipelines and fill the shadow map. */
const FIRST_IMAGES = 2;

export interface CaptureOptions extends Pick<Query, "settings" | "backend" | "frames" | "camera" | "shots"> {
  readonly definition: Playable;
}

/**
 * Runs exactly `frames` frames without drawing them, then draws the last one. With `shots`, it draws as many
 * of the frames on the way, and adds them to the page as one picture.
 */
export async function runCapture(engine: AbstractEngine, options: CaptureOptions): Promise<void> {
  const { definition, settings, backend } = options;
  const session = await definition.start(engine, { settings, backend, timestamps: false });
  const { camera, scene } = session;
  putCamera(camera, options.camera);
  await session.prepared();
  const frames = options.frames ?? frameCount({ ...definition, parameters: session.parameters }, session.present);
  const strip = options.shots === undefined ? undefined : new Strip(engine, options.shots);
  let drawn = 0;
  const firstImages = async (): Promise<void> => {
    for (; drawn < FIRST_IMAGES; drawn++) await nextImage(engine, scene);
  };
  for (let frame = 1; frame <= frames; frame++) {
    session.step();
    await session.looking;
    if (frame % STEPS_PER_WAIT === 0) await session.plugin.world.settled();
    if (strip === undefined || !strip.wants(frame, frames)) continue;
    await session.settled();
    await scene.whenReadyAsync();
    await firstImages();
    await nextImage(engine, scene, () => strip.add());
  }
  strip?.show();
  await session.settled();
  await scene.whenReadyAsync();
  await firstImages();
  await nextImage(engine, scene);
}

/** Draws one image, and then calls `then` in the same task. */
function nextImage(engine: AbstractEngine, scene: Scene, then?: () => void): Promise<void> {
  return new Promise((resolve) => {
    const draw = (): void => {
      scene.render();
      then?.();
      engine.stopRenderLoop(draw);
      resolve();
    };
    engine.runRenderLoop(draw);
  });
}
