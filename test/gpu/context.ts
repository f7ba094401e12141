import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { requestContext } from "../../src/gpu/device";

/** A device of the test's own, with all features of the adapter that the engine requests. */
export async function testContext(): Promise<GpuContext> {
  const { gpu } = await loadWebGpu();
  return requestContext(gpu);
}

/** Runs `work` and fails if the device reports an error. */
export async function withoutGpuErrors<T>(context: GpuContext, work: () => Promise<T> | T): Promise<T> {
  const { device } = context;
  device.pushErrorScope("validation");
  device.pushErrorScope("out-of-memory");
  const result = await work();
  for (const error of [await device.popErrorScope(), await device.popErrorScope()]) if (error) throw error;
  return result;
}
