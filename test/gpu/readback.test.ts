import { beforeAll, describe, expect, it } from "vitest";
import type { GpuContext } from "../../src/gpu/device";
import { readBuffer, ReadbackRing } from "../../src/gpu/readback";
import { ownContext, testContext, withoutGpuErrors } from "./context";
import { countObjects } from "./counting";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const numbers = (first: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: 1234 }, (_, i) => first + i / 4);

describe("reading a buffer", () => {
  it("gives its bytes, or the first of them, and leaves nothing behind", async () => {
    await withoutGpuErrors(context, async () => {
      const source = context.createBuffer("source", numbers(7));
      const count = countObjects(context.device);
      expect(new Float32Array(await readBuffer(context, source))).toEqual(numbers(7));
      expect(new Float32Array(await readBuffer(context, source, 40))).toEqual(numbers(7).subarray(0, 10));
      expect(count.alive()).toEqual([]);
      source.destroy();
    });
  });
});

describe("readback ring", () => {
  /** Writes numbers, encodes a copy of them and submits it; results are pushed to `received`. */
  function copy(ring: ReadbackRing, source: GPUBuffer, first: number, received: number[]): Promise<void> | undefined {
    const { device } = context;
    device.queue.writeBuffer(source, 0, numbers(first));
    const encoder = device.createCommandEncoder();
    const finish = ring.encode(encoder, (bytes) => received.push(new Float32Array(bytes)[1233]));
    device.queue.submit([encoder.finish()]);
    return finish?.();
  }

  it("brings what was there at each copy, in order, while later copies are on their way", async () => {
    await withoutGpuErrors(context, async () => {
      const source = context.createBuffer("source", 4 * 1234);
      const ring = new ReadbackRing(context, source, 4 * 1234, 3);
      const received: number[] = [];
      for (let round = 0; round < 4; round++)
        await Promise.all([0, 1, 2].map((i) => copy(ring, source, 10 * round + i, received)));
      expect(received).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32].map((first) => numbers(first)[1233]));
      ring.dispose();
      source.destroy();
    });
  });

  it("leaves a copy out when all its buffers are on their way, and takes the next again", async () => {
    await withoutGpuErrors(context, async () => {
      const source = context.createBuffer("source", 4 * 1234);
      const count = countObjects(context.device);
      const ring = new ReadbackRing(context, source, 4 * 1234, 2);
      const received: number[] = [];
      const [first, second, third] = [0, 1, 2].map((i) => copy(ring, source, i, received));
      expect(third).toBeUndefined();
      await Promise.all([first, second]);
      await copy(ring, source, 5, received);
      expect(received).toEqual([0, 1, 5].map((value) => numbers(value)[1233]));
      expect(count.created.get("createBuffer")).toBe(2);
      ring.dispose();
      expect(count.alive()).toEqual([]);
      source.destroy();
    });
  });

  it("may be disposed of while a copy is on its way: nothing comes, nothing is thrown", async () => {
    const source = context.createBuffer("source", 4 * 1234);
    const ring = new ReadbackRing(context, source, 4 * 1234);
    const received: number[] = [];
    const pending = copy(ring, source, 1, received);
    ring.dispose();
    await pending;
    expect(received).toEqual([]);
    source.destroy();
  });

  it("outlives its device: nothing comes, nothing is thrown", async () => {
    const own = await ownContext();
    const source = own.createBuffer("source", 64);
    const ring = new ReadbackRing(own, source, 64);
    const encoder = own.device.createCommandEncoder();
    let received = 0;
    const finish = ring.encode(encoder, () => received++)!;
    own.device.queue.submit([encoder.finish()]);
    own.device.destroy();
    await finish();
    expect(received).toBe(0);
  });
});
