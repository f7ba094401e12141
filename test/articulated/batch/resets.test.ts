import { beforeAll, describe, expect, it } from "vitest";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { GpuContext } from "../../../src/gpu/device";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { expectSame, hangingArm } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const timeStep = 0.002;
const make = (worlds: number): Promise<BatchSimulation> =>
  BatchSimulation.create(hangingArm(), { worlds, timeStep, limits: true, device: context.device });

describe("worlds of a batch", () => {
  it("are reset alone", async () => {
    const batch = await make(5);
    const start = [0.1, -0.1, 0.2];
    batch.setStart(start, [0, 0, 0]);
    batch.setState([0.2, 0.2, 0.2], [1, 1, 1]);
    batch.step(10);
    const before = await batch.readState();
    batch.reset([3, 1]);
    batch.reset([false, false, true, false, false], [0.3, 0.1, 0], [4, 5, 6]);
    batch.reset([]);
    const { q, qd } = await batch.readState();
    const world = (values: Float32Array, w: number): number[] => [...values.subarray(3 * w, 3 * w + 3)];
    for (const w of [0, 4]) {
      expect(world(q, w)).toEqual(world(before.q, w));
      expect(world(qd, w)).toEqual(world(before.qd, w));
    }
    for (const w of [1, 3]) {
      expect(world(q, w)).toEqual(start.map(Math.fround));
      expect(world(qd, w)).toEqual([0, 0, 0]);
    }
    expect(world(q, 2)).toEqual([0.3, 0.1, 0].map(Math.fround));
    expect(world(qd, 2)).toEqual([4, 5, 6]);
    // two states for two worlds, in the order of the list, with velocities 0
    batch.reset([4, 0], [1, 2, 3, 4, 5, 6]);
    const after = await batch.readState();
    expect([world(after.q, 4), world(after.q, 0), world(after.qd, 0)]).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [0, 0, 0],
    ]);
    expect(() => batch.reset([5])).toThrow(/world below 5/);
    expect(() => batch.reset([1, 1])).toThrow(/once/);
    expect(() => batch.reset([true])).toThrow(/5 entries/);
    expect(() => batch.reset([0], [1, 2])).toThrow(/length must be 3/);
    expect(() => batch.reset([0], undefined, [1, 2, 3])).toThrow(/positions too/);
    batch.dispose();
  });

  it("follow a policy on the GPU, which resets some, without a copy to the host", async () => {
    const worlds = 3;
    const batch = await make(worlds);
    const { device } = context;
    batch.setStart([0.2, -0.1, 0.1], [0, 0, 0]);
    batch.reset([0, 1, 2]);
    // A controller of rates and angles; world 1 is reset once its first angle is below −0.1.
    const code = `
      @group(0) @binding(0) var<storage, read> states: array<f32>;
      @group(0) @binding(1) var<storage, read_write> controls: array<f32>;
      @group(0) @binding(2) var<storage, read_write> marks: array<u32>;
      @compute @workgroup_size(64) fn act(@builtin(global_invocation_id) id: vec3u) {
        let world = id.x;
        if (world >= ${worlds}u) { return; }
        for (var k = 0u; k < 3u; k++) {
          let i = k * ${worlds}u + world;
          controls[i] = f32(world) * -10.0 * states[i] - 0.1 * states[i + ${3 * worlds}u];
        }
        if (world == 1u && states[world] < -0.1) { marks[world] = 7u; }
      }`;
    await withoutGpuErrors(context, async () => {
      const module = device.createShaderModule({ code });
      const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "act" } });
      const buffers = [batch.stateBuffer, batch.controlBuffer, batch.resetBuffer];
      const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
      const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      for (let n = 0; n < 60; n++) {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(1);
        pass.end();
        device.queue.submit([encoder.finish()]);
        batch.resetMarked();
        batch.step(5);
      }
    });
    let resets = 0;
    const ones = Array.from({ length: worlds }, (_, world) => {
      const one = new ArticulatedSimulation(hangingArm(), { timeStep, limits: true });
      const begin = (): void => {
        one.q.set([0.2, -0.1, 0.1]);
        one.qd.fill(0);
      };
      begin();
      for (let n = 0; n < 60; n++) {
        one.control.forEach((_, k) => (one.control[k] = -10 * world * one.q[k] - 0.1 * one.qd[k]));
        if (world === 1 && one.q[0] < -0.1) {
          begin();
          resets++;
        }
        for (let i = 0; i < 5; i++) one.step();
      }
      return one;
    });
    expect(resets).toBeGreaterThan(0);
    await expectSame(batch, ones, 1e-3);
    batch.dispose();
  });
});
