import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import type { DeformableBody } from "../../src/world/body";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, createWorld, frameTime, inWorld, run } from "./worlds";

const model = gridCloth({ width: 0.6, height: 0.4, columns: 6, rows: 4, plane: "xy" });
const mast = verticesWhere(model.positions, (x) => x < -0.29);

/** A wind that is finite as an option, but overflows as a force. */
const impossible = 1e200;

describe.each(backends)("a body that turns non-finite on %s", (backend) => {
  it("is frozen where it was and reported with the frame, and the others go on", async () => {
    await inWorld(backend, {}, async (world) => {
      const [sick, well] = [0, 1].map((i) => world.addBody(model, { pins: mast, substeps: 3, name: `flag ${i}` }));
      const events: { body: DeformableBody; frame: number }[] = [];
      world.onBodyFrozen.add((event) => events.push(event));
      run(world, 6);
      expect((await world.frozenBodies()).size).toBe(0);
      const sound = await sick.readPositions();
      sick.setWind(impossible, 0, impossible);
      run(world, 4);
      const frozen = await world.frozenBodies();
      expect([...frozen]).toEqual([[sick, 7]]);
      await expect.poll(() => events).toEqual([{ body: sick, frame: 7 }]);
      const { positions, velocities } = await sick.readState();
      expect(Array.from(positions).every(Number.isFinite)).toBe(true);
      expect(Array.from(velocities).every((v) => v === 0)).toBe(true);
      expect(Float32Array.from(positions)).toEqual(sound);
      // the other has moved as it does alone
      const alone = await inWorld(backend, {}, async (other) => {
        const body = other.addBody(model, { pins: mast, substeps: 3 });
        run(other, 10);
        return body.readPositions();
      });
      expect(await well.readPositions()).toEqual(alone);
      // reported once
      run(world, 3);
      await world.frozenBodies();
      expect(events).toHaveLength(1);
    });
  });

  it("can be put right: it moves again, and would be reported again", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { pins: mast, substeps: 3 });
      const frames: number[] = [];
      world.onBodyFrozen.add(({ frame }) => frames.push(frame));
      run(world, 2);
      const snapshot = await world.snapshot();
      body.setWind(impossible, impossible, impossible);
      run(world, 2);
      expect((await world.frozenBodies()).get(body)).toBe(3);
      body.setWind(0, 0, 0);
      world.restore(snapshot);
      run(world, 5);
      expect((await world.frozenBodies()).size).toBe(0);
      expect(await body.readPositions()).not.toEqual(Float32Array.from(snapshot.bodies[0].positions));
      body.setWind(impossible, 0, 0);
      run(world, 2);
      expect((await world.frozenBodies()).get(body)).toBe(8);
      await expect.poll(() => frames).toEqual([3, 8]);
    });
  });
});

it("stands still with the Newton solver, too, and the others go on", async () => {
  await inWorld("cpu", {}, async (world) => {
    const mesh = boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } as const;
    const [sick, well] = [0, 1].map(() => world.addBody(solidModel({ ...mesh, material, solver: "newton" })));
    const { positions } = sick.model;
    sick.writeState({ positions, velocities: positions.map((_, i) => (i % 2 === 0 ? 1e300 : -1e300)) });
    run(world, 4);
    expect((await world.frozenBodies()).has(sick)).toBe(true);
    const before = await well.readPositions();
    run(world, 1);
    expect(await well.readPositions()).not.toEqual(before);
    expect((await world.frozenBodies()).has(well)).toBe(false);
  });
});

describe("the watch for frozen bodies", () => {
  it("on a GPU is part of the automatic snapshots", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 0.1 });
    const body = world.addBody(model, { pins: mast, substeps: 2 });
    const frames: number[] = [];
    world.onBodyFrozen.add(({ frame }) => frames.push(frame));
    world.step(frameTime);
    body.setWind(impossible, 0, 0);
    run(world, 6);
    await expect.poll(() => frames, { timeout: 20_000 }).toEqual([2]);
    world.dispose();
  });
});
