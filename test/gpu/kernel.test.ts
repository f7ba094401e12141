import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GpuContext } from "../../src/gpu/device";
import { Kernel } from "../../src/gpu/kernel";
import { PassRecorder } from "../../src/gpu/pass-recorder";
import { readBuffer } from "../../src/gpu/readback";
import { StructWriter } from "../../src/gpu/struct";
import { PassTimer } from "../../src/gpu/timestamps";
import { ownContext, withoutGpuErrors } from "./context";
import { countObjects } from "./counting";
import { testShader, type TestShader } from "./test-shader";

let context: GpuContext;
beforeAll(async () => {
  context = await ownContext();
});
afterAll(() => context.device.destroy());

const count = 1234;
const slot = 256;
const { module, structs }: TestShader = testShader(path.join(import.meta.dirname, "scaled-sums.wgsl"));

function buffers(): Record<"left" | "right" | "sums" | "scale", GPUBuffer> {
  const scales = new StructWriter(structs.Scale, 3, slot);
  [1, 10, -2].forEach((factor, i) => {
    scales.set(i, "factor", factor);
    scales.set(i, "offset", 0.5);
  });
  return {
    left: context.createBuffer(
      "left",
      Float32Array.from({ length: count }, (_, i) => i),
    ),
    right: context.createBuffer(
      "right",
      Float32Array.from({ length: count }, (_, i) => 2 * i),
    ),
    sums: context.createBuffer("sums", 4 * count),
    scale: context.createBuffer("scale", new Uint8Array(scales.bytes), GPUBufferUsage.UNIFORM),
  };
}

function kernel(entryPoint: string, bindings: Record<string, GPUBuffer>, constants?: Record<string, number>): Kernel {
  return Kernel.create(context, "test/scaled-sums", module, entryPoint, bindings, constants);
}

async function run(work: (recorder: PassRecorder) => void, timer?: PassTimer): Promise<void> {
  const encoder = context.device.createCommandEncoder();
  const recorder = new PassRecorder(encoder, timer);
  work(recorder);
  recorder.end();
  timer?.endFrame(encoder);
  context.device.queue.submit([encoder.finish()]);
  await context.device.queue.onSubmittedWorkDone();
}

describe("kernel", () => {
  it("binds buffers by their names in the shader, whatever their numbers", async () => {
    await withoutGpuErrors(context, async () => {
      const all = buffers();
      // bindings that the entry point does not use are ignored
      const add = kernel("add", { ...all, unused: all.left });
      for (const [index, factor] of [1, 10, -2].entries()) {
        await run((recorder) => add.dispatch(recorder.stage("add"), count, Uint32Array.of(index * slot)));
        const sums = new Float32Array(await readBuffer(context, all.sums));
        expect(sums).toEqual(Float32Array.from({ length: count }, (_, i) => factor * 3 * i + 0.5));
      }
    });
  });

  it("has pipelines of its own for other constants, and shares those of the same", async () => {
    await withoutGpuErrors(context, async () => {
      const all = buffers();
      const created = countObjects(context.device).created;
      const plain = kernel("add", all);
      const more = kernel("add", all, { extra: 100 });
      kernel("add", buffers(), { extra: 100 });
      expect(created.get("createComputePipeline")).toBe(1);
      expect(created.get("createShaderModule")).toBeUndefined();
      await run((recorder) => more.dispatch(recorder.stage("add"), count, Uint32Array.of(0)));
      expect(new Float32Array(await readBuffer(context, all.sums))[1]).toBe(103.5);
      await run((recorder) => plain.dispatch(recorder.stage("add"), count, Uint32Array.of(0)));
      expect(new Float32Array(await readBuffer(context, all.sums))[1]).toBe(3.5);
    });
  });

  it("tells modules of one name apart", async () => {
    await withoutGpuErrors(context, async () => {
      const { sums } = buffers();
      for (const value of ["-1.0", "2.0"]) {
        const other = { ...module, code: module.code.replace("= -1.0;", `= ${value};`) };
        const clear = Kernel.create(context, "test/scaled-sums", other, "clear", { sums });
        await run((recorder) => clear.dispatch(recorder.stage("clear"), 1, new Uint32Array()));
        expect(new Float32Array(await readBuffer(context, sums))[0]).toBe(Number(value));
      }
    });
  });

  it("runs at least the threads it is asked for, and none when asked for none", async () => {
    await withoutGpuErrors(context, async () => {
      const { sums } = buffers();
      const clear = kernel("clear", { sums });
      await run((recorder) => clear.dispatch(recorder.stage("clear"), 0, new Uint32Array()));
      expect(new Float32Array(await readBuffer(context, sums))[0]).toBe(0);
      await run((recorder) => clear.dispatch(recorder.stage("clear"), 33, new Uint32Array()));
      const cleared = new Float32Array(await readBuffer(context, sums));
      expect(cleared.subarray(0, 64).every((value) => value === -1)).toBe(true);
      expect(cleared.subarray(64).every((value) => value === 0)).toBe(true);
    });
  });

  it("takes the number of workgroups from a buffer", async () => {
    await withoutGpuErrors(context, async () => {
      const { sums } = buffers();
      const groups = context.createBuffer("groups", Uint32Array.of(2, 1, 1), GPUBufferUsage.INDIRECT);
      const clear = kernel("clear", { sums });
      await run((recorder) => clear.dispatchIndirect(recorder.stage("clear"), groups, new Uint32Array()));
      const cleared = new Float32Array(await readBuffer(context, sums));
      expect(cleared.filter((value) => value === -1)).toHaveLength(64);
    });
  });
});

