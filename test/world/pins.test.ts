import { describe, expect, it } from "vitest";
import { gridCloth, largestDifference, verticesWhere } from "./cloths";
import { backends, frameTime, inWorld, run } from "./worlds";

const grid = { width: 0.6, height: 0.4, columns: 7, rows: 5, plane: "xy" } as const;
const model = gridCloth(grid);
const top = verticesWhere(model.positions, (_x, y) => y > 0.19);
const at = (x: ArrayLike<number>, p: number): number[] => [0, 1, 2].map((c) => x[3 * p + c]);
const fround = (x: readonly number[]): number[] => x.map(Math.fround);

describe.each(backends)("pins on %s", (backend) => {
  it("hold particles where they are, to the bit, whatever pulls at them", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { pins: top, substeps: 6, wind: [3, 1, 9] });
      run(world, 20);
      const positions = await body.readPositions();
      for (const p of top) expect(at(positions, p)).toEqual(fround(at(model.positions, p)));
      expect(largestDifference(positions, model.positions)).toBeGreaterThan(0.01);
      expect(top.every((p) => body.isPinned(p))).toBe(true);
      expect(body.isPinned(0)).toBe(top.includes(0));
    });
  });

  it("go to their targets in the next step, exactly, and drag the cloth along", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { pins: top, substeps: 7 });
      for (let frame = 1; frame <= 20; frame++) {
        const shift = 0.01 * frame;
        for (const p of top) {
          const [x, y, z] = at(model.positions, p);
          body.setPinTarget(p, x + shift, y + 0.5 * shift, z - shift);
        }
        world.step(frameTime);
        if (frame % 5 !== 0) continue;
        const positions = await body.readPositions();
        for (const p of top) {
          const [x, y, z] = at(model.positions, p);
          const target = [x + shift, y + 0.5 * shift, z - shift];
          // x⁻ + (target − x⁻) in the last substep: half a unit in the last place at most
          target.forEach((value, c) => expect(Math.abs(positions[3 * p + c] - value)).toBeLessThan(6e-8));
        }
      }
      const free = verticesWhere(model.positions, (_x, y) => y < -0.19);
      const positions = await body.readPositions();
      for (const p of free) expect(positions[3 * p]).toBeGreaterThan(model.positions[3 * p] + 0.05);
    });
  });

  it("move evenly over the substeps: pinned particles have the velocity of their targets", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { pins: top, substeps: 5 });
      for (const p of top) {
        const [x, y, z] = at(model.positions, p);
        body.setPinTarget(p, x, y, z + 0.02);
      }
      world.step(frameTime);
      const { velocities } = await body.readState();
      for (const p of top) expect(velocities[3 * p + 2]).toBeCloseTo(0.02 / frameTime, 3);
      // and stand still when the targets do
      world.step(frameTime);
      const { velocities: after } = await body.readState();
      for (const p of top) expect(Math.abs(after[3 * p + 2])).toBeLessThan(1e-4);
    });
  });

  it("can be taken out and put in again", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { pins: top, substeps: 5 });
      run(world, 5);
      body.unpin(top.slice(1));
      run(world, 5);
      let positions = await body.readPositions();
      expect(at(positions, top[0])).toEqual(fround(at(model.positions, top[0])));
      for (const p of top.slice(2)) expect(positions[3 * p + 1]).toBeLessThan(0.2 - 1e-3);
      // a pin holds a particle at its last read place
      const [last] = top.slice(-1);
      body.pin([last]);
      const held = at(positions, last);
      run(world, 5);
      positions = await body.readPositions();
      expect(at(positions, last)).toEqual(held);
      body.unpin();
      run(world, 10);
      positions = await body.readPositions();
      for (const p of top) expect(positions[3 * p + 1]).toBeLessThan(0.2 - 1e-3);
      expect(top.some((p) => body.isPinned(p))).toBe(false);
    });
  });

  it("of every particle make a body that moves with its pins only", async () => {
    await inWorld(backend, {}, async (world) => {
      const all = Array.from({ length: model.particleCount }, (_, p) => p);
      const body = world.addBody(model, { pins: all, substeps: 3, wind: [9, 9, 9] });
      run(world, 5);
      expect(await body.readPositions()).toEqual(Float32Array.from(model.positions));
    });
  });
});
