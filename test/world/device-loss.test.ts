import { beforeAll, describe, expect, it } from "vitest";
import type { World } from "../../src/world/world";
import { ownContext, ownGpu } from "../gpu/context";
import { gridCloth, verticesWhere } from "./cloths";
import { createWorld, frameTime, run } from "./worlds";
import { expectRefused } from "../refusal";

const model = gridCloth({ width: 0.6, height: 0.4, columns: 7, rows: 5, plane: "xy" });
const mast = verticesWhere(model.positions, (x) => x < -0.29);

let gpu: GPU;
beforeAll(async () => {
  gpu = await ownGpu();
});

function addFlag(world: World) {
  world.addCollider({ type: "sphere", radius: 0.1 }, { position: [0.1, -0.35, 0.05] });
  return world.addBody(model, { pins: mast, substeps: 4, wind: [2, 0, 4], faceContacts: false });
}

/** Result of a world without a loss, from a snapshot on: frames of `addFlag`. */
async function undisturbed(framesBefore: number, framesAfter: number): Promise<Float32Array> {
  const world = await createWorld("webgpu");
  const body = addFlag(world);
  run(world, framesBefore + framesAfter);
  const positions = await body.readPositions();
  world.dispose();
  return positions;
}

describe("a lost device", () => {
  it("of the world's own is replaced, and the cloth goes on from its last snapshot", async () => {
    const world = await createWorld("webgpu", { gpu });
    const body = addFlag(world);
    run(world, 10);
    await world.snapshot();
    run(world, 7);
    const [lost, restored] = [[] as string[], [] as GPUDevice[]];
    world.onDeviceLost.add(({ reason }) => lost.push(reason));
    const back = new Promise<void>((resolve) => {
      world.onDeviceRestored.add((device) => {
        restored.push(device);
        resolve();
      });
    });
    const first = world.device!;
    first.destroy();
    // between the loss and the new device a step does nothing, and does not throw
    await first.lost;
    const { frame } = world;
    await back;
    expect(lost).toHaveLength(1);
    expect(lost[0].length).toBeGreaterThan(0);
    expect(restored).toEqual([world.device]);
    expect(world.device).not.toBe(first);
    expect(world.frame).toBe(frame);
    expect(body.isDisposed).toBe(false);
    run(world, 8);
    const positions = await body.readPositions();
    expect(positions).toEqual(await undisturbed(10, 8));
    // still held by its pins
    for (const p of mast) expect(positions[3 * p]).toBe(Math.fround(model.positions[3 * p]));
    // and a second loss is survived as well
    const again = new Promise((resolve) => world.onDeviceRestored.add(resolve));
    world.device!.destroy();
    await again;
    run(world, 1);
    await body.readPositions();
    world.dispose();
  });

  it("lets the cloth begin anew where no snapshot was taken", async () => {
    const world = await createWorld("webgpu", { gpu });
    const body = addFlag(world);
    run(world, 5);
    const back = new Promise((resolve) => world.onDeviceRestored.add(resolve));
    world.device!.destroy();
    await back;
    expect(await body.readPositions()).toEqual(Float32Array.from(model.positions));
    run(world, 6);
    expect(await body.readPositions()).toEqual(await undisturbed(0, 6));
    world.dispose();
  });

  it("that is shared waits for the host's next one", async () => {
    const [first, second] = [await ownContext(), await ownContext()];
    const world = await createWorld("webgpu", { device: first.device });
    const body = addFlag(world);
    run(world, 10);
    await world.snapshot();
    const lost = new Promise((resolve) => world.onDeviceLost.add(resolve));
    first.device.destroy();
    await lost;
    const { frame, time } = world;
    run(world, 3);
    expect([world.frame, world.time]).toEqual([frame, time]);
    const restored: GPUDevice[] = [];
    world.onDeviceRestored.add((device) => restored.push(device));
    world.replaceDevice(second.device);
    expect(restored).toEqual([second.device]);
    run(world, 8);
    expect(await body.readPositions()).toEqual(await undisturbed(10, 8));
    world.dispose();
    // a shared device is the host's: it lives on
    const alive = await Promise.race([second.device.lost.then(() => false), Promise.resolve(true)]);
    expect(alive).toBe(true);
    second.device.destroy();
  });

  it("without another to be had is an error that names it, not a crash", async () => {
    let calls = 0;
    const once = {
      requestAdapter: async (options?: GPURequestAdapterOptions) =>
        calls++ === 0 ? gpu.requestAdapter(options) : null,
    } as unknown as GPU;
    const world = await createWorld("webgpu", { gpu: once });
    addFlag(world);
    world.device!.destroy();
    await expect.poll(() => calls).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expectRefused(() => world.step(frameTime), "device-lost", /World.*GPU device.*adapter/);
    world.dispose();
  });

  it("after dispose is nobody's business", async () => {
    const world = await createWorld("webgpu", { gpu });
    const { device } = world;
    let events = 0;
    world.onDeviceLost.add(() => events++);
    world.onDeviceRestored.add(() => events++);
    world.dispose();
    await device!.lost;
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(events).toBe(0);
  });
});
