import { World } from "../src/index";
import { frameCount, numberOf, resolveParameters } from "./parameters";
import type { ParameterValue, ParameterValues, SceneDefinition, SceneInstance } from "./scene";

/** The result of a run of a scene; the command line prints it as JSON. */
export interface SceneResult {
  readonly scene: string;
  readonly backend: "cpu" | "reference" | "webgpu";
  readonly adapter: string;
  readonly frames: number;
  readonly parameters: ParameterValues;
  readonly metrics: Readonly<Record<string, number>>;
  readonly timing: { readonly medianMsPerFrame: number; readonly p95MsPerFrame: number };
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** default: the scene's own length */
  readonly frames?: number;
  /** default "auto" */
  readonly backend?: "cpu" | "reference" | "webgpu" | "auto";
  /** source of WebGPU; default `navigator.gpu` */
  readonly gpu?: GPU;
  /** a device to share with other runs */
  readonly device?: GPUDevice;
  readonly onFrame?: (frame: number, frames: number) => void;
}

/** A state with a NaN or an infinity. */
export class NonFiniteStateError extends Error {
  override readonly name = "NonFiniteStateError";

  constructor(
    readonly what: string,
    readonly frame: number,
  ) {
    super(`${what} is not finite at frame ${frame}`);
  }
}

/**
 * Runs a scene without drawing and measures it.
 *
 * @throws PliantError for invalid parameters, or if the engine refuses something
 * @throws NonFiniteStateError if a body or a metric is no longer finite
 */
export async function runScene(scene: SceneDefinition, options: RunOptions = {}): Promise<SceneResult> {
  const parameters = resolveParameters(scene, options.parameters);
  const frames = options.frames ?? frameCount(scene, parameters);
  const dt = numberOf(parameters, "frameTime");
  const { backend = "auto", gpu, device } = options;
  // Rigid bodies go to the GPU if it was requested by name.
  const rigidLane = backend === "webgpu" ? "webgpu" : "cpu";
  const world = await World.create({ backend, gpu, device, rigidLane, snapshotInterval: 0 });
  let instance: SceneInstance | undefined;
  try {
    instance = await scene.build(world, parameters);
    await instance.optimisation?.finished;
    const milliseconds: number[] = [];
    for (let frame = 1; frame <= frames; frame++) {
      const start = performance.now();
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
      await world.settled();
      milliseconds.push(performance.now() - start);
      await instance.steer?.();
      await instance.afterStep?.(frame);
      options.onFrame?.(frame, frames);
    }
    await assertFiniteState(world);
    const broken = instance.nonFinite?.();
    if (broken !== undefined) throw new NonFiniteStateError(broken, world.frame);
    const metrics = await instance.measure();
    for (const [name, value] of Object.entries(metrics))
      if (!Number.isFinite(value)) throw new NonFiniteStateError(`metric "${name}"`, world.frame);
    return {
      scene: scene.name,
      backend: world.backend,
      adapter: world.adapter,
      frames,
      parameters,
      metrics,
      timing: { medianMsPerFrame: quantile(milliseconds, 0.5), p95MsPerFrame: quantile(milliseconds, 0.95) },
    };
  } finally {
    instance?.dispose?.();
    world.dispose();
  }
}

/** @throws NonFiniteStateError naming the first body that was frozen, or whose state is not finite, and the frame */
export async function assertFiniteState(world: World): Promise<void> {
  for (const [body, frame] of await world.frozenBodies()) throw new NonFiniteStateError(`body "${body.name}"`, frame);
  for (const body of world.bodies) {
    const { positions, velocities } = await body.readState();
    if (!positions.every(Number.isFinite) || !velocities.every(Number.isFinite))
      throw new NonFiniteStateError(`body "${body.name}"`, world.frame);
  }
}

/** Quantile: the fraction q of the values lies below it; NaN for no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
