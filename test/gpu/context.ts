import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { requestContext } from "../../src/gpu/device";

let shared: Promise<GpuContext> | undefined;

/**
 * The device of all test files in a process, with all features of the adapter that the engine requests: the software adapter takes
 * seconds to compile the pipelines of a solver, so they are compiled once. Nobody destroys it.
 */
export function testContext(): Promise<GpuContext> {
  return (shared ??= ownContext());
}

/** Pipelines that have been asked for, and how to compile them; undefined before the first device. */
let waiting: WeakMap<GPUComputePipeline, () => GPUComputePipeline> | undefined;

/** Compiles pipelines of a device when a pass sets them: an engine makes kernels for what a body may meet, and most tests meet a part of it. */
function compileWhenUsed(device: GPUDevice): void {
  const pipelines = (waiting ??= waitingPipelines());
  const create = device.createComputePipeline.bind(device);
  device.createComputePipeline = (descriptor) => {
    let compiled: GPUComputePipeline | undefined;
    const compile = (): GPUComputePipeline => (compiled ??= create(descriptor));
    const getBindGroupLayout = (index: number): GPUBindGroupLayout => compile().getBindGroupLayout(index);
    const pipeline = { label: descriptor.label, getBindGroupLayout } as GPUComputePipeline;
    pipelines.set(pipeline, compile);
    return pipeline;
  };
}

/** Filled by devices, and read by all passes from now on. */
function waitingPipelines(): WeakMap<GPUComputePipeline, () => GPUComputePipeline> {
  const pipelines = new WeakMap<GPUComputePipeline, () => GPUComputePipeline>();
  const { prototype } = GPUComputePassEncoder;
  const set = prototype.setPipeline;
  prototype.setPipeline = function (pipeline) {
    return set.call(this, pipelines.get(pipeline)?.() ?? pipeline);
  };
  return pipelines;
}

/** A device of the test's own: to be lost, or to count what is made on it. */
export async function ownContext(): Promise<GpuContext> {
  return requestContext(await ownGpu());
}

/** A stand-in for `navigator.gpu`: its devices compile pipelines when a pass sets them. */
export async function ownGpu(): Promise<GPU> {
  const { gpu } = await loadWebGpu();
  const requestAdapter = async (): Promise<unknown> => {
    const adapter = (await gpu.requestAdapter())!;
    const { features, limits, info } = adapter;
    const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
      const device = await adapter.requestDevice(descriptor);
      compileWhenUsed(device);
      return device;
    };
    return { features, limits, info, requestDevice };
  };
  return { requestAdapter } as unknown as GPU;
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

/**
 * A stand-in for `navigator.gpu` whose devices are all the shared one, which outlives who asked for it: for code that wants a device of
 * its own, where a test is not about that device.
 */
export async function lentGpu(): Promise<GPU> {
  const { device } = await testContext();
  device.destroy = () => undefined;
  const { gpu } = await loadWebGpu();
  const { features, limits, info } = (await gpu.requestAdapter())!;
  const adapter = { features, limits, info, requestDevice: () => Promise.resolve(device) };
  return { requestAdapter: () => Promise.resolve(adapter) } as unknown as GPU;
}
