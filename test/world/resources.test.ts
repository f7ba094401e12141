import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, type PliantError } from "../../src/index";
import type { GpuContext } from "../../src/gpu/device";
import { countObjects } from "../gpu/counting";
import { ownContext } from "../gpu/context";
import { expectRefused } from "../refusal";
import { gridCloth, verticesWhere } from "./cloths";
import { createWorld, frameTime, inWorld, run, sharedDevice } from "./worlds";

const upright = gridCloth({ width: 0.6, height: 0.4, columns: 7, rows: 5, plane: "xy" });
const flat = gridCloth({ width: 0.6, height: 0.4, columns: 7, rows: 5 }, { membrane: "springs" });
const mast = verticesWhere(upright.positions, (x) => x < -0.29);

let context: GpuContext;
beforeAll(async () => {
  await sharedDevice();
  context = await ownContext();
});
afterAll(() => context.device.destroy());

describe("a running world on webgpu", () => {
  it("makes no GPU object in a frame once it is warm, whatever moves", async () => {
    const world = await createWorld("webgpu");
    const sphere = world.addCollider({ type: "sphere", radius: 0.1 });
    const flag = world.addBody(upright, { pins: mast, substeps: 3 });
    const cloth = world.addBody(flat, { substeps: 3, method: "jacobi" });
    const move = (frame: number): void => {
      sphere.setPose([0.01 * frame, 0, 0]);
      sphere.friction = 0.1 + 0.01 * frame;
      flag.setWind(frame, 0, 3);
      flag.setPinTarget(mast[0], -0.3, 0.2, 0.001 * frame);
      cloth.setOptions({ damping: 0.1 * frame, thickness: 0.002 + 1e-4 * frame, relaxation: 1 + 0.01 * frame });
      world.gravity = [0, -9 - 0.1 * frame, 0];
      // readbacks that nobody awaits have buffers, too
      flag.requestReadback();
    };
    // bodies that may meet are checked every eight frames
    run(world, 12, move);
    await world.settled();
    const { created } = countObjects(world.device!);
    run(world, 30, move);
    await world.settled();
    expect([...created]).toEqual([]);
    world.dispose();
  });

  it("submits one command buffer a frame", async () => {
    const world = await createWorld("webgpu");
    world.addCollider({ type: "sphere", radius: 0.1 });
    world.addBody(upright, { pins: mast, substeps: 10 });
    world.addBody(flat, { substeps: 10 });
    world.step(frameTime);
    const { queue } = world.device!;
    const submit = queue.submit.bind(queue);
    const submitted: number[] = [];
    queue.submit = (buffers: Iterable<GPUCommandBuffer>) => {
      const list = [...buffers];
      submitted.push(list.length);
      return submit(list);
    };
    run(world, 5);
    await world.settled();
    queue.submit = submit;
    expect(submitted).toEqual([1, 1, 1, 1, 1]);
    world.dispose();
  });

  it("tells the time of each of its stages where the device has timestamps", async () => {
    const world = await createWorld("webgpu", { timestamps: true });
    world.addCollider({ type: "sphere", radius: 0.1 });
    world.addBody(upright, { pins: mast, substeps: 3 });
    run(world, 2);
    const times = await world.gpuTime();
    if (world.device!.features.has("timestamp-query")) {
      const stages = ["air", "predict", "stvk-membrane", "isometric-bending", "contact", "finish"];
      expect(Object.keys(times!)).toEqual(expect.arrayContaining(stages));
      expect(Object.values(times!).every((ms) => ms >= 0 && Number.isFinite(ms))).toBe(true);
    } else expect(times).toBeUndefined();
    world.dispose();
    const plain = await createWorld("webgpu");
    expect(await plain.gpuTime()).toBeUndefined();
    plain.dispose();
  });

  it("maps nothing by itself in 60 frames of a pinned cloth", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 10 });
    world.addBody(upright, { pins: mast, substeps: 2 });
    const count = countObjects(world.device!);
    run(world, 60);
    await world.settled();
    // mapping would require a buffer to map
    expect(count.alive().filter((label) => label.includes("readback"))).toEqual([]);
    world.dispose();
  });

  it("frees every buffer when it is disposed of, also those that were replaced on the way", async () => {
    const count = countObjects(context.device);
    const world = await createWorld("webgpu", { device: context.device, timestamps: true });
    world.addCollider({ type: "sphere", radius: 0.1 });
    const flag = world.addBody(upright, { pins: mast, substeps: 3 });
    const cloth = world.addBody(flat, { substeps: 3 });
    const output = context.createBuffer("vertices", 24 * flat.particleCount);
    const strainBuffer = context.createBuffer("strain", 16 * flat.particleCount);
    const vertexToParticle = flat.vertexToParticle;
    run(world, 2);
    cloth.setRenderOutput({ buffer: output, strainBuffer, vertexToParticle });
    cloth.setRenderOutput({ buffer: output, vertexToParticle });
    flag.setOptions({ substeps: 9, method: "jacobi", iterations: 3 });
    world.addCollider({ type: "box", halfExtents: [1, 1, 1] }, { position: [5, 5, 5] });
    flag.requestReadback();
    run(world, 2);
    await flag.readPositions();
    await world.snapshot();
    await world.frozenBodies();
    await world.gpuTime();
    await world.settled();
    expect(count.created.get("createBuffer")).toBeGreaterThan(30);
    cloth.dispose();
    world.dispose();
    output.destroy();
    strainBuffer.destroy();
    expect(count.alive()).toEqual([]);
  });

  it("frees what it had made of a body that then did not fit the device", async () => {
    const { device } = context;
    const count = countObjects(device);
    const large = gridCloth({ width: 1, height: 1, columns: 37, rows: 53 });
    // A device with room for the particles, faces and triangles of this cloth, but not for the displacements of its hinges: four vectors
    // each.
    const most = 16 * large.terms[0].indices.length;
    expect(16 * large.terms[1].indices.length).toBeGreaterThan(most);
    const world = await createWorld("webgpu", { device: withLimits(device, { maxStorageBufferBindingSize: most }) });
    const before = count.alive();
    expectRefused(() => world.addBody(large), "device-limit", /must not exceed this device's \d+ bytes/);
    expect(world.bodies).toHaveLength(0);
    expect(count.alive()).toEqual(before);
    run(world, 2);
    await world.settled();
    world.dispose();
    expect(count.alive()).toEqual([]);
  });

  it("says what a local-global body needs of a device that does not hold it, before the first step", async () => {
    const mesh = boxTetrahedra({ size: [1, 0.2, 0.2], cells: [30, 3, 3] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
    const bar = solidModel({ solver: "local-global", ...mesh, material, name: "bar" });
    const addTo = (limits: Limits) =>
      inWorld("webgpu", { device: withLimits(context.device, limits) }, async (world) => {
        world.addBody(bar);
        // a body that was not refused does not fail later
        if (!("maxStorageBufferBindingSize" in limits)) return;
        run(world, 1);
        await world.settled();
      });
    // it runs with exactly the reported need, and is refused again with a byte or a workgroup less
    for (const [key, least] of [
      ["maxStorageBufferBindingSize", 2 ** 16],
      ["maxComputeWorkgroupsPerDimension", 1],
    ] as const) {
      let needed: number = least;
      const told: number[] = [];
      for (let isRefused = true; isRefused;)
        await addTo({ [key]: needed }).then(
          () => (isRefused = false),
          (error: PliantError) => {
            expect([error.code, error.object]).toEqual(["device-limit", 'body "bar"']);
            expect(error.message).toContain(`not need more than ${needed} `);
            told.push((needed = error.value as number));
          },
        );
      expect(told.length).toBeGreaterThan(0);
      expect(needed).toBeGreaterThan(key === "maxStorageBufferBindingSize" ? 16 * bar.particleCount : 10);
      await expect(addTo({ [key]: needed - 1 })).rejects.toMatchObject({ code: "device-limit", value: needed });
    }
  });
});

type Limits = Partial<Record<"maxStorageBufferBindingSize" | "maxComputeWorkgroupsPerDimension", number>>;

/** A device that reports smaller limits. */
function withLimits(device: GPUDevice, less: Limits): GPUDevice {
  const limits = new Proxy(device.limits, {
    get: (target, key) => (less as Record<PropertyKey, unknown>)[key] ?? Reflect.get(target, key, target),
  });
  return new Proxy(device, {
    get: (target, key) => {
      if (key === "limits") return limits;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
