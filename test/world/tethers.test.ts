import { describe, expect, it } from "vitest";
import { maxStretchPercent, uniqueEdges } from "../../samples/metrics";
import type { FabricName } from "../../src/materials/fabric";
import type { GpbdOptions } from "../../src/solvers/gpbd/options";
import type { DeformableBody } from "../../src/world/body";
import type { World } from "../../src/world/world";
import { RandomGeometry } from "../collision/random";
import { gridCloth, largestDifference, verticesWhere } from "./cloths";
import { frameTime, inWorld, run, type BackendName } from "./worlds";

interface Sheet {
  readonly size: number;
  readonly cells: number;
  readonly fabric?: FabricName;
}

/** A square that is held where `select` says so, in the plane y = 0. */
function hang(
  world: World,
  { size, cells, fabric = "cotton" }: Sheet,
  select: (x: number, z: number) => boolean,
  options: Partial<GpbdOptions> = {},
): DeformableBody {
  const model = gridCloth({ width: size, height: size, columns: cells, rows: cells }, { fabric });
  const pins = verticesWhere(model.positions, (x, _, z) => select((2 * x) / size, (2 * z) / size));
  return world.addBody(model, { pins, airDensity: 0, ...options });
}

const atCorners = (x: number, z: number): boolean => z < -0.99 && Math.abs(x) > 0.99;

async function stretchOf(body: DeformableBody): Promise<number> {
  const { positions } = await body.readState();
  return maxStretchPercent(positions, body.model.positions, uniqueEdges(body.model.faces));
}

/** Largest stretch [%] of a sheet that has swung down. */
async function hungStretch(sheet: Sheet, tethers: boolean, backend: BackendName = "cpu"): Promise<number> {
  return inWorld(backend, {}, async (world) => {
    world.gravity = [0, -9.81, 0];
    const body = hang(world, sheet, atCorners, { tethers, damping: 6 });
    run(world, 60);
    return stretchOf(body);
  });
}

