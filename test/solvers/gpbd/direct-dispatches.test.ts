import { afterAll, expect, it, vi } from "vitest";
import { Kernel } from "../../../src/gpu/kernel";
import { likeGpu } from "../../../bench/gpu-cost/suite";
import { World } from "../../../src/world/world";
import { testContext } from "../../gpu/context";
import { frameTime } from "../../world/worlds";
import { gridCloth } from "../../world/cloths";

const indirect = vi.spyOn(Kernel.prototype, "dispatchIndirect");
const direct = vi.spyOn(Kernel.prototype, "dispatchWorkgroups");
afterAll(() => void vi.restoreAllMocks());

const FRAMES = 2;
const SUBSTEPS = 5;

/** A sheet without weight on a ball, folded so that its layers are too near. */
async function run(isSoftware: boolean) {
  const { device } = await testContext();
  const takeBack = isSoftware ? () => undefined : likeGpu(device);
  indirect.mockClear();
  direct.mockClear();
  const world = await World.create({ backend: "webgpu", device, snapshotInterval: 0 });
  try {
    world.addCollider({ type: "sphere", radius: 0.2 }, { position: [0.02, -0.201, 0.03] });
    const model = gridCloth({ width: 0.6, height: 0.6, columns: 12, rows: 12 }, { fabric: "cotton" });
    // Two layers, 8 mm apart.
    const positions = Float64Array.from(model.positions);
    for (let p = 0; p < model.particleCount; p++) {
      const x = positions[3 * p];
      if (x > 0.05) positions.set([0.1 - x, 0.008, positions[3 * p + 2]], 3 * p);
    }
    const options = { substeps: SUBSTEPS, gravityFactor: 0, oneDispatch: false, patches: false };
    const body = world.addBody(model, { selfCollision: true, selfThickness: 0.02, ...options });
    await body.writeState({ positions, velocities: new Float64Array(positions.length) });
    for (let frame = 0; frame < FRAMES; frame++) world.step(frameTime);
    const { positions: places } = await body.readState();
    return { places: Float64Array.from(places), start: positions };
  } finally {
    world.dispose();
    takeBack();
  }
}

it("direct dispatches move cloth that touches itself to the same bytes as lists and indirect ones", async () => {
  const software = await run(true);
  expect(indirect.mock.calls.length).toBeGreaterThanOrEqual(FRAMES * SUBSTEPS * 20);
  const before = indirect.mock.calls.length + direct.mock.calls.length;
  const hardware = await run(false);
  expect(indirect).not.toHaveBeenCalled();
  // Six dispatches become three in each of the four projections of a substep.
  const fewer = before - direct.mock.calls.length;
  expect(fewer).toBe(FRAMES * SUBSTEPS * 4 * 3);
  expect(hardware.places).toEqual(software.places);
  // Ball and lower layer have raised the upper one.
  const rise = hardware.places.map((y, i) => (i % 3 === 1 ? y - hardware.start[i] : 0));
  expect(Math.max(...rise)).toBeGreaterThan(1e-3);
});
