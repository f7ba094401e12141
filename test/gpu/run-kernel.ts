import type { GpuContext } from "../../src/gpu/device";
import { Kernel, type ReflectedModule } from "../../src/gpu/kernel";
import { readBuffer } from "../../src/gpu/readback";
import { withoutGpuErrors } from "./context";

const noOffsets = new Uint32Array(8);

/** Inputs of a kernel: data of storage and uniform buffers by name, or a number of bytes for it to fill. */
export type KernelData = Readonly<Record<string, ArrayBufferView<ArrayBuffer> | number>>;

/**
 * Runs one dispatch of a module of the tests and reads buffers back.
 *
 * @param name of the module; pipelines are cached by it
 * @param results names of the buffers to read
 */
export async function runKernel(
  context: GpuContext,
  name: string,
  module: ReflectedModule,
  entryPoint: string,
  data: KernelData,
  threads: number,
  results: readonly string[],
  constants: Readonly<Record<string, number>> = {},
): Promise<Record<string, ArrayBuffer>> {
  return withoutGpuErrors(context, async () => {
    const { device } = context;
    const buffers: Record<string, GPUBuffer> = {};
    for (const [variable, { type }] of Object.entries(module.entryPoints[entryPoint].bindings)) {
      const given = data[variable];
      if (given === undefined) throw new Error(`no data for ${variable}`);
      const uniform = type === "uniform" ? GPUBufferUsage.UNIFORM : 0;
      buffers[variable] = context.createBuffer(variable, typeof given === "number" ? given : padded(given), uniform);
    }
    const kernel = Kernel.create(context, name, module, entryPoint, buffers, constants);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    kernel.dispatch(pass, threads, noOffsets);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const read: Record<string, ArrayBuffer> = {};
    for (const result of results) read[result] = await readBuffer(context, buffers[result]);
    for (const buffer of Object.values(buffers)) buffer.destroy();
    return read;
  });
}

/** Uniform bindings are bound in whole multiples of 16 bytes. */
function padded(view: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil(view.byteLength / 16) * 16);
  bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return bytes;
}
