import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { describeAdapter, requestContext } from "../../src/gpu/device";
import { readBuffer } from "../../src/gpu/readback";
import { expectRefused, expectRejected } from "../refusal";
import { ownContext, withoutGpuErrors } from "./context";
import { countObjects } from "./counting";

let context: GpuContext;
beforeAll(async () => {
  context = await ownContext();
});
afterAll(() => context.device.destroy());

describe("buffers", () => {
  it("hold their data, in whole words and at least 16 bytes", async () => {
    await withoutGpuErrors(context, async () => {
      const data = Uint8Array.from({ length: 1236 }, (_, i) => i);
      const buffer = context.createBuffer("odd", data.subarray(4));
      expect(buffer.size).toBe(1232);
      expect(new Uint8Array(await readBuffer(context, buffer))).toEqual(data.subarray(4));
      expect(context.createBuffer("tiny", 0).size).toBe(16);
      expect(context.createBuffer("empty", new Uint32Array()).size).toBe(16);
      expect(context.createUniformBuffer("uniform", 20).size).toBe(32);
    });
  });

  it("larger than the device binds are refused by name", () => {
    const { maxStorageBufferBindingSize, maxBufferSize } = context.device.limits;
    const size = Math.min(maxStorageBufferBindingSize, maxBufferSize) + 4;
    expectRefused(() => context.createBuffer("huge", size), "device-limit", /GPU buffer "huge".*exceed.*got \d+/);
  });

  it("of a creation that fails are destroyed, also in nested ones; others stay", () => {
    const count = countObjects(context.device);
    const kept = context.allOrNothing(() => context.createBuffer("kept", 16));
    expect(() =>
      context.allOrNothing(() => {
        context.createBuffer("first", 16);
        context.createUniformBuffer("second", 16);
        context.allOrNothing(() => {
          context.createBuffer("third", 16);
          throw new Error("no");
        });
      }),
    ).toThrow("no");
    expect(count.alive()).toEqual(["kept"]);
    kept.destroy();
  });
});

describe("a context", () => {
  it("makes what is cached once for each key", () => {
    const made: string[] = [];
    const make = (key: string): string => context.cached(`test ${key}`, () => (made.push(key), key));
    expect([make("a"), make("b"), make("a")]).toEqual(["a", "b", "a"]);
    expect(made).toEqual(["a", "b"]);
  });

  it("asks for timestamps and large buffers where the adapter has them", async () => {
    const { gpu } = await loadWebGpu();
    const adapter = (await gpu.requestAdapter())!;
    const { device } = context;
    expect(device.features.has("timestamp-query")).toBe(adapter.features.has("timestamp-query"));
    expect(device.limits.maxBufferSize).toBe(adapter.limits.maxBufferSize);
  });

  it("is refused without WebGPU or an adapter", async () => {
    const none = { requestAdapter: async () => null } as unknown as GPU;
    await expectRejected(requestContext(undefined), "no-adapter", /no navigator\.gpu/);
    await expectRejected(requestContext(none), "no-adapter", /no adapter/);
  });

  it("tells what the adapter calls itself", () => {
    const info = { vendor: "acme", architecture: "", description: "One" } as GPUAdapterInfo;
    expect(describeAdapter(info)).toBe("acme One");
    expect(describeAdapter(undefined)).toBe("webgpu");
  });
});
