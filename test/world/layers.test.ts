import { expect, it } from "vitest";
import { surfacesAreFree } from "../../src/collision/surface/free-surfaces";
import { clothModel, type BodyOptions, type DeformableBody } from "../../src/index";
import { tube } from "../collision/surface/tubes";
import { refusal } from "../plugin/fixtures";
import type { World } from "../../src/world/world";
import { allBackends, frameTime, inWorld, run } from "./worlds";

const SHAPE = { radius: 0.1, height: 0.2, columns: 10, rows: 5, wave: 0, phase: 0, center: [0, 0, 0] };
const weightless = { gravity: [0, 0, 0] } as const;

/** A garment about the y axis. */
function garment(world: World, options: BodyOptions): DeformableBody {
  const { positions, faces } = tube({ ...SHAPE, wave: 0.05, phase: world.bodies.length });
  return world.addBody(clothModel({ positions, indices: faces, fabric: "cotton" }), { substeps: 4, ...options });
}

async function areApart(inner: DeformableBody, outer: DeformableBody): Promise<boolean> {
  const [a, b] = await Promise.all(
    [inner, outer].map(async (body) => ({ positions: await body.readPositions(), faces: body.model.faces })),
  );
  return surfacesAreFree(a, b, 1e-5);
}

/** Mean distance from the axis [m]. */
async function girth(body: DeformableBody): Promise<number> {
  const x = await body.readPositions();
  let sum = 0;
  for (let i = 0; i < x.length; i += 3) sum += Math.sqrt(x[i] ** 2 + x[i + 2] ** 2);
  return (3 * sum) / x.length;
}

it("garments of three layers begin in their order, at the same places on all backends, and stay so", async () => {
  const starts: Float64Array[] = [];
  for (const backend of allBackends)
    await inWorld(backend, weightless, async (world) => {
      // Layers count, not the order of making.
      const [jacket, shirt, vest] = [2.5, -1, 0].map((layer) => garment(world, { layer }));
      world.isReadyFor(frameTime);
      starts.push(jacket.known!.positions as Float64Array);
      if (backend === "webgpu") return;
      expect(shirt.known!.positions).toEqual(shirt.model.positions);
      run(world, 8);
      for (const [inner, outer] of [
        [shirt, vest],
        [vest, jacket],
        [shirt, jacket],
      ]) {
        expect(await areApart(inner, outer), backend).toBe(true);
        expect(await girth(outer), backend).toBeGreaterThan(await girth(inner));
      }
    });
  expect(starts[1]).toEqual(starts[0]);
  expect(starts[2]).toEqual(starts[0]);
});

it.each(allBackends)("a garment is put over one that is worn already, or under it: %s", async (backend) => {
  for (const late of backend === "webgpu" ? [0] : [1, 0])
    await inWorld(backend, weightless, async (world) => {
      const early = garment(world, { layer: 1 - late });
      run(world, 1);
      const other = garment(world, { layer: late });
      // States come from a GPU: the world waits for them. There contact takes long to compile.
      while (!world.isReadyFor(frameTime)) await world.settled();
      if (backend !== "webgpu") run(world, 3);
      const [inner, outer] = late === 1 ? [early, other] : [other, early];
      expect(await areApart(inner, outer), `${late}`).toBe(true);
      expect(await girth(outer)).toBeGreaterThan(await girth(inner));
    });
});

it("garments without an order, or in one layer, pass through each other as before", async () => {
  for (const layers of [
    [undefined, undefined],
    [1, undefined],
    [1, 1],
  ])
    await inWorld("cpu", weightless, async (world) => {
      const [a, b] = layers.map((layer) => garment(world, { layer }));
      world.isReadyFor(frameTime);
      for (const { known, model } of [a, b]) expect(known!.positions).toEqual(model.positions);
      expect(await areApart(a, b)).toBe(false);
    });
});

it("a world goes on from a snapshot with the same bits, whether it was taken before the first step or later", async () => {
  const make = (world: World): DeformableBody[] => [0, 1].map((layer) => garment(world, { layer }));
  for (const frames of [0, 3]) {
    const [snapshot, wanted] = await inWorld("reference", weightless, async (world) => {
      const [, outer] = make(world);
      run(world, frames);
      const taken = await world.snapshot();
      run(world, 3);
      return [taken, await outer.readPositions()] as const;
    });
    await inWorld("reference", weightless, async (world) => {
      const [, outer] = make(world);
      world.restore(snapshot);
      run(world, 3);
      expect(await outer.readPositions()).toEqual(wanted);
    });
  }
});

it("refuses a layer that is no number, and one of cloth that tears", async () => {
  await inWorld("cpu", {}, async (world) => {
    const { code } = refusal(() => garment(world, { layer: Number.NaN }));
    expect(code).toBe("non-finite");
    expect(refusal(() => garment(world, { layer: 1, tearing: { strain: 0.3 } })).code).toBe("unsupported");
  });
});
