import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { requestContext } from "../../src/gpu/device";

/** A device of the test's own, with whatever the adapter offers that the engine asks for. */
export async function testContext(): Promise<GpuContext> {
  const { gpu } = await loadWebGpu();
  return requestContext(gpu);
}

/** Runs `work` and fails when the device finds something wrong with what it was given. */
export async function withoutGpuErrors<T>(context: GpuContext, work: () => Promise<T> | T): Promise<T> {
  const { device } = context;
  device.pushErrorScope("validation");
  device.pushErrorScope("out-of-memory");
  const result = await work();
  for (const error of [await device.popErrorScope(), await device.popErrorScope()]) if (error) throw error;
  return result;
}
