import { beforeAll, describe, it } from "vitest";
import { fabrics } from "../../src/materials/fabric";
import type { BendingModel } from "../../src/models/gpbd/bending";
import type { BodyState } from "../../src/solvers/deformable";
import { expectWithin } from "../figures";
import { unbalancedForce } from "./balance";
import { gridCloth, largestDifference, verticesWhere } from "./cloths";
import { inWorld, run, type BackendName } from "./worlds";

const [length, cells, stiffness] = [1.5, 5, 30];
const cell = length / cells;
const fabric = { ...fabrics.denim, bendingWarp: stiffness, bendingWeft: stiffness, bendingDamping: 0 };
const stepping = { iterations: 8, damping: 10, airDensity: 0 };

/** A strip clamped at x = 0: one more cell lies in the clamp. */
function strip(bending: BendingModel) {
  const width = length + cell;
  const center = [(length - cell) / 2, 0, 0] as const;
  const model = gridCloth({ width, height: 2 * cell, columns: cells + 1, rows: 2, center }, { fabric, bending });
  return { model, pins: verticesWhere(model.positions, (x) => x < cell / 2) };
}

/**
 * Deflection of the free end of a chain of rigid cells with hinges between them: each turns by M Δx / B under the
 * moment M of the part beyond it. Tends to q L⁴ / 8B for many cells.
 */
function deflection(load: number): number {
  let [slope, height] = [0, 0];
  for (let i = 0; i < cells; i++) {
    let moment = 0;
    // the load of a cell acts at its ends
    for (let j = i + 1; j <= cells; j++) moment += (j === cells ? 0.5 : 1) * load * cell * (j - i) * cell;
    slope += (moment * cell) / stiffness;
    height += slope * cell;
  }
  return height;
}

describe.each(["isometric", "dihedral"] as const)("a strip with %s bending that is clamped at one end", (bending) => {
  const { model, pins } = strip(bending);
  let reference: BodyState;
  beforeAll(async () => {
    reference = await inWorld("cpu", {}, async (world) => {
      const body = world.addBody(model, { ...stepping, method: "gauss-seidel", pins, substeps: 10 });
      run(world, 120);
      return body.readState();
    });
  });

  it("bends by its weight as theory says, and its forces balance", () => {
    const ends = verticesWhere(model.positions, (x) => x > length - cell / 2);
    const expected = deflection(fabric.areaDensity * 9.81);
    // Triangles need not form a cylinder, which makes five cells somewhat softer.
    for (const p of ends)
      expectWithin("deflection, relative", Math.abs(-reference.positions[3 * p + 1] / expected - 1), 0.15);
    const left = unbalancedForce(model, pins, Float64Array.from(reference.positions));
    expectWithin("force left over on a particle, of its weight", left, 0.1);
  });

  const cases: { backend: BackendName; method: "gauss-seidel" | "hybrid"; substeps: number }[] = [
    { backend: "cpu", method: "hybrid", substeps: 10 },
    // bending is solved only every fourth substep, with four times the impulse
    { backend: "cpu", method: "gauss-seidel", substeps: 40 },
    { backend: "webgpu", method: "hybrid", substeps: 20 },
  ];

  it.each(cases)("stays there with $method on $backend and $substeps substeps", async ({ backend, ...options }) => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { ...stepping, pins, ...options });
      body.writeState(reference);
      run(world, 20);
      const apart = largestDifference((await body.readState()).positions, reference.positions);
      expectWithin("distance from the reference, of the deflection", apart / -Math.min(...reference.positions), 0.03);
    });
  });
});
