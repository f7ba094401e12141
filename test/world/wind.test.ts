import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { distance, norm } from "../../src/math/vectors";
import type { Vec3 } from "../../src/math/types";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { ropeModel } from "../../src/models/rope";
import { WindField } from "../../src/solvers/wind/wind-field";
import type { World } from "../../src/world/world";
import { expectWithin } from "../figures";
import { gridCloth } from "./cloths";
import { type BackendName, backends, frameTime, inWorld, run } from "./worlds";

/** Wind of all kinds around the origin. */
function stormyWind(): WindField {
  const field = new WindField({ velocity: [4, 1, 0], turbulence: { speed: 3, size: 1.5, seed: 3 } });
  field.addZone({ kind: "vortex", halfExtents: [2, 2, 2], speed: 5 });
  field.addZone({ kind: "radial", shape: "cylinder", center: [0.3, 0, 0], halfExtents: [1, 2, 1], speed: 3 });
  field.addZone({ shape: "box", halfExtents: [2, 1, 1], direction: [1, 0, 2], speed: 6, rotation: [0.6, 0, 0, 0.8] });
  field.addShelter({ center: [-1, 0.2, 0], halfExtents: [0.3, 0.4, 0.3], spread: 0.3 });
  return field;
}

const grid = { width: 1, height: 1, columns: 9, rows: 9 };

/** Velocities of cloth, a rope and a local-global sheet that the wind takes along [m/s]. */
async function taken(backend: BackendName | "reference"): Promise<Float64Array> {
  return inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
    world.wind = stormyWind();
    const { positions, indices } = gridMesh(grid);
    const material = { youngsModulus: 1e4, poissonRatio: 0.3, density: 300 };
    const raised = Array.from(positions, (value, i) => value + Number(i % 3 === 1));
    const sheet = localGlobalSheet({ positions: raised, indices, thickness: 0.001, material });
    const points = Array.from({ length: 36 }, (_, i) => [-1 + 0.2 * Math.floor(i / 3), -0.5, i / 30][i % 3]);
    const bodies = [
      world.addBody(gridCloth(grid, { fabric: "silk" }), { substeps: 4 }),
      world.addBody(ropeModel({ positions: points, radius: 0.01, density: 200, youngsModulus: 1e6 }), { substeps: 4 }),
      world.addBody(sheet, { airDensity: 1.2 }),
    ];
    run(world, 3);
    const states = await Promise.all(bodies.map((body) => body.readState()));
    return Float64Array.from(states.flatMap(({ velocities }) => Array.from(velocities)));
  });
}

describe("wind that differs from place to place", () => {
  it("takes bodies of all solvers along alike on all backends", async () => {
    const reference = await taken("reference");
    const top = reference.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    expect(top).toBeGreaterThan(0.5);
    for (const backend of backends) {
      const other = await taken(backend);
      const worst = other.reduce((most, v, i) => Math.max(most, Math.abs(v - reference[i])), 0);
      expectWithin(`${backend}, relative to the fastest`, worst / top, 0.01);
    }
  });

  it("lifts the cloth above a fan, not the one beside it", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.wind = new WindField();
      world.wind.addZone({ shape: "cylinder", halfExtents: [1, 3, 1], speed: 12 });
      const heightAfter = async (x: number): Promise<() => Promise<number>> => {
        const small = { width: 0.5, height: 0.5, columns: 6, rows: 6, center: [x, 0, 0] as const };
        const body = world.addBody(gridCloth(small, { fabric: "silk" }), { substeps: 6 });
        return async () => {
          const { positions } = await body.readState();
          let sum = 0;
          for (let i = 1; i < positions.length; i += 3) sum += positions[i];
          return sum / body.particleCount;
        };
      };
      const [above, beside] = [await heightAfter(0), await heightAfter(4)];
      run(world, 20);
      expect(await above()).toBeGreaterThan(0.05);
      expect(await beside()).toBeLessThan(-0.1);
    });
  });
});

/** A cloth on the ground that has fallen asleep. */
async function sleeping(world: World) {
  world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
  const small = { width: 0.5, height: 0.5, columns: 5, rows: 5, center: [0, 0.005, 0] as const };
  const body = world.addBody(gridCloth(small, { fabric: "denim" }), { substeps: 4 });
  await world.whenReadyAsync();
  for (let frame = 0; frame < 240 && !body.isAsleep; frame++) {
    world.step(frameTime);
    if (frame % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  expect(body.isAsleep).toBe(true);
  return body;
}

describe("a sleeping cloth", () => {
  it("wakes when a zone of wind comes over it", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.wind = new WindField();
      const fan = world.wind.addZone({ center: [50, 0, 0], halfExtents: [2, 2, 2], speed: 15 });
      const body = await sleeping(world);
      const before = Array.from(body.model.positions.subarray(0, 3)) as unknown as Vec3;
      fan.setOptions({ center: [0, 0, 0] });
      run(world, 20);
      expect(body.isAsleep).toBe(false);
      const { positions } = await body.readState();
      const after = Array.from(positions.subarray(0, 3)) as unknown as Vec3;
      expect(distance(before, after)).toBeGreaterThan(0.1);
    });
  });

  it("stays awake in gusts that may move it, and sleeps in those that cannot", async () => {
    for (const [speed, sleeps] of [
      [5, false],
      [0.02, true],
    ] as const)
      await inWorld("cpu", {}, async (world) => {
        const body = await sleeping(world);
        world.wind = new WindField({ turbulence: { speed, size: 200, seed: 2 } });
        run(world, 90);
        expect(body.isAsleep, `gusts of ${speed} m/s`).toBe(sleeps);
      });
  });
});

it("goes on with the same gusts after a snapshot", async () => {
  const play = async (snapshotAt: number | undefined): Promise<ArrayLike<number>> =>
    inWorld("cpu", {}, async (world) => {
      const make = () => {
        world.wind = new WindField({ velocity: [3, 0, 0], turbulence: { speed: 2, size: 1 } });
        return world.addBody(gridCloth(grid, { fabric: "silk" }), { substeps: 4, pins: [0, 8] });
      };
      const body = make();
      run(world, snapshotAt ?? 20);
      if (snapshotAt !== undefined) {
        const snapshot = await world.snapshot();
        run(world, 7);
        world.restore(snapshot);
        run(world, 20 - snapshotAt);
      }
      return (await body.readState()).positions;
    });
  const [straight, again] = [await play(undefined), await play(9)];
  expect(norm([straight[120], straight[121], straight[122]])).toBeGreaterThan(0);
  expect(Array.from(again)).toEqual(Array.from(straight));
});
