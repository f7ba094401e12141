import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Kernel } from "../../../src/gpu/kernel";
import { likeGpu } from "../../../bench/gpu-cost/suite";
import { GpuSurfaces } from "../../../src/solvers/gpbd/surfaces/gpu-surfaces";
import { fusedPart } from "../../../src/world/backend/sheet-parts";
import { World } from "../../../src/world/world";
import { testContext } from "../../gpu/context";
import { frameTime } from "../../world/worlds";
import { gridCloth } from "../../world/cloths";

const indirect = vi.spyOn(Kernel.prototype, "dispatchIndirect");
const direct = vi.spyOn(Kernel.prototype, "dispatchWorkgroups");
beforeAll(() => fusedPart.load());
afterAll(() => void vi.restoreAllMocks());

interface Run {
  readonly isSoftware: boolean;
  readonly frames: number;
  readonly substeps: number;
  readonly patches: boolean;
  /** of the ball [m]; vertices keep faces clear of a large one */
  readonly radius?: number;
}

/** A sheet without weight on a ball, folded so that its layers are too near. */
async function run({ isSoftware, frames, substeps, patches, radius = 0.2 }: Run) {
  const { device } = await testContext();
  const takeBack = isSoftware ? () => undefined : likeGpu(device);
  indirect.mockClear();
  direct.mockClear();
  const world = await World.create({ backend: "webgpu", device, snapshotInterval: 0 });
  try {
    world.addCollider({ type: "sphere", radius }, { position: [0.02, -radius - 0.001, 0.03] });
    const model = gridCloth({ width: 0.6, height: 0.6, columns: 12, rows: 12 }, { fabric: "cotton" });
    // Two layers, 8 mm apart.
    const positions = Float64Array.from(model.positions);
    for (let p = 0; p < model.particleCount; p++) {
      const x = positions[3 * p];
      if (x > 0.05) positions.set([0.1 - x, 0.008, positions[3 * p + 2]], 3 * p);
    }
    const options = { substeps, gravityFactor: 0, oneDispatch: false, patches };
    const body = world.addBody(model, { selfCollision: true, selfThickness: 0.02, ...options });
    await body.writeState({ positions, velocities: new Float64Array(positions.length) });
    for (let frame = 0; frame < frames; frame++) world.step(frameTime);
    const { positions: places } = await body.readState();
    return { places: Float64Array.from(places), start: positions };
  } finally {
    world.dispose();
    takeBack();
  }
}

/** Largest way upwards: ball and lower layer have raised the upper one [m]. */
function rise({ places, start }: Awaited<ReturnType<typeof run>>): number {
  return places.reduce((most, y, i) => (i % 3 === 1 ? Math.max(most, y - start[i]) : most), 0);
}

it("direct dispatches move cloth that touches itself to the same bytes as lists and indirect ones", async () => {
  const [frames, substeps] = [2, 5];
  const software = await run({ isSoftware: true, frames, substeps, patches: false });
  expect(indirect.mock.calls.length).toBeGreaterThanOrEqual(frames * substeps * 20);
  const before = indirect.mock.calls.length + direct.mock.calls.length;
  const hardware = await run({ isSoftware: false, frames, substeps, patches: false });
  expect(indirect).not.toHaveBeenCalled();
  // Eleven dispatches become seven in each of the four projections of a substep, seven become six at its end, and normals need none.
  const fewer = before - direct.mock.calls.length;
  expect(fewer).toBe(frames * substeps * (4 * 4 + 1 + 1));
  expect(hardware.places).toEqual(software.places);
  expect(rise(hardware)).toBeGreaterThan(1e-3);
});

it.each([
  ["on a small ball, on which faces touch", 0.2, 0.5, true],
  ["on a large ball, and stays there from turn to turn", 5, 0.1, true],
  ["on a large ball, with more pairs than a workgroup takes", 5, 0.25, false],
])(
  "patches take cloth that touches itself through turns of two substeps to the same bytes as a dispatch a stage: %s",
  async (_name, radius, share, isFew) => {
    const few = vi.spyOn(GpuSurfaces.prototype, "hasFewPairs", "get").mockReturnValue(isFew);
    const [frames, substeps] = [1, 49];
    const stages = await run({ isSoftware: true, frames, substeps, patches: false, radius });
    const most = indirect.mock.calls.length + direct.mock.calls.length;
    const patched = await run({ isSoftware: false, frames, substeps, patches: true, radius });
    expect(direct.mock.calls.length).toBeLessThan(share * most);
    expect(patched.places).toEqual(stages.places);
    expect(rise(patched)).toBeGreaterThan(1e-3);
    const labels = new Set((direct.mock.contexts as Kernel[]).map(({ label }) => label));
    for (const entry of ["projectTurn", "predictTurn", "endTurn"])
      expect(labels.has(`fused/few-turns:${entry}`)).toBe(isFew && radius > 1);
    few.mockRestore();
  },
);
