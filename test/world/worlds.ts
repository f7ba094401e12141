import { World, type WorldOptions } from "../../src/world/world";
import { testContext } from "../gpu/context";

export type BackendName = "cpu" | "webgpu";

/** Those that users get. */
export const backends: readonly BackendName[] = ["cpu", "webgpu"];
/** Those, and the CPU in f64 alone. */
export const allBackends: readonly (BackendName | "reference")[] = ["reference", ...backends];

/** The device that all test files in a process share. Nobody destroys it. */
export async function sharedDevice(): Promise<GPUDevice> {
  return (await testContext()).device;
}

/**
 * A world on either backend, without automatic snapshots. On WebGPU it shares its device with others, unless it is
 * given a `gpu` for a device of its own.
 */
export async function createWorld(
  backend: BackendName | "reference",
  options: Omit<WorldOptions, "backend"> = {},
): Promise<World> {
  if (backend !== "webgpu") return World.create({ backend, ...options });
  const device = options.gpu ? undefined : await sharedDevice();
  return World.create({ backend, device, snapshotInterval: 0, ...options });
}

/** Runs `work` with a world and disposes of the world in any case. */
export async function inWorld<T>(
  backend: BackendName | "reference",
  options: Omit<WorldOptions, "backend">,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const world = await createWorld(backend, options);
  try {
    return await work(world);
  } finally {
    world.dispose();
  }
}

/** One frame of the tests, s. */
export const frameTime = 1 / 60;

export function run(world: World, frames: number, beforeStep?: (frame: number) => void): void {
  for (let frame = 0; frame < frames; frame++) {
    beforeStep?.(frame);
    world.step(frameTime);
  }
}
