import { describe, expect, it } from "vitest";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { resolveParameters } from "../../samples/parameters";
import type { World } from "../../src/world/world";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, createWorld, frameTime, inWorld, run } from "./worlds";

const upright = gridCloth({ width: 0.6, height: 0.4, columns: 7, rows: 5, plane: "xy" });
const mast = verticesWhere(upright.positions, (x) => x < -0.29);

async function build(world: World): Promise<void> {
  await clothOnSphere.build(world, resolveParameters(clothOnSphere, { resolution: 9, substeps: 5 }));
  world.addBody(upright, { pins: mast, substeps: 5, wind: [3, 0, 5], name: "flag" });
}

describe.each(backends)("snapshots on %s", (backend) => {
  it("put a world back, and it goes on exactly as it did", async () => {
    await inWorld(backend, {}, async (world) => {
      await build(world);
      run(world, 12);
      const snapshot = await world.snapshot();
      expect([snapshot.frame, snapshot.time]).toEqual([12, world.time]);
      run(world, 12);
      const first = await Promise.all(world.bodies.map((body) => body.readState()));
      world.restore(snapshot);
      expect([world.frame, world.time]).toEqual([12, snapshot.time]);
      const restored = await Promise.all(world.bodies.map((body) => body.readState()));
      restored.forEach((state, i) => expect(state).toEqual(snapshot.states.get(world.bodies[i])));
      run(world, 12);
      const second = await Promise.all(world.bodies.map((body) => body.readState()));
      expect(second).toEqual(first);
    });
  });

  it("do not change when the world goes on", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(upright, { substeps: 2 });
      const snapshot = await world.snapshot();
      const before = Array.from(snapshot.states.get(body)!.positions);
      run(world, 5);
      expect(Array.from(snapshot.states.get(body)!.positions)).toEqual(before);
    });
  });

  it("leave bodies alone that came later, and those that are gone", async () => {
    await inWorld(backend, {}, async (world) => {
      const gone = world.addBody(upright, { substeps: 2 });
      const kept = world.addBody(upright, { substeps: 2 });
      const snapshot = await world.snapshot();
      run(world, 4);
      const late = world.addBody(upright, { substeps: 2 });
      run(world, 4);
      gone.dispose();
      const before = await late.readPositions();
      world.restore(snapshot);
      expect(await late.readPositions()).toEqual(before);
      expect(await kept.readPositions()).toEqual(Float32Array.from(upright.positions));
      expect(world.bodies).toEqual([kept, late]);
    });
  });
});

describe("automatic snapshots on webgpu", () => {
  it("are taken in the interval that was asked for", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 0.1 });
    const body = world.addBody(upright, { pins: mast, substeps: 2 });
    expect(world.lastSnapshot).toBeUndefined();
    for (let frame = 1; frame <= 15; frame++) {
      world.step(frameTime);
      await world.settled();
      const due = 6 * Math.floor(frame / 6);
      await expect.poll(() => world.lastSnapshot?.frame ?? 0, { interval: 5, timeout: 20_000 }).toBe(due);
    }
    expect(world.lastSnapshot!.time).toBeCloseTo(0.2, 9);
    expect(world.lastSnapshot!.states.get(body)!.positions).not.toEqual(Float32Array.from(upright.positions));
    world.dispose();
  });

  it("are not taken with an interval of 0", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 0 });
    world.addBody(upright, { pins: mast, substeps: 1 });
    world.bodies[0].conservativeBounds();
    run(world, 100);
    await world.settled();
    expect(world.lastSnapshot).toBeUndefined();
    world.dispose();
  });
});
