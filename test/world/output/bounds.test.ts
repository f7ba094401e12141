import { describe, expect, it } from "vitest";
import type { DeformableBody } from "../../../src/world/body";
import type { World } from "../../../src/world/world";
import { chainModel } from "../../../samples/chain";
import { boxTetrahedra, solidModel } from "../../../src/index";
import { gridCloth, verticesWhere } from "../cloths";
import { backends, frameTime, inWorld, run } from "../worlds";

const model = gridCloth({ width: 0.6, height: 0.4, columns: 6, rows: 4 });
const upright = gridCloth({ width: 0.6, height: 0.4, columns: 6, rows: 4, plane: "xy" });
const mast = verticesWhere(upright.positions, (x) => x < -0.29);

/** Fails if a particle is outside of the body's bounds. */
async function expectInside(body: DeformableBody, state: ArrayLike<number>): Promise<void> {
  const { min, max } = body.conservativeBounds();
  for (let i = 0; i < state.length; i++) {
    if (state[i] >= min[i % 3] && state[i] <= max[i % 3]) continue;
    expect.fail(`particle ${Math.floor(i / 3)}: ${state[i]} is not within ${min[i % 3]} and ${max[i % 3]}`);
  }
}

/**
 * Runs frames and checks at intervals whether the body is inside its bounds. A check must not help the bounds, so the
 * true state comes from a twin world.
 */
async function runBeside(
  world: World,
  twin: World,
  frames: number,
  beforeStep?: (world: World, frame: number) => void,
) {
  for (let frame = 0; frame < frames; frame++) {
    for (const each of [world, twin]) {
      beforeStep?.(each, frame);
      each.step(frameTime);
    }
    if (frame % 5 !== 4) continue;
    for (const [i, body] of world.bodies.entries())
      if (!body.isDisposed) await expectInside(body, await twin.bodies[i].readPositions());
  }
}

