import { describe, expect, it } from "vitest";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { gridMesh } from "../../src/geometry/grid";
import { MotionRange } from "../../src/world/motion-range";
import { expectWithin } from "../figures";
import { expectRefused } from "../refusal";
import { gridCloth } from "./cloths";
import { allBackends, backends, type BackendName, frameTime, inWorld, run } from "./worlds";

const FRAMES = 24;

/** Places of a sheet that goes along x and turns about z, at a time [s]. */
function moved(positions: ArrayLike<number>, time: number, size: number): Float64Array {
  const [c, s] = [Math.cos(2 * time), Math.sin(2 * time)];
  return Float64Array.from(positions, (value, i) => {
    if (i % 3 === 2) return value;
    const [x, y] = i % 3 === 0 ? [value, positions[i + 1]] : [positions[i - 1], value];
    return i % 3 === 0 ? c * x - s * y + 2 * size * time : s * x + c * y;
  });
}

interface Case {
  readonly size: number;
  readonly maxDistance: number;
  readonly backstop: number;
  readonly substeps: number;
}

/** The worst excess over both limits after each frame [m], the last positions, and how far they are from the places. */
async function follow(backend: BackendName | "reference", { size, maxDistance, backstop, substeps }: Case) {
  return inWorld(backend, { gravity: [0, -9.81 * size, 0] }, async (world) => {
    const grid = { width: size, height: size, columns: 9, rows: 9 };
    const body = world.addBody(gridCloth(grid, { fabric: "cotton" }), { substeps });
    const range = new MotionRange(body, { maxDistance, backstop });
    let [excess, reached, positions] = [0, 0, body.model.positions as ArrayLike<number>];
    for (let frame = 1; frame <= FRAMES; frame++) {
      const places = moved(body.model.positions, frame * frameTime, size);
      range.setPlaces(places);
      world.step(frameTime);
      if (frame % 4 > 0) continue;
      positions = (await body.readState()).positions;
      for (let i = 0; i < places.length; i += 3) {
        const offset = [0, 1, 2].map((c) => positions[i + c] - places[i + c]);
        const distance = Math.hypot(...offset);
        const behind = offset.reduce((sum, value, c) => sum - value * range.normals[i + c], 0);
        reached = Math.max(reached, distance);
        excess = Math.max(excess, distance - maxDistance, behind - backstop);
      }
    }
    return { excess, reached, positions: Float64Array.from(positions) };
  });
}

