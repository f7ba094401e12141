import { describe, expect, it } from "vitest";
import { fabrics } from "../../src/materials/fabric";
import type { BendingModel } from "../../src/models/bending";
import { expectWithin } from "../figures";
import { gridCloth, verticesWhere } from "./cloths";
import { inWorld, run, type BackendName } from "./worlds";

const [length, cells, stiffness] = [0.12, 8, 1e-2];
const cell = length / cells;

/**
 * Deflection of the free end of a strip that is clamped at x = 0, as a chain of rigid cells with hinges between them: each
 * hinge turns by M Δx / B under the moment M of what hangs beyond it. Goes to q L⁴ / 8B for many cells.
 */
function deflection(load: number): number {
  let [slope, height] = [0, 0];
  for (let i = 0; i < cells; i++) {
    let moment = 0;
    // the load of a cell hangs at its ends
    for (let j = i + 1; j <= cells; j++) moment += (j === cells ? 0.5 : 1) * load * cell * (j - i) * cell;
    slope += (moment * cell) / stiffness;
    height += slope * cell;
  }
  return height;
}

describe("a strip that is clamped at one end", () => {
  const cases: { backend: BackendName; bending: BendingModel; substeps: number }[] = [
    { backend: "cpu", bending: "isometric", substeps: 10 },
    // bending is solved every fourth substep only, with four times the impulse
    { backend: "cpu", bending: "isometric", substeps: 40 },
    { backend: "cpu", bending: "dihedral", substeps: 20 },
    { backend: "webgpu", bending: "isometric", substeps: 20 },
    { backend: "webgpu", bending: "dihedral", substeps: 10 },
  ];

  it.each(cases)(
    "bends by its weight as theory says: $bending on $backend, $substeps substeps",
    async ({ backend, bending, substeps }) => {
      await inWorld(backend, {}, async (world) => {
        const fabric = { ...fabrics.denim, bendingWarp: stiffness, bendingWeft: stiffness };
        // one cell more, which the clamp holds
        const model = gridCloth(
          {
            width: length + cell,
            height: 2 * cell,
            columns: cells + 1,
            rows: 2,
            center: [(length - cell) / 2, 0, 0],
          },
          { fabric, bending },
        );
        const clamp = verticesWhere(model.positions, (x) => x < cell / 2);
        expect(clamp).toHaveLength(6);
        const body = world.addBody(model, { pins: clamp, substeps, iterations: 12, damping: 25, airDensity: 0 });
        run(world, 45);
        const { positions, velocities } = await body.readState();
        expect(Math.max(...Array.from(velocities, Math.abs))).toBeLessThan(2e-3);
        const ends = verticesWhere(model.positions, (x) => x > length - cell / 2).map((p) => -positions[3 * p + 1]);
        const expected = deflection(fabric.areaDensity * 9.81);
        expect(expected).toBeGreaterThan(0.005);
        for (const end of ends) expectWithin("deflection of the end, relative", Math.abs(end / expected - 1), 0.03);
      });
    },
  );
});