describe.each(backends)("conservative bounds on %s", (backend) => {
  const twins = (work: (world: World, twin: World) => Promise<void>): Promise<void> =>
    inWorld(backend, {}, (world) => inWorld(backend, {}, (twin) => work(world, twin)));

  it("hold a block that swings on pins that give, which are moved", async () => {
    await twins(async (world, twin) => {
      const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
      const block = solidModel({
        solver: "local-global",
        ...boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1] }),
        material,
      });
      for (const each of [world, twin]) each.addBody(block).pin([0, 1], { compliance: 2e-3 });
      await runBeside(world, twin, 40, (each, frame) => {
        if (frame === 10) for (const p of [0, 1]) each.bodies[0].setPinTarget(p, 0.1 * p, 0.4, 0);
      });
      const heights = (await twin.bodies[0].readPositions()).filter((_, i) => i % 3 === 1);
      expect(Math.max(...heights)).toBeGreaterThan(0.15);
    });
  });

  it("are those of the mesh before the first step, and a thickness more", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { thickness: 0.01 });
      const { min, max } = body.conservativeBounds();
      [-0.31, -0.01, -0.21].forEach((value, c) => expect(min[c]).toBeCloseTo(value, 9));
      [0.31, 0.01, 0.21].forEach((value, c) => expect(max[c]).toBeCloseTo(value, 9));
    });
  });

  it("hold a pinned flag in the wind, for good and without a look", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) each.addBody(upright, { pins: mast, substeps: 6, wind: [4, 1, 7] });
      await runBeside(world, twin, 60);
      const [flag] = world.bodies;
      flag.conservativeBounds();
      expect(flag.boundsAnchored).toBe(true);
      // and are no larger than needed: the length of the cloth about its mast, plus a quarter
      const { min, max } = flag.conservativeBounds();
      for (let c = 0; c < 3; c++) expect(max[c] - min[c]).toBeLessThan(2.3);
    });
  });

  it("hold a falling cloth", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) each.addBody(model, { substeps: 3, airDensity: 0 });
      await runBeside(world, twin, 60);
    });
  });

  it("hold a cloth that was looked at before it began to fall, and at the top of its flight", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) {
        const body = each.addBody(model, { substeps: 3, airDensity: 0 });
        body.writeState({ positions: model.positions });
        await body.readPositions();
      }
      await runBeside(world, twin, 30);
      // thrown up at 2.45 m/s it stops after a quarter of a second
      const velocities = Float64Array.from(model.positions, (_, i) => (i % 3 === 1 ? 2.45 : 0));
      for (const each of [world, twin]) each.bodies[0].writeState({ positions: model.positions, velocities });
      await runBeside(world, twin, 15);
      await world.bodies[0].readPositions();
      await runBeside(world, twin, 45);
    });
  });

  it("hold a cloth that was let go by its pins", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) each.addBody(upright, { pins: mast, substeps: 4 });
      await runBeside(world, twin, 20);
      for (const each of [world, twin]) each.bodies[0].unpin();
      await runBeside(world, twin, 45);
      const { min, max } = world.bodies[0].conservativeBounds();
      expect(max[1] - min[1]).toBeLessThan(20);
    });
  });

  it("hold a cloth that a snapshot put back to an earlier time", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) each.addBody(model, { substeps: 3, airDensity: 0 });
      const snapshots = [await world.snapshot(), await twin.snapshot()];
      await runBeside(world, twin, 40);
      await world.bodies[0].readPositions();
      [world, twin].forEach((each, i) => each.restore(snapshots[i]));
      await runBeside(world, twin, 40);
    });
  });

  it("hold a cloth that rests on an obstacle, and still do when that is taken away", async () => {
    for (const removal of backend === "cpu" ? (["dispose", "disable", "teleport"] as const) : (["teleport"] as const))
      await twins(async (world, twin) => {
        for (const each of [world, twin]) {
          each.addCollider({ type: "box", halfExtents: [1, 0.1, 1] }, { position: [0, -0.105, 0] });
          each.addBody(model, { substeps: 4 });
        }
        // two checks at rest
        for (let look = 0; look < 2; look++) {
          await runBeside(world, twin, 10);
          await world.bodies[0].readPositions();
        }
        expect(world.bodies[0].boundsAnchored).toBe(true);
        await runBeside(world, twin, 10);
        for (const { colliders } of [world, twin]) {
          if (removal === "dispose") colliders[0].dispose();
          else if (removal === "disable") colliders[0].enabled = false;
          else colliders[0].teleport([0, -9, 0]);
        }
        expect(world.bodies[0].boundsAnchored).toBe(false);
        await runBeside(world, twin, 30);
      });
  });

  it("hold a cloth that a fast obstacle takes along", async () => {
    await twins(async (world, twin) => {
      for (const each of [world, twin]) {
        each.gravity = [0, 0, 0];
        each.addBody(upright, { substeps: 6 });
        each.addCollider({ type: "box", halfExtents: [1, 1, 0.1] }, { position: [0, 0, -0.3] });
      }
      await runBeside(world, twin, 25, ({ colliders }, frame) =>
        colliders[0].setPose([0, 0, -0.3 + 0.1 * Math.min(20, frame + 1)]),
      );
      expect((await twin.bodies[0].readPositions())[2]).toBeGreaterThan(1.7);
    });
  });

  it("hold a chain, and a cloth of two parts of which one flies free", async () => {
    await twins(async (world, twin) => {
      const positions = Float64Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? i / 30 : 0));
      for (const each of [world, twin])
        each.addBody(chainModel({ positions, masses: new Float64Array(6).fill(0.1), compliance: 1e-4 }), { pins: [0] });
      await runBeside(world, twin, 40);
    });
    await twins(async (world, twin) => {
      const loose = {
        ...model,
        positions: model.positions.slice(),
        // without these faces and elements a part of the grid is detached from the rest
        faces: model.faces.subarray(0, 6),
        terms: [],
      };
      for (const each of [world, twin]) each.addBody(loose, { pins: [0], substeps: 2 });
      await runBeside(world, twin, 30);
    });
  });
});

describe("bounds of resting bodies", () => {
  it("creeping slowly does not count as lying still", async () => {
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { substeps: 1, airDensity: 0 });
      const velocities = Float64Array.from(model.positions, (_, i) => (i % 3 === 0 ? 0.1 : 0));
      body.writeState({ positions: model.positions, velocities });
      for (let look = 0; look < 5; look++) {
        run(world, 30);
        await body.readPositions();
        expect(body.boundsAnchored).toBe(false);
      }
    });
  });
});
