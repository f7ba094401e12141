import fs from "node:fs";
import { describe, expect, it, vi } from "vitest";
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

  it("lets the main thread sleep between looks whether work is done", async () => {
    const { gpu } = await loadWebGpu();
    const device = await (await gpu.requestAdapter())!.requestDevice();
    const module = device.createShaderModule({ code: SQUARES });
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE });
    const entries = [{ binding: 0, resource: { buffer } }];
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    for (let k = 0; k < 5000; k++) pass.dispatchWorkgroups(1);
    pass.end();
    const commands = encoder.finish();
    const immediate = vi.spyOn(globalThis, "setImmediate");
    device.queue.submit([commands]);
    const begin = performance.now();
    await device.queue.onSubmittedWorkDone();
    const waited = performance.now() - begin;
    const looks = immediate.mock.calls.length;
    immediate.mockRestore();
    device.destroy();
    // Sleeps grow by a sixteenth each, and from 8 ms on they last half a millisecond.
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(200 + 2 * waited);
  });

  it("gives one object however often it is asked", async () => {
    expect(await loadWebGpu()).toBe(await loadWebGpu());
  });
});
