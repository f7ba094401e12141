import { describe, expect, it } from "vitest";
import { maxPenetration, maxStretchPercent, uniqueEdges } from "../../../../samples/metrics";
import type { FabricName } from "../../../../src/materials/fabric";
import type { GpbdOptions } from "../../../../src/solvers/gpbd/options";
import type { DeformableBody } from "../../../../src/world/body";
import type { World } from "../../../../src/world/world";
import { gridCloth } from "../../../world/cloths";
import { frameTime, inWorld, run } from "../../../world/worlds";

interface Draped {
  readonly size: number;
  readonly cells: number;
  readonly fabric?: FabricName;
}

/** A square sheet over a ball of a third of its size. */
function drape(
  world: World,
  { size, cells, fabric = "cotton" }: Draped,
  options: Partial<GpbdOptions>,
): DeformableBody {
  world.gravity = [0, -9.81, 0];
  world.addCollider({ type: "sphere", radius: size / 3 }, { friction: 0.5 });
  const center = [0, 0.34 * size, 0] as const;
  const model = gridCloth({ width: size, height: size, columns: cells, rows: cells, center }, { fabric });
  return world.addBody(model, { thickness: 0.004 * size, damping: 0.5, ...options });
}

/** Largest stretch [%], and depth in the ball as a part of the size of the sheet. */
async function figuresOf(sheet: Draped, options: Partial<GpbdOptions>) {
  return inWorld("cpu", {}, async (world) => {
    const body = drape(world, sheet, options);
    run(world, 45);
    const { positions } = await body.readState();
    const { faces, positions: rest } = body.model;
    const depth = maxPenetration(positions, faces, [(x, y, z) => Math.hypot(x, y, z) - sheet.size / 3]) / sheet.size;
    return { stretch: maxStretchPercent(positions, rest, uniqueEdges(faces)), depth };
  });
}

/** Substeps of a frame: each moves a falling vertex anew. */
async function substepsOf(world: World, body: DeformableBody): Promise<number> {
  const y = body.model.positions[1];
  world.step(frameTime);
  const { positions } = await body.readState();
  body.dispose();
  return Math.round(1 / ((2 * (y - positions[1])) / (9.81 * frameTime * frameTime) - 1));
}

describe("a sheet without pins", () => {
  it.each([
    { size: 1, cells: 28 },
    { size: 0.1, cells: 24, fabric: "silk" },
    { size: 10, cells: 24, fabric: "denim" },
  ] as const)(
    "drapes by threads with no more stretch than with the substeps that it has without them: %o",
    async (sheet) => {
      const held = await figuresOf(sheet, {});
      expect(held.stretch).toBeLessThan(1.1 * (await figuresOf(sheet, { tethers: false })).stretch);
      if (sheet.size === 1)
        expect(held.stretch).toBeLessThan(0.7 * (await figuresOf(sheet, { tethers: false, substeps: 12 })).stretch);
      expect(held.depth).toBeLessThan(1e-3);
    },
  );

  it("has fewer substeps by default, unless pins, loads or options want more", async () => {
    await inWorld("cpu", {}, async (world) => {
      const sheet = { size: 1, cells: 48 };
      const stepsOf = (options: Partial<GpbdOptions>): Promise<number> =>
        substepsOf(world, drape(world, sheet, { airDensity: 0, damping: 0, ...options }));
      expect(await stepsOf({})).toBe(16);
      expect(await stepsOf({ tethers: false })).toBe(56);
      expect(await stepsOf({ selfCollision: true })).toBe(56);
      expect(await stepsOf({ substeps: 21, tethers: true })).toBe(21);
      world.addRigidBody({ shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] }, mass: 1, position: [0.4, 0.4, 0.4] });
      expect(await stepsOf({})).toBe(56);
    });
  });

  it("moves in f32 as in f64, frame by frame", async () => {
    await inWorld("cpu", {}, (world) =>
      inWorld("reference", {}, async (exactly) => {
        const sheet = { size: 0.6, cells: 12 };
        const options = { tethers: true, substeps: 8 };
        const [fast, exact] = [drape(world, sheet, options), drape(exactly, sheet, options)];
        for (let frame = 0; frame < 25; frame++) {
          fast.writeState(await exact.readState());
          world.step(frameTime);
          exactly.step(frameTime);
          const [one, other] = [await fast.readState(), await exact.readState()];
          const apart = one.positions.map((x, i) => Math.abs(x - other.positions[i])).sort();
          // An edge that is as long as it may be acts in one of both, and not in the other.
          expect(apart[Math.floor(0.9 * apart.length)]).toBeLessThan(1e-4);
          expect(apart[apart.length - 1]).toBeLessThan(2e-3);
        }
        expect(fast.lane).toBe("simd");
        expect(exact.lane).toBe("cpu");
      }),
    );
  });
});
