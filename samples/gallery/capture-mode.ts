import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { frameCount } from "../parameters";
import type { ParameterValues, SceneDefinition } from "../scene";
import type { Backend } from "./panel";
import type { Query } from "./query";
import { Session } from "./session";

/** Steps between waits for the GPU: the number in flight when the page runs, because bodies lag behind cloth by that. */
const STEPS_PER_WAIT = 2;

export interface CaptureOptions {
  readonly definition: SceneDefinition;
  readonly values: ParameterValues;
  readonly backend: Backend;
  readonly frames: number | undefined;
  readonly view: Query["view"];
}

/** Runs exactly `frames` frames without drawing them, then draws the last one until the page is closed. */
export async function runCapture(engine: AbstractEngine, options: CaptureOptions): Promise<void> {
  const { definition, values } = options;
  const session = await Session.create(engine, {
    definition,
    values,
    backend: options.backend,
    shadowSize: 2048,
    timestamps: false,
  });
  const { camera, scene } = session.stage;
  camera.alpha = options.view.alpha ?? camera.alpha;
  camera.beta = options.view.beta ?? camera.beta;
  camera.radius = options.view.radius ?? camera.radius;
  await session.instance.optimisation?.finished;
  const frames = options.frames ?? frameCount(definition, values);
  for (let frame = 1; frame <= frames; frame++) {
    session.step();
    await session.looking;
    if (frame % STEPS_PER_WAIT === 0) await session.plugin.world.settled();
  }
  await session.settled();
  await scene.whenReadyAsync();
  let drawn = 0;
  await new Promise<void>((resolve) => {
    engine.runRenderLoop(() => {
      scene.render();
      // The first frames compile pipelines and fill the shadow map.
      if (++drawn === 3) resolve();
    });
  });
}
