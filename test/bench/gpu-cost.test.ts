import { expect, it } from "vitest";
import { CommandCounter, dispatchesOf } from "../../bench/gpu-cost/commands";
import { estimate, profiles } from "../../bench/gpu-cost/profiles";
import { countHeat } from "../../bench/gpu-cost/suite";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { ownContext, testContext } from "../gpu/context";

it("counts what a device is told", async () => {
  const { device } = await ownContext();
  const own = device.createBindGroup;
  const counter = new CommandCounter(device);
  const module = device.createShaderModule({
    code: "@group(0) @binding(0) var<storage, read_write> x: array<u32>; @compute @workgroup_size(1) fn f() { x[0] += 1u; }",
  });
  const pipeline = device.createComputePipeline({ label: "f", layout: "auto", compute: { module } });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.INDIRECT | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const [x, y] = [64, 32].map((size) => device.createBuffer({ size, usage }));
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: x } }],
  });
  device.queue.writeBuffer(y, 0, Uint32Array.of(1, 1, 1), 0, 3);
  device.queue.writeBuffer(x, 0, new ArrayBuffer(64), 16);
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(x, 0, y, 16, 16);
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(3, 2);
  pass.dispatchWorkgroups(1);
  pass.dispatchWorkgroupsIndirect(y, 0);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const count = counter.take();
  expect(count).toMatchObject({
    passes: 1,
    submits: 1,
    copies: 1,
    writes: 2,
    writtenBytes: 12 + 48,
    setPipeline: 1,
    setBindGroup: 1,
    boundBytes: 64,
  });
  expect([...count.kernels]).toEqual([["f", { direct: 2, indirect: 1, workgroups: 7, widest: 6 }]]);
  expect(dispatchesOf(counter.take())).toEqual({ direct: 0, indirect: 0, workgroups: 0 });
  // waits alone: 2 and one and a half
  expect(estimate(count, { ...profiles.H200, dispatch: 1000, bandwidth: 1e9, rate: 1e9 })).toBeCloseTo(3.5, 6);
  counter.stop();
  expect(device.createBindGroup).toBe(own);
  device.destroy();
});

it("cloth takes the dispatches that the model of its cost says, or one", async () => {
  const { device } = await testContext();
  const cloth = { scene: clothOnSphere, parameters: { resolution: 8, substeps: 20 }, options: { oneDispatch: true } };
  const { direct, indirect, passes, writes, replaced, barriers, modeled } = await countHeat(cloth, 3, device);
  expect([direct, indirect, passes, writes]).toEqual([1, 0, 1, 3]);
  // prediction, end, eight colors, face contact and contact in each substep, bending in half of them, the air four times
  expect(replaced).toBe(20 * (2 + 8 + 3) + 10 * 2 + 4 * 2);
  expect(barriers).toBeLessThan(0.9 * replaced!);
  for (const [name, { dispatch }] of Object.entries(profiles))
    expect(modeled[name as keyof typeof profiles]).toBeLessThan(1e-3 * dispatch * replaced!);
});