describe("tethers", () => {
  it.each([
    { size: 1, cells: 16 },
    { size: 1, cells: 28 },
    { size: 0.1, cells: 20, fabric: "silk" },
    { size: 3, cells: 24, fabric: "denim" },
  ] as const)("keep cloth by its corners from stretching: %o", async (sheet) => {
    const [held, free] = [await hungStretch(sheet, true), await hungStretch(sheet, false)];
    expect(held).toBeLessThan(5);
    expect(held).toBeLessThan(0.6 * free);
  });

  it("do it with a fraction of the substeps, unless the user sets them", async () => {
    await inWorld("cpu", {}, async (world) => {
      const sheet = { size: 1, cells: 48 };
      const stepsOf = async (options: Partial<GpbdOptions>): Promise<number> => {
        const body = hang(world, sheet, atCorners, options);
        // Each substep moves a falling vertex anew: its way tells their number.
        world.step(frameTime);
        const { positions } = await body.readState();
        const [lowest] = verticesWhere(body.model.positions, (x, _, z) => z > 0.49 && Math.abs(x) < 0.02);
        const fallen = -positions[3 * lowest + 1] / (9.81 * frameTime * frameTime);
        body.dispose();
        return Math.round(1 / (2 * fallen - 1));
      };
      world.gravity = [0, -9.81, 0];
      expect(await stepsOf({})).toBe(10);
      expect(await stepsOf({ tethers: false })).toBe(56);
      expect(await stepsOf({ substeps: 21 })).toBe(21);
      expect(await stepsOf({ substeps: 21, tethers: true })).toBe(21);
    });
  });

  it("are the same on WebGPU", async () => {
    const states = await Promise.all(
      (["cpu", "webgpu"] as const).map((backend) =>
        inWorld(backend, {}, async (world) => {
          world.gravity = [0, -9.81, 0];
          const body = hang(world, { size: 1, cells: 21 }, (x, z) => z < -0.99 && Math.abs(Math.abs(x) - 0.5) < 0.2);
          run(world, 20);
          return (await body.readState()).positions;
        }),
      ),
    );
    expect(largestDifference(states[0], states[1])).toBeLessThan(2e-4);
  });

  it.each([1, 2, 3])("give no energy when pins are set late, far from where they were: %i", async (seed) => {
    await inWorld("cpu", {}, async (world) => {
      world.gravity = [0, 0, 0];
      const random = new RandomGeometry(seed);
      const body = hang(world, { size: 1, cells: 12 }, () => false);
      const { positions } = await body.readState();
      const scale = random.between(1.02, 1.3);
      body.writeState({ positions: positions.map((x) => scale * x), velocities: new Float64Array(positions.length) });
      const energyOf = async (): Promise<number> => {
        const { velocities } = await body.readState();
        return Float64Array.from(velocities).reduce(
          (sum, v, i) => sum + 0.5 * body.model.masses[Math.floor(i / 3)] * v * v,
          0,
        );
      };
      body.pin([0, 12]);
      // Cotton, stretched alike both ways.
      const strain = (scale * scale - 1) / 2;
      const elastic = 0.5 * (2000 + 1500 + 2 * 0.2 * Math.sqrt(2000 * 1500)) * strain * strain;
      for (let frame = 0; frame < 20; frame++) {
        world.step(frameTime);
        expect(await energyOf()).toBeLessThan(elastic);
      }
    });
  });

  it("let a sheet stretch evenly between pins that are pulled apart", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.gravity = [0, 0, 0];
      const body = hang(world, { size: 1, cells: 16 }, (x) => Math.abs(x) > 0.99);
      const rest = body.model.positions;
      for (let frame = 1; frame <= 90; frame++) {
        const pull = 1 + 0.1 * Math.min(1, frame / 40);
        for (let p = 0; p < body.particleCount; p++)
          if (Math.abs(rest[3 * p]) > 0.49) body.setPinTarget(p, pull * rest[3 * p], 0, rest[3 * p + 2]);
        world.step(frameTime);
      }
      const { positions } = await body.readState();
      for (const p of verticesWhere(rest, (_x, _y, z) => Math.abs(z) < 0.01))
        expect(positions[3 * p]).toBeCloseTo(1.1 * rest[3 * p], 2);
    });
  });

  it("follow another shape at rest", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = hang(world, { size: 1, cells: 12 }, atCorners, { damping: 4 });
      run(world, 30);
      const grid = { width: 1.25, height: 1.25, columns: 12, rows: 12 };
      body.replaceModel(gridCloth(grid, { fabric: "cotton" }));
      run(world, 120);
      const { positions } = await body.readState();
      const [lowest] = verticesWhere(body.model.positions, (x, _, z) => z > 0.62 && Math.abs(x) < 0.01);
      // The tethers of the first shape would hold it above 1.01.
      expect(-positions[3 * lowest + 1]).toBeGreaterThan(1.1);
    });
  });

  it("are where they were after a snapshot", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = hang(world, { size: 1, cells: 10 }, atCorners);
      run(world, 10);
      const snapshot = await world.snapshot();
      run(world, 10);
      const first = await body.readState();
      world.restore(snapshot);
      run(world, 10);
      expect((await body.readState()).positions).toEqual(first.positions);
    });
  });

  it("do not hold cloth that tears, whose ways change", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const states = [];
      for (const tethers of [true, false]) {
        const model = gridCloth({ width: 1, height: 1, columns: 10, rows: 10 });
        const body = world.addBody(model, { pins: [0, 10], tearing: { strain: 10 }, bodyCollision: false, tethers });
        run(world, 20);
        states.push((await body.readState()).positions);
        body.dispose();
      }
      expect(states[0]).toEqual(states[1]);
    });
  });

  it("do not hold balloons, cloth of tables, or cloth without pins", async () => {
    await inWorld("cpu", {}, async (world) => {
      for (const [fabric, select] of [
        ["rib", atCorners],
        ["cotton", () => false],
      ] as const) {
        const states = [];
        for (const tethers of [true, false]) {
          const body = hang(world, { size: 0.2, cells: 6, fabric }, select, { tethers, substeps: 20 });
          run(world, 10);
          states.push((await body.readState()).positions);
          body.dispose();
        }
        expect(states[0]).toEqual(states[1]);
      }
    });
  });
});
