import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";

const SQUARES = fs.readFileSync(new URL("squares.wgsl", import.meta.url), "utf8");

describe("WebGPU in Node", () => {
  it("runs a compute shader", async () => {
    const { gpu, adapterInfo } = await loadWebGpu();
    expect(["system", "swiftshader"]).toContain(adapterInfo.source);
    const adapter = await gpu.requestAdapter();
    const device = await adapter!.requestDevice();
    const input = Float32Array.from({ length: 1234 }, (_, i) => i / 8);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = device.createBuffer({ size: input.byteLength, usage });
    device.queue.writeBuffer(buffer, 0, input);
    const module = device.createShaderModule({ code: SQUARES });
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    const entries = [{ binding: 0, resource: { buffer } }];
    const readback = device.createBuffer({
      size: input.byteLength,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(Math.ceil(input.length / 64));
    pass.end();
    encoder.copyBufferToBuffer(buffer, 0, readback, 0, input.byteLength);
    device.queue.submit([encoder.finish()]);
    await readback.mapAsync(GPUMapMode.READ);
    const output = new Float32Array(readback.getMappedRange().slice(0));
    readback.unmap();
    expect(Array.from(output)).toEqual(Array.from(input, (x) => x * x));
    device.destroy();
  });

  it("gives one object however often it is asked", async () => {
    expect(await loadWebGpu()).toBe(await loadWebGpu());
  });
});
