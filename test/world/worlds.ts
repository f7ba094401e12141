import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { World, type WorldOptions } from "../../src/world/world";

export type BackendName = "cpu" | "webgpu";

export const backends: readonly BackendName[] = ["cpu", "webgpu"];

/** A world on either backend; on WebGPU with a device of its own, and without automatic snapshots. */
export async function createWorld(backend: BackendName, options: Omit<WorldOptions, "backend"> = {}): Promise<World> {
  if (backend === "cpu") return World.create({ backend, ...options });
  const { gpu } = await loadWebGpu();
  return World.create({ backend, gpu, snapshotInterval: 0, ...options });
}

/** Runs `work` with a world and disposes of it, whatever happens. */
export async function inWorld<T>(
  backend: BackendName,
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