describe("the range of motion of a cloth", () => {
  it.each([
    { size: 1, maxDistance: 0.05, backstop: 0.01, substeps: 8 },
    { size: 0.1, maxDistance: 0.02, backstop: 0, substeps: 3 },
    { size: 10, maxDistance: 0.5, backstop: 0.05, substeps: 15 },
    { size: 1, maxDistance: 0, backstop: Infinity, substeps: 5 },
  ])(
    "holds for a sheet of $size m within $maxDistance m, no more than $backstop m behind, on all backends",
    async (test) => {
      const reference = await follow("reference", test);
      for (const backend of allBackends) {
        // a software adapter takes seconds to compile
        if (backend === "webgpu" && test.substeps !== 8) continue;
        const found = backend === "reference" ? reference : await follow(backend, test);
        expectWithin(`excess on ${backend}, relative to its size`, found.excess / test.size, 1e-6);
        const worst = found.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - reference.positions[i])), 0);
        expectWithin(`difference of ${backend}, relative to its size`, worst / test.size, 0.005);
      }
      // the limits act: without them the sheet would fall
      if (test.maxDistance > 0) expect(reference.reached).toBeGreaterThan(0.2 * Math.min(test.maxDistance, test.size));
    },
  );

  it("has limits of single particles, leaves pinned ones alone, and ends", async () => {
    await inWorld("cpu", {}, async (world) => {
      const model = gridCloth({ width: 1, height: 1, columns: 4, rows: 4 }, { fabric: "cotton" });
      const body = world.addBody(model, { pins: [0], substeps: 5 });
      const maxDistance = Array.from({ length: body.particleCount }, (_, p) => (p < 5 ? 0.01 : Infinity));
      const range = new MotionRange(body, { maxDistance });
      body.setPinTarget(0, -0.6, 0.3, -0.5);
      run(world, 30);
      const { positions: held } = await body.readState();
      const fallen = (x: ArrayLike<number>, p: number): number => model.positions[3 * p + 1] - x[3 * p + 1];
      for (let p = 1; p < 5; p++) expect(Math.abs(fallen(held, p))).toBeLessThan(0.0101);
      expect(fallen(held, body.particleCount - 1)).toBeGreaterThan(0.05);
      expect(held[1]).toBeCloseTo(0.3, 6);
      range.dispose();
      run(world, 45);
      expect(fallen((await body.readState()).positions, 4)).toBeGreaterThan(0.1);
    });
  });

  it.each(backends)("goes on after a snapshot as without one, on %s", async (backend) => {
    const play = (isRestored: boolean) =>
      inWorld(backend, {}, async (world) => {
        const body = world.addBody(gridCloth({ width: 1, height: 1, columns: 9, rows: 9 }, {}), { substeps: 8 });
        const range = new MotionRange(body, { maxDistance: 0.03 });
        const to = (first: number, last: number): void => {
          for (let frame = first; frame < last; frame++) {
            range.setPlaces(moved(body.model.positions, frame * frameTime, 1));
            world.step(frameTime);
          }
        };
        to(1, 6);
        if (isRestored) {
          const snapshot = await world.snapshot();
          to(6, 9);
          world.restore(snapshot);
        }
        to(6, 10);
        return Array.from((await body.readState()).positions);
      });
    expect(await play(true)).toEqual(await play(false));
  });

  it("wakes a sleeping cloth when its places move", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
      const small = { width: 0.5, height: 0.5, columns: 5, rows: 5, center: [0, 0.005, 0] as const };
      const body = world.addBody(gridCloth(small, { fabric: "denim" }), { substeps: 4 });
      const range = new MotionRange(body, { maxDistance: 0.02 });
      await world.whenReadyAsync();
      for (let frame = 0; frame < 240 && !body.isAsleep; frame++) {
        world.step(frameTime);
        if (frame % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      expect(body.isAsleep).toBe(true);
      range.setPlaces(body.model.positions.map((value, i) => value + Number(i % 3 === 1)));
      run(world, 2);
      expect(body.isAsleep).toBe(false);
      expect((await body.readState()).positions[1]).toBeGreaterThan(0.9);
    });
  });

  it("refuses other bodies, other numbers, and a second range", async () => {
    await inWorld("cpu", {}, async (world) => {
      const mesh = gridMesh({ width: 1, height: 1, columns: 2, rows: 2 });
      const body = world.addBody(gpbdCloth(mesh));
      const other = world.addBody(localGlobalCloth(mesh));
      expectRefused(() => new MotionRange(other, {}), "unsupported", /gpbd/);
      expectRefused(() => new MotionRange(body, { maxDistance: -1 }), "invalid-argument", /maxDistance\[0\]/);
      expectRefused(() => new MotionRange(body, { backstop: [1, 2] }), "invalid-argument", /backstop.*must be/);
      expectRefused(() => new MotionRange(body, { maxDistance: NaN }), "invalid-argument", /at least 0/);
      const range = new MotionRange(body, { maxDistance: 1 });
      expectRefused(() => new MotionRange(body, {}), "invalid-argument", /already/);
      expectRefused(() => range.setPlaces([0, 0, 0]), "invalid-argument", /must be/);
      const places = body.model.positions.slice();
      places[4] = NaN;
      expectRefused(() => range.setPlaces(places), "non-finite", /\[4\]/);
    });
  });
});