describe("pass recorder", () => {
  it("has one pass for all stages, or one for each stretch of a stage when they are timed", () => {
    const begun: (string | undefined)[] = [];
    const encoder = {
      beginComputePass: ({ label }: GPUComputePassDescriptor) => {
        begun.push(label);
        return { end: () => begun.push("end") };
      },
    } as unknown as GPUCommandEncoder;
    const plain = new PassRecorder(encoder, undefined);
    for (const stage of ["a", "a", "b", "a"]) plain.stage(stage);
    plain.end();
    plain.end();
    expect(begun).toEqual(["a", "end"]);
    begun.length = 0;
    const timed = new PassRecorder(encoder, { pass: () => undefined } as unknown as PassTimer);
    for (const stage of ["a", "a", "b", "a"]) timed.stage(stage);
    timed.end();
    expect(begun).toEqual(["a", "end", "b", "end", "a", "end"]);
  });
});

describe("pass timer", () => {
  it("adds up the time of each stage where the device has timestamps, and is not there where it has none", async () => {
    const timer = PassTimer.create(context);
    if (!context.device.features.has("timestamp-query")) {
      expect(timer).toBeUndefined();
      return;
    }
    await withoutGpuErrors(context, async () => {
      const all = buffers();
      const [add, clear] = [kernel("add", all), kernel("clear", all)];
      for (let frame = 0; frame < 2; frame++) {
        timer!.beginFrame();
        await run((recorder) => {
          for (let i = 0; i < 5; i++) {
            add.dispatch(recorder.stage("add"), count, Uint32Array.of(0));
            clear.dispatch(recorder.stage("clear"), count, Uint32Array.of());
          }
        }, timer);
      }
      const times = await timer!.read();
      expect(Object.keys(times).sort()).toEqual(["add", "clear"]);
      for (const ms of Object.values(times)) {
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThan(10_000);
      }
      timer!.dispose();
    });
  });

  it("lets passes beyond its query set run untimed", async () => {
    const timer = PassTimer.create(context);
    if (!timer) return;
    await withoutGpuErrors(context, async () => {
      timer.beginFrame();
      for (let i = 0; i < PassTimer.maxPasses; i++) expect(timer.pass("p")).toBeDefined();
      expect(timer.pass("p")).toBeUndefined();
      timer.beginFrame();
      expect(timer.pass("p")).toMatchObject({ beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 });
      timer.dispose();
    });
  });
});
