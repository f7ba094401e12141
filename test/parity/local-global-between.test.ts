import { beforeAll, describe, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { boxTetrahedra, type DeformableBody, gridMesh, solidModel, World } from "../../src/index";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { expectWithin } from "../figures";
import { testContext } from "../gpu/context";
import { backends } from "../world/worlds";

let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

const material = { youngsModulus: 1e6, poissonRatio: 0.3, density: 1000, friction: 0.5 };

/** Mean height of those vertices of a body that have a given height at rest [m]. */
async function heightOf(body: DeformableBody, at: number): Promise<number> {
  const { positions: rest, particleCount } = body.model;
  const { positions } = await body.readState();
  const own = [...Array(particleCount).keys()].filter((p) => Math.abs(rest[3 * p + 1] - at) < 1e-6);
  return own.reduce((sum, p) => sum + positions[3 * p + 1], 0) / own.length;
}

// The corners of the slabs are beside the sheet: only its vertices meet both of them, each at two sides.
describe.each(backends)("a sheet between two slabs on %s", (backend) => {
  it.each(backend === "cpu" ? [1, 0.1] : [1])(
    "bears the weight of the upper one, size %f",
    { timeout: 120_000 },
    async (size) => {
      const gravity = 9.81 * size;
      const world = await World.create({
        backend,
        gpu,
        device: context.device,
        gravity: [0, -gravity, 0],
        snapshotInterval: 0,
      });
      const thickness = 0.004 * size;
      const options = { thickness, contactMargin: 1.5 * thickness, damping: 5 };
      const addSlab = (bottom: number): DeformableBody => {
        const mesh = boxTetrahedra({
          size: [0.2 * size, 0.05 * size, 0.2 * size],
          cells: [1, 1, 1],
          center: [0, bottom + 0.025 * size, 0],
        });
        return world.addBody(solidModel({ solver: "local-global", ...mesh, elements: "linear", material }), options);
      };
      const lower = addSlab(0);
      const rest = lower.model.positions;
      lower.pin([...lower.model.masses.keys()].filter((p) => rest[3 * p + 1] < 1e-6));
      const top = 0.05 * size;
      const grid = gridMesh({ width: 0.16 * size, height: 0.16 * size, columns: 4, rows: 4 });
      const positions = Array.from(grid.positions);
      // flat, a little aside
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = positions.slice(i, i + 3);
        positions.splice(i, 3, x + 0.003 * size, top + thickness, y + z + 0.002 * size);
      }
      const sheet = localGlobalSheet({ positions, indices: grid.indices, thickness: 0.001 * size, material });
      world.addBody(sheet, options);
      const upper = addSlab(top + 2 * thickness);
      for (let frame = 0; frame < 25; frame++) {
        world.step(1 / 60);
        await world.settled();
      }
      const gap = (await heightOf(upper, top + 2 * thickness)) - (await heightOf(lower, top));
      await world.settled();
      const weight = gravity * upper.model.masses.reduce((sum, mass) => sum + mass, 0);
      let [borne, beside] = [0, 0];
      localGlobalGroup(world).forEachForce(({ model, other, force: [, y] }) => {
        if (model !== upper.model && other !== upper.model) return;
        const own = model === upper.model ? y : -y;
        if (model === sheet || other === sheet) borne += own;
        else beside += own;
      });
      expectWithin("weight on the sheet, relative", Math.abs(borne / weight - 1), 0.01);
      expectWithin("weight beside the sheet, relative", Math.abs(beside / weight), 0.01);
      expectWithin("gap, relative", Math.abs(gap / (2 * thickness) - 1), 0.01);
      world.dispose();
    },
  );
});
