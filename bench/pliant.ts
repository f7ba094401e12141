import { World } from "../src/index";
import { numberOf, textOf } from "../samples/parameters";
import { assertFiniteState } from "../samples/run-scene";
import type { ParameterValues, SceneDefinition } from "../samples/scene";
import type { Backend } from "./arguments";
import type { Contestant } from "./contestant";

/** Frames of the run in which stages are timed; the first one compiles. */
const STAGE_FRAMES = 3;
/** Substeps in which stages are timed: with more, a frame would have more passes than the timer has queries. */
const STAGE_SUBSTEPS = 24;

/** Pliant on one of its backends. A frame on the GPU ends when the GPU has finished it. */
export async function pliantContestant(
  scene: SceneDefinition,
  values: ParameterValues,
  backend: Backend,
  gpu: GPU | undefined,
): Promise<Contestant> {
  const world = await World.create({ backend, gpu, snapshotInterval: 0 });
  const instance = await scene.build(world, values);
  const dt = numberOf(values, "frameTime");
  const { substeps, iterations, solver = "gpbd" } = values;
  return {
    label: { backend },
    settings: `${substeps}×${iterations} iterations, ${solver === "gpbd" ? textOf(values, "method") : String(solver)}`,
    triangles: world.bodies.reduce((sum, body) => sum + body.model.faces.length / 3, 0),
    async frame() {
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
      await world.settled();
    },
    async afterFrame() {
      await instance.steer?.();
      await instance.afterStep?.(world.frame);
    },
    async measure() {
      await assertFiniteState(world);
      return instance.measure();
    },
    async stages() {
      return backend === "webgpu" ? stageTimes(scene, values, world, gpu) : undefined;
    },
    dispose: () => world.dispose(),
  };
}

/**
 * Stage times need a pass per stage, which slows a frame down, so they come from a separate world that starts from the
 * state of the timed one. It runs the beginning of a frame, and the times are scaled to all of the frame's substeps.
 */
async function stageTimes(
  scene: SceneDefinition,
  values: ParameterValues,
  timed: World,
  gpu: GPU | undefined,
): Promise<Readonly<Record<string, number>> | undefined> {
  const world = await World.create({ backend: "webgpu", gpu, snapshotInterval: 0, timestamps: true });
  try {
    const substeps = Math.min(STAGE_SUBSTEPS, numberOf(values, "substeps"));
    const part = substeps / numberOf(values, "substeps");
    const instance = await scene.build(world, { ...values, substeps });
    const dt = part * numberOf(values, "frameTime");
    for (const [i, body] of timed.bodies.entries()) world.bodies[i].writeState(await body.readState());
    for (let frame = 1; frame <= STAGE_FRAMES; frame++) {
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
      await world.settled();
    }
    const times = await world.gpuTime();
    return times && Object.fromEntries(Object.entries(times).map(([stage, time]) => [stage, time / part]));
  } finally {
    world.dispose();
  }
}
