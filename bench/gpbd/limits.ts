import { readFile } from "node:fs/promises";
import path from "node:path";

/** The speed that an adapter reaches with the simplest kernels. */
export interface Limits {
  /** reads and writes [GB/s] */
  readonly bandwidth: number;
  /** [10⁹ operations/s], a multiply-add counts as two */
  readonly arithmetic: number;
}

/** vec4f; 32 MiB each way */
const COUNT = 1 << 21;
/** As `rounds` in limits.wgsl, with 4 multiply-adds of 4 numbers. */
const OPERATIONS = 256 * 32 + 12;
/** Invocations of the kernel that computes. */
const COMPUTING = 1 << 16;
const RUNS = 5;

export async function measureLimits(gpu: GPU): Promise<Limits> {
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("no WebGPU adapter");
  const device = await adapter.requestDevice();
  try {
    const code = await readFile(path.join(import.meta.dirname, "limits.wgsl"), "utf8");
    const module = device.createShaderModule({ code });
    const { STORAGE } = GPUBufferUsage;
    const buffers = [0, 1].map(() => device.createBuffer({ size: 16 * COUNT, usage: STORAGE }));
    /** the fastest of a few runs, by the clock [s] */
    const time = async (entryPoint: string, invocations: number): Promise<number> => {
      const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
      const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
      const bindings = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      let best = Infinity;
      for (let run = 0; run < RUNS; run++) {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindings);
        pass.dispatchWorkgroups(invocations / 64);
        pass.end();
        const start = performance.now();
        device.queue.submit([encoder.finish()]);
        await device.queue.onSubmittedWorkDone();
        best = Math.min(best, (performance.now() - start) / 1000);
      }
      return best;
    };
    return {
      bandwidth: (32 * COUNT) / (await time("copy", COUNT)) / 1e9,
      arithmetic: (OPERATIONS * COMPUTING) / (await time("multiplyAdd", COMPUTING)) / 1e9,
    };
  } finally {
    device.destroy();
  }
}
