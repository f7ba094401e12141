import { beforeAll, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { type FabricName, gridMesh, clothModel, World } from "../../src/index";
import { fineSubsteps } from "../../src/solvers/local-global/body/fine-substeps";
import { testContext } from "../gpu/context";

let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

const GRAVITY = 9.81;

function sheet(cell: number, cells: number, fabric: FabricName) {
  const width = cells * cell;
  return clothModel({
    solver: "local-global",
    ...gridMesh({ width, height: width, columns: cells, rows: cells }),
    fabric,
  });
}

it.each([
  ["cpu", 0.5, 8, "ball", "cotton"],
  ["cpu", 0.7, 5, "floor", "stockinette"],
  ["cpu", 1, 8, "ball", "silk"],
  ["cpu", 1, 5, "floor", "cotton"],
  ["cpu", 1.5, 8, "ball", "satin"],
  ["cpu", 200, 6, "ball", "basket"],
  ["webgpu", 1, 6, "ball", "cotton"],
] as const)(
  "cloth that falls gains no energy, and a fine one rests: %s, cells of %s mm, %s along a side, on a %s, %s",
  async (backend, millimetres, cells, obstacle, fabric) => {
    const cell = millimetres / 1000;
    const width = cells * cell;
    const world = await World.create({ backend, gpu, device: context.device, snapshotInterval: 0 });
    const radius = 0.35 * width;
    if (obstacle === "ball")
      world.addCollider({ type: "sphere", radius, center: [0.03 * width, -radius - 0.1 * width, 0.02 * width] });
    else world.addCollider({ type: "box", halfExtents: [width, width, width], center: [0, -1.2 * width, 0] });
    const body = world.addBody(sheet(cell, cells, fabric));
    const { masses, positions: start } = body.model;
    const weight = masses.reduce((sum, mass) => sum + mass, 0) * GRAVITY;
    const frames = backend === "cpu" ? 20 : 4;
    for (let frame = 1; frame <= frames; frame++) {
      world.step(1 / 60);
      if (backend === "webgpu" && frame % 4 !== 0) continue;
      const { positions, velocities } = await body.readState();
      let [kinetic, work] = [0, 0];
      masses.forEach((mass, i) => {
        for (let c = 3 * i; c < 3 * i + 3; c++) kinetic += 0.5 * mass * velocities[c] ** 2;
        work += mass * GRAVITY * (start[3 * i + 1] - positions[3 * i + 1]);
      });
      expect(kinetic).toBeLessThan(1.02 * work + 0.01 * weight * width);
      if (frame === frames && millimetres <= 1) expect(kinetic).toBeLessThan(1e-4 * weight * width);
    }
    world.dispose();
  },
);

it("takes more steps for finer meshes, as many in every unit of length", () => {
  const stepsOf = (cell: number, grain = 1): number => fineSubsteps(sheet(cell, 4, "cotton"), grain);
  expect([0.2, 0.002, 0.001, 0.0005, 1e-6].map((cell) => stepsOf(cell))).toEqual([1, 1, 4, 8, 32]);
  for (const unit of [0.001, 0.1, 1000]) expect(stepsOf(0.0007 * unit, unit)).toBe(stepsOf(0.0007));
});
