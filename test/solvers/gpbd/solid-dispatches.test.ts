import { afterAll, expect, it, vi } from "vitest";
import { likeGpu } from "../../../bench/gpu-cost/suite";
import { Kernel } from "../../../src/gpu/kernel";
import { boxTetrahedra, solidModel } from "../../../src/index";
import { World } from "../../../src/world/world";
import { testContext } from "../../gpu/context";
import { frameTime } from "../../world/worlds";

const direct = vi.spyOn(Kernel.prototype, "dispatchWorkgroups");
const indirect = vi.spyOn(Kernel.prototype, "dispatchIndirect");
afterAll(() => void vi.restoreAllMocks());

const [substeps, frames] = [4, 3];

async function run(isSoftware: boolean, iterations: number, warmStart: number, faceContacts: boolean) {
  const { device } = await testContext();
  const takeBack = isSoftware ? () => undefined : likeGpu(device);
  const world = await World.create({ backend: "webgpu", device, snapshotInterval: 0 });
  try {
    world.addCollider({ type: "box", halfExtents: [1, 0.1, 1] }, { position: [0, -0.1, 0] });
    const mesh = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [3, 3, 3], center: [0, 0.152, 0] });
    const material = { model: "stable-neo-hookean", youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 } as const;
    const body = world.addBody(solidModel({ ...mesh, material, elements: "linear" }), {
      substeps,
      iterations,
      warmStart,
      airDensity: 0,
      faceContacts,
    });
    const velocities = body.model.positions.map((_, i) => (i % 3 === 1 ? -1 : 0.3));
    await body.writeState({ positions: body.model.positions, velocities });
    world.step(frameTime);
    direct.mockClear();
    indirect.mockClear();
    for (let frame = 1; frame < frames; frame++) world.step(frameTime);
    const { positions } = await body.readState();
    return { positions: [...positions], dispatches: direct.mock.calls.length + indirect.mock.calls.length };
  } finally {
    world.dispose();
    takeBack();
  }
}

it.each([
  [1, 0.9, false],
  [1, 0.9, true],
  [2, 0.9, true],
  [1, 0, false],
])(
  "dispatches that are taken together move a solid to the same bytes: %i iterations, warm start %f, contact of faces: %s",
  async (iterations, warmStart, faces) => {
    const software = await run(true, iterations, warmStart, faces);
    const hardware = await run(false, iterations, warmStart, faces);
    expect(hardware.positions).toEqual(software.positions);
    const isMerged = iterations === 1 && warmStart > 0 && !faces;
    // Eight colors of cells, contact before and after them, what comes before and after contact; then the account of the frame.
    if (isMerged) expect(hardware.dispatches).toBe((frames - 1) * (substeps * (1 + 1 + 8 + 1 + 1 + 1) + 3));
    expect(Math.min(...hardware.positions.filter((_, i) => i % 3 === 1))).toBeLessThan(0.01);
  },
);
